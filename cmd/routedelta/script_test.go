package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/routedelta/routedelta/plugin/fetch/fetchtest"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"routedelta": main, measured: runMeasured})
}

// TestScripts runs the real command line: one behaviour a script, named by it.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join(root, "testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLE", filepath.Join(root, "testdata", "example"))
			env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			// A PATH that has our program and no other begins as that of the test, where testscript put it.
			env.Setenv("ALONE", filepath.SplitList(env.Getenv("PATH"))[0])
			return errors.Join(
				linkTool(env, "kustomize", os.Getenv("KUSTOMIZE"), filepath.Join(root, ".local", "bin", "kustomize")),
				linkTool(env, "kpt", os.Getenv("KPT"), filepath.Join(root, ".local", "bin", "kpt")),
				linkTool(env, "helm", os.Getenv("HELM"), filepath.Join(root, ".local", "bin", "helm")))
		},
		Condition: condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"repository": repositoryCommand,
			"commit":     commitCommand,
			"serve":      serveCommand,
			"exits":      exitsCommand,
			"containers": containersCommand,
		},
	})
}

// linkTool puts a program of the Makefile into the script's PATH.
func linkTool(env *testscript.Env, name string, places ...string) error {
	bin := filepath.Join(env.WorkDir, ".bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return err
	}
	env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
	for _, place := range places {
		if _, err := os.Stat(place); place != "" && err == nil {
			return os.Symlink(place, filepath.Join(bin, name))
		}
	}
	return nil // the script that needs it fails, and says what is not found
}

// repositoryCommand makes an empty repository: repository DIR.
func repositoryCommand(ts *testscript.TestScript, neg bool, arguments []string) {
	if neg || len(arguments) != 1 {
		ts.Fatalf("usage: repository DIR")
	}
	dir := ts.MkAbs(arguments[0])
	ts.Check(os.MkdirAll(dir, 0o755))
	runGit(ts, dir, "init", "-q", "-b", "main")
}

// commitCommand makes the files of a repository those of a tree, and commits them: commit DIR TREE [DATE].
func commitCommand(ts *testscript.TestScript, neg bool, arguments []string) {
	if neg || len(arguments) < 2 || len(arguments) > 3 {
		ts.Fatalf("usage: commit DIR TREE [DATE]")
	}
	dir, tree := ts.MkAbs(arguments[0]), ts.MkAbs(arguments[1])
	date := "2026-01-01T00:00:00Z"
	if len(arguments) == 3 {
		date = arguments[2]
	}
	runGit(ts, dir, "rm", "-rqf", "--ignore-unmatch", ".")
	ts.Check(os.CopyFS(dir, os.DirFS(tree)))
	runGit(ts, dir, "add", "-A")
	runGit(ts, dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--date", date, "-m", filepath.Base(tree))
}

// serveCommand serves a directory, repositories that end in .git as such, and puts its address for the word SERVER in files: serve DIR FILE...
func serveCommand(ts *testscript.TestScript, neg bool, arguments []string) {
	if neg || len(arguments) < 1 {
		ts.Fatalf("usage: serve DIR FILE...")
	}
	server, err := fetchtest.Serve(ts.MkAbs(arguments[0]))
	ts.Check(err)
	ts.Defer(server.Close)
	for _, name := range arguments[1:] {
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(strings.ReplaceAll(ts.ReadFile(name), "SERVER", server.URL)), 0o644))
	}
}

// exitsCommand runs a command and holds its exit code: exits CODE COMMAND...
func exitsCommand(ts *testscript.TestScript, neg bool, arguments []string) {
	if neg || len(arguments) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	code := 0
	err := ts.Exec(arguments[1], arguments[2:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if arguments[0] != strconv.Itoa(code) {
		ts.Fatalf("exit code %d, want %s", code, arguments[0])
	}
}

func runGit(ts *testscript.TestScript, dir string, arguments ...string) {
	command := exec.Command("git", append([]string{"-C", dir}, arguments...)...)
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_COMMITTER_DATE="+dateOf(arguments))
	if out, err := command.CombinedOutput(); err != nil {
		ts.Fatalf("git %v: %v\n%s", arguments, err, out)
	}
}

// dateOf is the --date of a commit, so that hashes are the same in every run.
func dateOf(arguments []string) string {
	for i, argument := range arguments {
		if argument == "--date" {
			return arguments[i+1]
		}
	}
	return "2026-01-01T00:00:00Z"
}
