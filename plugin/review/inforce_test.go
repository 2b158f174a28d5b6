package review

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// configuredTree is a repository with a commit for each text of .routedelta.yaml in turn; "" is no file, "->x" a link to x.
func configuredTree(t *testing.T, texts ...string) string {
	t.Helper()
	dir := t.TempDir()
	git := func(arguments ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, arguments...)...)
		command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", arguments, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	for _, text := range texts {
		place(t, dir, text)
		git("add", "-A")
		git("commit", "-q", "--allow-empty", "-m", "one")
	}
	return dir
}

// place makes the configuration in a directory what a text says.
func place(t *testing.T, dir, text string) {
	t.Helper()
	name := filepath.Join(dir, ".routedelta.yaml")
	if err := os.RemoveAll(name); err != nil {
		t.Fatal(err)
	}
	target, isLink := strings.CutPrefix(text, "->")
	err := error(nil)
	switch {
	case isLink:
		err = os.Symlink(target, name)
	case text != "":
		err = os.WriteFile(name, []byte(text), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func dialect(name string) string {
	return "apiVersion: routedelta.dev/v1alpha1\nkind: RouteDelta\nspec: {dialect: " + name + "}\n"
}

func TestInForce(t *testing.T) {
	const merged, proposed = "gateway-api", "kgateway"
	for name, test := range map[string]struct {
		base, head string
		// disk is what lies in the work tree, where that is not the head.
		disk *string
		// want is the dialect in force, note a part of what is said of the later file.
		want, note string
	}{
		"the same":                  {base: dialect(merged), head: dialect(merged), want: merged},
		"a comment":                 {base: dialect(merged), head: "# why\n" + dialect(merged), want: merged},
		"the head alters it":        {base: dialect(merged), head: dialect(proposed), want: merged, note: "alters the configuration (dialect)"},
		"the head adds it":          {head: dialect(proposed), note: "adds a configuration (dialect)"},
		"the head removes it":       {base: dialect(merged), want: merged, note: "removes the configuration"},
		"the head breaks it":        {base: dialect(merged), head: "spec: [", want: merged, note: "cannot be read"},
		"the head leads out":        {base: dialect(merged), head: "->/etc/passwd", want: merged, note: "cannot be read"},
		"the head is large":         {base: dialect(merged), head: dialect(proposed) + strings.Repeat("#", maxConfiguration), want: merged, note: "cannot be read"},
		"the work tree alters it":   {base: dialect(merged), head: dialect(merged), disk: new(dialect(proposed)), want: merged, note: "alters the configuration"},
		"the work tree has its own": {disk: new(dialect(proposed)), want: proposed},
		"added, then altered":       {head: dialect(merged), disk: new(dialect(proposed)), note: "adds a configuration"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := configuredTree(t, test.base, test.head)
			later := Source{Kind: Revision, Revision: "HEAD"}
			sides := []Source{later, {Kind: Directory, Path: ".", Relative: true}}
			if test.disk != nil {
				place(t, dir, *test.disk)
				sides = sides[1:]
			}
			for _, after := range sides {
				e := Environment{Dir: dir}
				configured, notes, err := e.InForce(t.Context(), Source{Kind: Revision, Revision: "HEAD^"}, after)
				if err != nil {
					t.Fatal(err)
				}
				if configured.Spec.Dialect != test.want {
					t.Errorf("in force is the dialect %q, want %q", configured.Spec.Dialect, test.want)
				}
				said := ""
				for _, note := range notes {
					said += note.Message
				}
				if (test.note == "") != (said == "") || !strings.Contains(said, test.note) {
					t.Errorf("said is %q, want %q", said, test.note)
				}
			}
		})
	}
}

// TestInForceLooksForItsOwnName: on a disk that does not mind capitals, a file of the head under another name is not the caller's own.
func TestInForceLooksForItsOwnName(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".Routedelta.yaml"), []byte(dialect("kgateway")), 0o600); err != nil {
		t.Fatal(err)
	}
	if found, err := configurationOnDisk(dir); err != nil || found.found {
		t.Errorf("found %v, %v", found, err)
	}
}

// TestInForceRefusesABrokenBase: nothing is compared under a configuration that nobody can read.
func TestInForceRefusesABrokenBase(t *testing.T) {
	dir := configuredTree(t, "spec: [", dialect("kgateway"))
	before, after := Source{Kind: Revision, Revision: "HEAD^"}, Source{Kind: Revision, Revision: "HEAD"}
	_, _, err := (Environment{Dir: dir}).InForce(t.Context(), before, after)
	if err == nil || !strings.Contains(err.Error(), "git:HEAD^:.routedelta.yaml") {
		t.Errorf("error is %v", err)
	}
}
