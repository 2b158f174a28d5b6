package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestKustomizePage does what the page says with kustomize and kpt, and gets what the page shows. What is about the image is left to
// TestKustomizePageContained.
func TestKustomizePage(t *testing.T) {
	t.Parallel()
	dir, bin := t.TempDir(), t.TempDir()
	for _, name := range []string{"kustomize", "kpt"} {
		if err := os.Symlink(caller(t, name), filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	if commands := followPage(t, dir, bin, func(text string) bool { return !strings.Contains(text, "contained") }); commands != 3 {
		t.Errorf("%d commands of the page are run, want 3", commands)
	}
	built, err := os.ReadFile(filepath.Join(dir, "built.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	// The volume of the page's Deployment names a ConfigMap that is there.
	if strings.Count(string(built), "name: public-envoy\n") != 2 {
		t.Errorf("the Deployment and one ConfigMap have not the same name:\n%s", built)
	}
}

// TestKustomizePageContained does what the page says of the image.
func TestKustomizePageContained(t *testing.T) {
	t.Parallel()
	if !hasContainers() {
		t.Skip("podman and runc run containers: apt-get install podman runc")
	}
	dir, bin := t.TempDir(), t.TempDir()
	if err := os.Symlink(caller(t, "kustomize"), filepath.Join(bin, "kustomize")); err != nil {
		t.Fatal(err)
	}
	store, err := installContainers(bin)
	t.Cleanup(func() { _ = os.RemoveAll(store) })
	if err != nil {
		t.Fatal(err)
	}
	isOfImage := func(text string) bool { return strings.Contains(text, "contained") }
	if commands := followPage(t, dir, bin, isOfImage); commands != 1 {
		t.Errorf("%d commands of the page are run, want 1", commands)
	}
}

// followPage writes the files of the page, runs those of its commands that are chosen, and wants the output that is shown behind each.
// It gives the number of commands.
func followPage(t *testing.T, dir, bin string, chosen func(string) bool) (commands int) {
	t.Helper()
	var printed string
	ran := false
	for _, s := range snippets(t, "kustomize.md") {
		switch s.language {
		case "yaml":
			path := filepath.Join(dir, s.named())
			text := strings.ReplaceAll(s.text, "registry.example/routedelta:v1", "localhost/routedelta:dev")
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		case "sh":
			if ran = chosen(s.text); ran {
				printed = shellIn(t, dir, bin, s.text)
				commands++
			}
		default:
			if ran && printed != s.text {
				t.Errorf("it prints\n%s\nand the page shows\n%s", printed, s.text)
			}
		}
	}
	return commands
}

// shellIn runs a script in a folder, with the programs of another first in its PATH, and gives its output.
func shellIn(t *testing.T, dir, bin, script string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "sh", "-ec", script)
	command.Dir = dir
	command.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var out, complaint bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaint
	if err := command.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, &complaint)
	}
	return out.String()
}
