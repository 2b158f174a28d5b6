package docs

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hostileGroups are the folders of testdata/hostile, in the order of the tables of security.md.
var hostileGroups = []struct{ folder, title string }{
	{"markup", "Markup in names and values"},
	{"commands", "Commands to the runner"},
	{"paths", "Paths and links"},
	{"size", "Size and time"},
	{"large", "Size and time, by `make hostile-large`"},
	{"execution", "Programs and the network"},
	{"policy", "The policy"},
	{"artifacts", "What a run without rights leaves"},
	{"secrets", "Secrets"},
}

const (
	hostileCorpus = "../testdata/hostile"
	hostileBegin  = "<!-- begin: made of testdata/hostile by `make docs` -->\n"
)

// TestSecurityShowsTheCorpus holds the tables of security.md to the inputs that the tests run.
func TestSecurityShowsTheCorpus(t *testing.T) {
	const name = "security.md"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, opened := bytes.Cut(text, []byte(hostileBegin))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !opened || !closed {
		t.Fatalf("%s has no part between %q and %q", name, hostileBegin, end)
	}
	want := string(before) + hostileBegin + hostileTables(t) + end + string(after)
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(text) != want {
		t.Errorf("%s does not show what is in testdata/hostile: make docs", name)
	}
}

// TestEveryHostileGroupIsShown: no folder of the corpus is left out.
func TestEveryHostileGroupIsShown(t *testing.T) {
	shown := map[string]bool{"common": true}
	for _, group := range hostileGroups {
		shown[group.folder] = true
	}
	folders, err := os.ReadDir(hostileCorpus)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if !shown[folder.Name()] {
			t.Errorf("%s/%s has no title", hostileCorpus, folder.Name())
		}
	}
}

func hostileTables(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	for _, group := range hostileGroups {
		inputs, err := filepath.Glob(filepath.Join(hostileCorpus, group.folder, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		if len(inputs) == 0 {
			t.Errorf("%s has no input", group.folder)
		}
		fmt.Fprintf(&out, "\n### %s\n\n| input | the stranger | what happens |\n|---|---|---|\n", group.title)
		for _, input := range inputs {
			does, then := hostileHead(t, input)
			name := strings.TrimSuffix(filepath.Base(input), ".txtar")
			fmt.Fprintf(&out, "| [%s](../testdata/hostile/%s/%s.txtar) | %s | %s |\n", name, group.folder, name, cell(does), cell(then))
		}
	}
	return out.String() + "\n"
}

// hostileHead is what the first two lines of an input say.
func hostileHead(t *testing.T, input string) (does, then string) {
	t.Helper()
	text, err := os.ReadFile(input)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitN(string(text), "\n", 3)
	does, first := strings.CutPrefix(lines[0], "# does: ")
	then, second := strings.CutPrefix(lines[1], "# then: ")
	if !first || !second {
		t.Errorf("%s does not begin with \"# does: \" and \"# then: \"", input)
	}
	return does, then
}

func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`).Replace(text)
}
