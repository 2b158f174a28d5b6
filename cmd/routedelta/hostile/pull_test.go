package hostile

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// pull makes the pull request: the commits of base/ and head/, their merge checked out as actions/checkout leaves it, and the event. The
// script's BRANCH and TITLE are the stranger's own words. after.index, if it is there, has entries that no folder can hold, in the form
// of git update-index --index-info.
func (w *world) pull(ts *testscript.TestScript, _ []string) {
	if _, err := os.Stat(filepath.Join(w.repository, ".git")); err != nil {
		w.git(ts, nil, "init", "-q", "-b", "main", ".")
	}
	w.before = w.commit(ts, "base")
	w.head = w.commit(ts, "head", w.before)
	w.merge = w.git(ts, nil, "commit-tree", w.head+"^{tree}", "-p", w.before, "-p", w.head, "-m", "merge")
	w.git(ts, nil, "update-ref", "refs/heads/main", w.before)
	w.git(ts, nil, "update-ref", "--no-deref", "HEAD", w.merge)
	w.checkOut(ts)
	w.announce(ts)
}

// announce tells everybody of the pull request: the script, the runner, by the event, and GitHub.
func (w *world) announce(ts *testscript.TestScript) {
	ts.Setenv("BASE", w.before)
	ts.Setenv("HEAD", w.head)
	w.branch = cmp.Or(ts.Getenv("BRANCH"), "feature")
	w.event(ts, w.branch)
	w.github.Change(func(state *githubtest.State) {
		state.Commits = map[string][]string{w.before: nil, w.head: {w.before}, w.merge: {w.before, w.head}}
		state.PullRequests = []githubtest.PullRequest{{Number: githubtest.Number, HeadRef: w.branch, Head: w.head, BaseRef: "main", Base: w.before, Merge: w.merge}}
	})
	w.settle(ts, nil)
}

// settle notes how the repository is left to the program.
func (w *world) settle(ts *testscript.TestScript, _ []string) { w.tree = fingerprint(ts, w.repository) }

// handmade makes the pull request of base/ and, for each entry that git refuses to add, a tree beside those of base/ that has it.
func (w *world) handmade(ts *testscript.TestScript, _ []string) {
	w.git(ts, nil, "init", "-q", "-b", "main", ".")
	w.before = w.commit(ts, "base")
	entries := w.git(ts, nil, "ls-tree", w.before)
	blob := w.git(ts, nil, "rev-parse", w.before+":shop.yaml")
	tree := w.git(ts, nil, "rev-parse", w.before+"^{tree}")
	raw := w.rawTree(ts, entries, []rawEntry{
		{"100644", "../outside/passwd.yaml", blob}, {"40000", "..", tree}, {"40000", ".git", tree}, {"100644", "/absolute.yaml", blob}, {"40000", ".", tree},
	})
	w.head = w.git(ts, nil, "commit-tree", raw, "-p", w.before, "-m", "head")
	w.merge = w.git(ts, nil, "commit-tree", raw, "-p", w.before, "-p", w.head, "-m", "merge")
	w.git(ts, nil, "update-ref", "refs/heads/main", w.before)
	w.git(ts, nil, "reset", "-q", "--hard", w.before)
	w.git(ts, nil, "update-ref", "--no-deref", "HEAD", w.merge)
	w.announce(ts)
}

// rawEntry is one of a tree object.
type rawEntry struct{ mode, name, hash string }

// rawTree writes a tree object byte by byte: what git ls-tree lists, and more.
func (w *world) rawTree(ts *testscript.TestScript, listed string, more []rawEntry) string {
	var object bytes.Buffer
	for line := range strings.Lines(listed) {
		head, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		fields := strings.Fields(head)
		more = append(more, rawEntry{strings.TrimPrefix(fields[0], "0"), name, fields[2]})
	}
	for _, e := range more {
		hash, err := hex.DecodeString(e.hash)
		ts.Check(err)
		fmt.Fprintf(&object, "%s %s\x00%s", e.mode, e.name, hash)
	}
	command := w.gitCommand(nil, "hash-object", "-t", "tree", "-w", "--literally", "--stdin")
	command.Stdin = &object
	out, err := command.Output()
	ts.Check(err)
	return strings.TrimSpace(string(out))
}

// checkOut fills the work tree, if the script wants one: a tree of a million files is read from its commit.
func (w *world) checkOut(ts *testscript.TestScript) {
	if ts.Getenv("CHECKOUT") != "no" {
		w.git(ts, nil, "reset", "-q", "--hard")
	}
}

