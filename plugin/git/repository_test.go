package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fixture is a repository of a test, made with the real git.
type fixture struct {
	t   testing.TB
	dir string
	// clock is the committer's time of the next commit, in seconds.
	clock int64
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "home"))
	f := &fixture{t: t, dir: filepath.Join(dir, "repository"), clock: 1_700_000_000}
	if err := os.Mkdir(f.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f.git("init", "--quiet", "--initial-branch=main")
	return f
}

// git runs the plain git, as a user would, and returns what it prints.
func (f *fixture) git(args ...string) string {
	f.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	cmd.Dir = f.dir
	date := fmt.Sprintf("@%d +0000", f.clock)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE=@1 +0000", "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// write makes files of the work tree: text, "-> target" for a link, "" to remove.
func (f *fixture) write(files map[string]string) {
	f.t.Helper()
	for name, text := range files {
		path := filepath.Join(f.dir, filepath.FromSlash(name))
		_ = os.Remove(path)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if target, link := strings.CutPrefix(text, "-> "); err == nil && link {
			err = os.Symlink(target, path)
		} else if err == nil && text != "" {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			f.t.Fatal(err)
		}
	}
}

// commit commits files and returns the hash. Each commit is a minute after the one before.
func (f *fixture) commit(files map[string]string) string {
	f.t.Helper()
	f.write(files)
	f.clock += 60
	f.git("add", "--all")
	f.git("commit", "--quiet", "--allow-empty", "--message", "change")
	return f.git("rev-parse", "HEAD")
}

func (f *fixture) open() *Repository {
	f.t.Helper()
	r, err := Open(f.t.Context(), f.dir)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

func (f *fixture) resolve(r *Repository, revision string) Commit {
	f.t.Helper()
	commit, err := r.Resolve(f.t.Context(), revision)
	if err != nil {
		f.t.Fatal(err)
	}
	return commit
}

func TestOpen(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{"apps/a.yaml": "a"})
	for _, dir := range []string{f.dir, filepath.Join(f.dir, "apps"), filepath.Join(f.dir, "apps", "a.yaml")} {
		r, err := Open(t.Context(), dir)
		if err != nil || r.Root != f.dir || r.Shallow {
			t.Errorf("Open(%s) = %+v, %v", dir, r, err)
		}
	}
}

func TestOpenFailures(t *testing.T) {
	f := newFixture(t)
	bare := filepath.Join(filepath.Dir(f.dir), "bare")
	f.git("init", "--quiet", "--bare", bare)
	for name, test := range map[string]struct{ dir, want string }{
		"outside":   {filepath.Dir(f.dir), "not in a git repository"},
		"bare":      {bare, "without a work tree"},
		"inside":    {filepath.Join(f.dir, ".git"), "without a work tree"},
		"not there": {filepath.Join(f.dir, "nowhere"), "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "not there" {
				if _, err := Open(t.Context(), test.dir); !errors.Is(err, os.ErrNotExist) {
					t.Fatalf("Open = %v", err)
				}
				return
			}
			_, err := Open(t.Context(), test.dir)
			var typed *RepositoryError
			if !errors.As(err, &typed) || !strings.Contains(err.Error(), test.want) || typed.Hint() == "" {
				t.Fatalf("Open = %v, want %q with a hint", err, test.want)
			}
		})
	}
}

func TestOpenWithoutGit(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	_, err := Open(t.Context(), dir)
	var typed *ProgramError
	if !errors.As(err, &typed) || typed.Hint() == "" {
		t.Fatalf("Open = %v, want a ProgramError", err)
	}
}

func TestLinkedWorkTreeOfBareRepository(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{"a.yaml": "a"})
	base := filepath.Dir(f.dir)
	f.git("clone", "--quiet", "--bare", f.dir, base+"/bare.git")
	f.git("--git-dir", base+"/bare.git", "worktree", "add", "--quiet", "--detach", base+"/linked", "main")
	f.dir = base + "/linked"
	r := f.open()
	files, err := r.Files(t.Context(), f.resolve(r, "HEAD"), "", everything, Limits{})
	if err != nil || len(files) != 1 || string(files[0].Data) != "a" {
		t.Fatalf("Files = %v, %v", files, err)
	}
}

