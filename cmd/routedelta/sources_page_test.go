package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSourcesPage does what the page says, and gets what the page shows.
func TestSourcesPage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var printed, shown string
	for _, s := range snippets(t, "sources.md") {
		switch s.language {
		case "yaml":
			path := filepath.Join(dir, s.named())
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(s.text), 0o644)); err != nil {
				t.Fatal(err)
			}
		case "sh":
			command := exec.CommandContext(t.Context(), "sh", "-ec", s.text)
			command.Dir = dir
			command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=init.defaultBranch", "GIT_CONFIG_VALUE_0=main")
			output, err := command.Output()
			if err != nil {
				t.Fatalf("%s: %v\n%s", s.text, err, output)
			}
			printed = string(output)
		default:
			shown = s.text
		}
	}
	hash := regexp.MustCompile(`@[0-9a-f]{7}`)
	printed, shown = hash.ReplaceAllString(printed, "@"), hash.ReplaceAllString(shown, "@")
	if diff := cmp.Diff(strings.TrimSpace(shown), strings.TrimSpace(printed)); diff != "" {
		t.Errorf("the page shows (-) what is not printed (+):\n%s", diff)
	}
}
