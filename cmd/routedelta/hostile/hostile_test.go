package hostile

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// corpus is where the inputs are, in a folder for each group.
const corpus = "../../../testdata/hostile"

// large is the folder of the inputs that take minutes, common that of the tree that all begin with; the others are groups.
const large, common = "large", "common"

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
//	every                      run what a workflow and a person would: diff, check, action
//	everywhere                 run what Argo CD and a rendering would, too: render, cmp generate
//	bounds CPU MEGABYTES       what each run from here on may take: seconds of processor time, peak memory
//	in NAME=VALUE...           the environment of the runs from here on
//	named FILE NAME            give a file the name of a Go string, which an archive cannot hold
//	unquoted FILE...           read Go's escapes in a file, for bytes that an archive cannot hold
//	append FILE TO             add a file to the end of another, which may be a new one
//	program FILE               make a file a program that nobody may run
//	helm                       the machine has the real helm
//	paste                      run what was printed last in a shell, where curl does nothing
//	settle                     the script has changed the repository itself: from here on it has to stay as it is
//	secret FILE...             what is in these files must not get out
//	privileged                 go on as a workflow_run for the head; edit, swap and zip change what a run has left
//	forge LOGIN FILE           somebody else comments
//	moveon                     the pull request gets a newer commit; a second time, it is closed
//	answer METHOD STATUS BODY  how GitHub answers the next such request
//	handmade                   make a pull request of trees that git would not make
//	make WHAT N FILE           write a file (or folder) that is too large for an archive; make_test.go has what there is
//
// "stdout" and "stderr" are those of the last run; comment.md, check.md, summary.md and annotations.txt what it has published.
//
// In files @TRAP@ stands for a program that nobody may run, @CANARY@ for the address of a server that nobody may ask, @OUTSIDE@ for a folder that
// nobody may read, and @TOKEN@ for the token. Strings of the stranger have the word "pwned" at both ends: where a reader would take them for
// more than text, it shows.
func TestHostile(t *testing.T) {
	folders, err := os.ReadDir(corpus)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if name := folder.Name(); name != large && name != common {
			t.Run(name, func(t *testing.T) { runScripts(t, filepath.Join(corpus, name)) })
		}
	}
}

func runScripts(t *testing.T, dir string) {
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setUp,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"privileged": onWorld((*world).privileged),
			"edit":       onWorld((*world).edit),
			"swap":       onWorld((*world).swap),
			"zip":        onWorld((*world).zip),
			"forge":      onWorld((*world).forge),
			"moveon":     onWorld((*world).moveOn),
			"answer":     onWorld((*world).answer),
			"secret":     onWorld((*world).secret),
			"pull":       onWorld((*world).pull),
			"run":        onWorld((*world).run),
			"every":      onWorld((*world).every),
			"everywhere": onWorld((*world).everywhere),
			"bounds":     onWorld((*world).bound),
			"in":         onWorld((*world).in),
			"named":      onWorld((*world).named),
			"unquoted":   onWorld((*world).unquoted),
			"settle":     onWorld((*world).settle),
			"append":     onWorld((*world).append),
			"program":    onWorld((*world).program),
			"paste":      onWorld((*world).paste),
			"helm":       onWorld((*world).helm),
			"handmade":   onWorld((*world).handmade),
			"make":       onWorld((*world).make),
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
	env.Vars = append(env.Vars, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "TRAP="+w.trap, "CANARY="+w.canary.url, "OUTSIDE="+w.outside, "TOKEN="+githubtest.Token)
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
