package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// snippet is a block of a page: what it is, and its text.
type snippet struct{ language, text string }

// snippets are the blocks of a page, in its order.
func snippets(t *testing.T, page string) []snippet {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	var found []snippet
	for _, block := range regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		found = append(found, snippet{block[1], block[2]})
	}
	return found
}

// named is the file that the first line of a snippet names, or "".
func (s snippet) named() string {
	first, _, _ := strings.Cut(s.text, "\n")
	name, ok := strings.CutPrefix(first, "# ")
	if !ok {
		return ""
	}
	return name
}

// TestApplyPage does what the page says, with ports of its own, and gets what the page shows.
func TestApplyPage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	port, admin := freePort(t), freePort(t)
	own := strings.NewReplacer("8080", strconv.Itoa(port), "  listeners: file\n", fmt.Sprintf("  listeners: file\n  admin: {port: %d}\n", admin))
	var printed string
	for _, s := range snippets(t, "apply.md") {
		switch {
		case s.language == "yaml":
			path := filepath.Join(dir, s.named())
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(own.Replace(s.text)), 0o644)); err != nil {
				t.Fatal(err)
			}
		case s.language == "sh":
			script, start := strings.CutSuffix(s.text, "(cd live && exec envoy -c bootstrap.json) &\n")
			command := exec.CommandContext(t.Context(), "sh", "-ec", script)
			command.Dir = dir
			output, err := command.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", script, err, output)
			}
			if start {
				// The test's own start of the same command, which ends with it.
				envoytest.Run(t, filepath.Join(dir, "live"), fmt.Sprintf("127.0.0.1:%d", admin))
			}
			printed = string(output)
		default:
			if want := own.Replace(s.text); printed != want {
				t.Errorf("it prints\n%s\nand the page shows\n%s", printed, want)
			}
			requireRedirect(t, port, "/newer")
		}
	}
}

func requireRedirect(t *testing.T, port int, path string) {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(fmt.Sprintf("http://127.0.0.1:%d/old", port))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if location := response.Header.Get("Location"); !strings.HasSuffix(location, path) {
		t.Errorf("/old leads to %q, want %q", location, path)
	}
}

// container is one of a pod.
type container struct {
	Image string
	Args  []string
}

// TestApplyPageDeployment: the containers of the page run commands that there are.
func TestApplyPageDeployment(t *testing.T) {
	for _, s := range snippets(t, "apply.md") {
		if s.named() != "deployment.yaml" {
			continue
		}
		var deployment struct {
			Spec struct {
				Template struct {
					Spec struct {
						InitContainers []container `yaml:"initContainers"`
						Containers     []container
					}
				}
			}
		}
		if err := yaml.Unmarshal([]byte(s.text), &deployment); err != nil {
			t.Fatal(err)
		}
		commands := 0
		pod := deployment.Spec.Template.Spec
		for _, container := range append(pod.InitContainers, pod.Containers...) {
			if container.Image != "routedelta" {
				continue
			}
			commands++
			command, arguments, err := newRoot(streams{}).Find(container.Args)
			if err == nil {
				err = errors.Join(command.ParseFlags(arguments), command.ValidateRequiredFlags(), command.ValidateArgs(command.Flags().Args()))
			}
			if err != nil {
				t.Errorf("%q: %v", container.Args, err)
			}
		}
		if commands != 2 {
			t.Errorf("%d containers run routedelta, want 2", commands)
		}
		return
	}
	t.Fatal("the page has no deployment.yaml")
}
