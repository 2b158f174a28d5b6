package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestModuleReplacesNothing: `go install` refuses a module with replacements.
func TestModuleReplacesNothing(t *testing.T) {
	var mod struct {
		Module  struct{ Path string }
		Replace []any
	}
	if err := json.Unmarshal(inRoot(t, "go", "mod", "edit", "-json"), &mod); err != nil {
		t.Fatal(err)
	}
	if mod.Module.Path != module || len(mod.Replace) > 0 {
		t.Errorf("module %s replaces %v", mod.Module.Path, mod.Replace)
	}
}

// machinePath is a path into somebody's home, or into the working directory of this very test.
func machinePath(t *testing.T) *regexp.Regexp {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	// The letters of the first folders stand in brackets, so that the pattern does not find itself.
	return regexp.MustCompile(`(^|[\s"'` + "`" + `=(:])/([r]oot|[h]ome/[a-z]{2,}|[U]sers/[a-z]+|[w]ork)/[\w.]|` + regexp.QuoteMeta(root+"/"))
}

// homes of containers are the same on every machine.
var containerHomes = regexp.MustCompile(`/home/(argocd|runner)/`)

// TestNoPathOfAMachine looks for paths of the machine that a file was made on: they tell of their maker, and a golden file with
// one passes nowhere else.
func TestNoPathOfAMachine(t *testing.T) {
	pattern := machinePath(t)
	names := strings.Split(strings.TrimSuffix(string(inRoot(t, "git", "ls-files", "-z")), "\x00"), "\x00")
	if len(names) < 100 {
		t.Fatalf("git knows only %d files", len(names))
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join("../..", name))
		if os.IsNotExist(err) {
			continue // removed, and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		for number, line := range bytes.Split(data, []byte("\n")) {
			if found := pattern.Find(containerHomes.ReplaceAll(line, nil)); found != nil {
				t.Errorf("%s:%d has a path of a machine: %s", name, number+1, found)
			}
		}
	}
}