// commit writes a folder as a commit.
func (w *world) commit(ts *testscript.TestScript, folder string, parents ...string) string {
	tree := ts.MkAbs(folder)
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(w.work, folder+".in-git"), "GIT_WORK_TREE=" + tree, "GIT_DIR=" + filepath.Join(w.repository, ".git")}
	ts.Check(os.MkdirAll(tree, 0o755))
	w.git(ts, index, "add", "-A", "-f", ".")
	if entries, err := os.Open(ts.MkAbs(folder + ".index")); err == nil {
		defer entries.Close()
		command := w.gitCommand(index, "update-index", "--add", "--index-info")
		command.Stdin = entries
		if out, err := command.CombinedOutput(); err != nil {
			ts.Fatalf("git update-index: %v\n%s", err, out)
		}
	}
	arguments := []string{"commit-tree", w.git(ts, index, "write-tree"), "-m", folder}
	for _, parent := range parents {
		arguments = append(arguments, "-p", parent)
	}
	return w.git(ts, index, arguments...)
}

// gitCommand is git as whoever tests has it, with nothing of what the stranger configures.
func (w *world) gitCommand(variables []string, arguments ...string) *exec.Cmd {
	command := exec.Command("git", append([]string{"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.autocrlf=false", "-c", "core.protectNTFS=false"}, arguments...)...)
	command.Dir = w.repository
	command.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + w.tmp, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z",
	}, variables...)
	return command
}

func (w *world) git(ts *testscript.TestScript, variables []string, arguments ...string) string {
	out, err := w.gitCommand(variables, arguments...).CombinedOutput()
	if err != nil {
		ts.Fatalf("git %v: %v\n%s", arguments, err, out)
	}
	return strings.TrimSpace(string(out))
}

// event writes what GitHub says of the pull request.
func (w *world) event(ts *testscript.TestScript, branch string) {
	repository := map[string]any{"full_name": githubtest.Repository, "default_branch": "main"}
	side := func(ref, sha string) map[string]any {
		return map[string]any{"ref": ref, "sha": sha, "repo": repository}
	}
	text, err := json.Marshal(map[string]any{
		"action": "synchronize", "number": githubtest.Number, "repository": repository,
		"pull_request": map[string]any{
			"number": githubtest.Number, "state": "open", "title": ts.Getenv("TITLE"), "body": ts.Getenv("TITLE"), "merge_commit_sha": w.merge,
			"html_url": "https://github.com/acme/gitops/pull/7", "base": side("main", w.before), "head": side(branch, w.head),
		},
	})
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(w.runner, "event.json"), text, 0o644))
}

// fingerprint tells whether anything in a folder was written, made or removed.
func fingerprint(ts *testscript.TestScript, dir string) string {
	var b strings.Builder
	ts.Check(filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%q %v", path, info.Mode())
		if !entry.IsDir() {
			fmt.Fprintf(&b, " %d %d", info.Size(), info.ModTime().UnixNano())
		}
		b.WriteByte('\n')
		return nil
	}))
	return b.String()
}

// named gives a file a name that an archive cannot hold.
func (w *world) named(ts *testscript.TestScript, arguments []string) {
	if len(arguments) != 2 {
		ts.Fatalf("usage: named FILE NAME")
	}
	name, err := strconv.Unquote(`"` + arguments[1] + `"`)
	ts.Check(err)
	ts.Check(os.Rename(ts.MkAbs(arguments[0]), filepath.Join(filepath.Dir(ts.MkAbs(arguments[0])), name)))
}

// unquoted replaces Go's escapes in files.
func (w *world) unquoted(ts *testscript.TestScript, arguments []string) {
	for _, name := range arguments {
		text, err := strconv.Unquote(`"` + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(ts.ReadFile(name)) + `"`)
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o644))
	}
}

// in sets variables of the environment of later runs.
func (w *world) in(_ *testscript.TestScript, arguments []string) {
	w.variables = append(w.variables, arguments...)
}

// append adds the text of a file to another.
func (w *world) append(ts *testscript.TestScript, arguments []string) {
	if len(arguments) != 2 {
		ts.Fatalf("usage: append FILE TO")
	}
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(arguments[1])), 0o755))
	file, err := os.OpenFile(ts.MkAbs(arguments[1]), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	ts.Check(err)
	_, err = file.WriteString(ts.ReadFile(arguments[0]))
	ts.Check(errors.Join(err, file.Close()))
}

// program puts the trap where a stranger would put a program.
func (w *world) program(ts *testscript.TestScript, arguments []string) {
	text, err := os.ReadFile(w.trap)
	ts.Check(err)
	for _, name := range arguments {
		ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(name)), 0o755))
		ts.Check(os.WriteFile(ts.MkAbs(name), text, 0o755))
	}
}

// helm puts the helm of the Makefile into PATH.
func (w *world) helm(ts *testscript.TestScript, _ []string) {
	real, err := filepath.Abs(cmp.Or(os.Getenv("HELM"), "../../../.local/bin/helm"))
	ts.Check(err)
	_, err = os.Stat(real) // make helm
	ts.Check(err)
	ts.Check(os.Remove(filepath.Join(w.traps(), "helm")))
	ts.Check(os.Symlink(real, filepath.Join(w.bin(), "helm")))
}
