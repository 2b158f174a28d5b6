package hostile

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// corpus is where the inputs are, in a folder for each group.
const corpus = "../../../testdata/hostile"

// groups are the folders of the corpus, in the order of the table.
var groups = []struct{ folder, title string }{
	{"markup", "Script and markup in strings"},
	{"commands", "Commands to the runner"},
	{"paths", "Paths and links"},
	{"size", "Size and time"},
	{"execution", "Programs and the network"},
	{"policy", "The policy"},
	{"artifacts", "Artifacts of runs without rights"},
	{"secrets", "Secrets"},
}

// program is the path of the real program, which TestMain builds.
var program string

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "routedelta-hostile-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "routedelta")
	if out, err := exec.Command("go", "build", "-o", program, "..").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the program: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// TestHostile runs every input of the corpus. A script makes the pull request and runs the program:
//
//	pull                       make the repository of base/ and head/, with the merge checked out, and the event that says so. base/ begins
//	                           as testdata/hostile/common, head/ as base/: an input has the files that differ
//	run CODE ARGUMENT...       run the program in it, as a step of a workflow, and hold its exit code ("any" is 0 to 3)
//	every                      run what a workflow, a person and Argo CD would: action, diff, check, render, cmp generate
//	bounds CPU MEGABYTES       what each run from here on may take: seconds of processor time, peak memory
//	in NAME=VALUE...           the environment of the runs from here on
//	named FILE NAME            give a file the name of a Go string, which an archive cannot hold
//	unquoted FILE...           read Go's escapes in a file, for bytes that an archive cannot hold
//	settle                     the script has changed the repository itself: from here on it has to stay as it is
//	handmade                   make a pull request of trees that git would not make
//	make WHAT N FILE           write a file (or folder) that is too large for an archive; make_test.go has what there is
//
// "stdout" and "stderr" are those of the last run; comment.md, check.md, summary.md and annotations.txt what it has published.
//
// In files @TRAP@ stands for a program that nobody may run, @CANARY@ for the address of a server that nobody may ask, @OUTSIDE@ for a folder that
// nobody may read, and @TOKEN@ for the token. Strings of the stranger have the word "pwned" at both ends: where a reader would take them for
// more than text, it shows.
func TestHostile(t *testing.T) {
	for _, group := range groups {
		t.Run(group.folder, func(t *testing.T) { runScripts(t, filepath.Join(corpus, group.folder)) })
	}
}

func runScripts(t *testing.T, dir string) {
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setUp,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"pull":     onWorld((*world).pull),
			"run":      onWorld((*world).run),
			"every":    onWorld((*world).every),
			"bounds":   onWorld((*world).bound),
			"in":       onWorld((*world).in),
			"named":    onWorld((*world).named),
			"unquoted": onWorld((*world).unquoted),
			"settle":   onWorld((*world).settle),
			"handmade": onWorld((*world).handmade),
			"make":     onWorld((*world).make),
		},
	})
}

type worldKey struct{}

// setUp makes a world for a script.
func setUp(env *testscript.Env) error {
	w, err := newWorld(env.T().(testing.TB), env.WorkDir)
	if err != nil {
		return err
	}
	env.Values[worldKey{}] = w
	env.Vars = append(env.Vars, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "TRAP="+w.trap, "CANARY="+w.canary.url, "OUTSIDE="+w.outside)
	return errors.Join(w.complete(), w.fillIn())
}

// onWorld makes a command of what is done in a world.
func onWorld(do func(*world, *testscript.TestScript, []string)) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, arguments []string) {
		if neg {
			ts.Fatalf("this command cannot be negated")
		}
		do(ts.Value(worldKey{}).(*world), ts, arguments)
	}
}