func TestInside(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{"apps/shop/a.yaml": "a", "current": "-> apps/shop"})
	r := f.open()
	for path, want := range map[string]string{"": "", "apps": "apps", "apps/shop/a.yaml": "apps/shop/a.yaml", "current": "apps/shop"} {
		if got, err := r.Inside(filepath.Join(f.dir, path)); err != nil || got != want {
			t.Errorf("Inside(%q) = %q, %v, want %q", path, got, err, want)
		}
	}
	var typed *RepositoryError
	if _, err := r.Inside(filepath.Dir(f.dir)); !errors.As(err, &typed) {
		t.Errorf("Inside of a path outside: %v", err)
	}
}

func TestDirty(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{"apps/a.yaml": "a", "other/b.yaml": "b", ".gitignore": "*.tmp\n"})
	r := f.open()
	dirty := func(path string) bool {
		t.Helper()
		got, err := r.Dirty(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if dirty("") {
		t.Error("a fresh commit is dirty")
	}
	f.write(map[string]string{"apps/x.tmp": "ignored"})
	if dirty("") {
		t.Error("an ignored file makes it dirty")
	}
	f.write(map[string]string{"apps/new.yaml": "new"})
	if !dirty("") || !dirty("apps") || dirty("other") {
		t.Error("a new file under apps: want the root and apps dirty, other not")
	}
	f.commit(nil)
	f.write(map[string]string{"apps/a.yaml": "changed"})
	f.git("add", "apps/a.yaml")
	if !dirty("") {
		t.Error("a staged change is not dirty")
	}
}

func TestNothingIsTouched(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{"apps/a.yaml": "a"})
	f.commit(map[string]string{"apps/b.yaml": "b"})
	// The same text at another time: plain git status would refresh the index and write it.
	path := filepath.Join(f.dir, "apps/a.yaml")
	if err := os.Chtimes(path, past, past); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, f.dir)
	r := f.open()
	everyCall(t, r)
	if after := snapshot(t, f.dir); after != before {
		t.Errorf("the repository changed:\n%s", diffLines(before, after))
	}
	f.git("status")
	if snapshot(t, f.dir) == before {
		t.Error("plain git status changes nothing either: this test shows nothing")
	}
}

// everyCall uses the whole API once.
func everyCall(t *testing.T, r *Repository) {
	t.Helper()
	ctx := t.Context()
	commit, err := r.Resolve(ctx, "HEAD")
	must(t, err)
	_, err = r.FirstParent(ctx, commit)
	must(t, err)
	_, err = r.MergeBase(ctx, commit, commit)
	must(t, err)
	_, err = r.Files(ctx, commit, "", everything, Limits{})
	must(t, err)
	_, err = r.Landings(ctx, commit, LandingQuery{Objects: []ObjectAt{{File: "apps/a.yaml"}}, Identify: lines})
	must(t, err)
	_, err = r.Dirty(ctx, "")
	must(t, err)
	_, err = r.RemoteURL(ctx, "origin")
	must(t, err)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestCancelled(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{"a.yaml": "a"})
	r := f.open()
	commit := f.resolve(r, "HEAD")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range map[string]func() error{
		"Open":    func() error { _, err := Open(ctx, f.dir); return err },
		"Resolve": func() error { _, err := r.Resolve(ctx, "HEAD"); return err },
		"Files":   func() error { _, err := r.Files(ctx, commit, "", everything, Limits{}); return err },
		"Landings": func() error {
			_, err := r.Landings(ctx, commit, LandingQuery{Objects: []ObjectAt{{File: "a.yaml"}}, Identify: lines})
			return err
		},
	} {
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s = %v, want context.Canceled", name, err)
		}
	}
}
