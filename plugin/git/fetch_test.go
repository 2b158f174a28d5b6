package git

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var origin = Remote{Name: "origin"}

// shallowClone is a clone of a branch of the fixture with the newest commits only.
func (f *fixture) shallowClone(branch string, depth int) *fixture {
	f.t.Helper()
	clone := &fixture{t: f.t, dir: filepath.Join(f.t.TempDir(), "clone"), clock: f.clock}
	f.git("clone", "--quiet", "--depth="+strconv.Itoa(depth), "--branch="+branch, "--single-branch", "--no-tags", "file://"+f.dir, clone.dir)
	return clone
}

func (f *fixture) commits(n int) {
	for range n {
		f.commit(map[string]string{"count": strconv.FormatInt(f.clock, 10)})
	}
}

// merged is a repository whose branch "merge" is what GitHub makes of a pull request.
func merged(t *testing.T) (f *fixture, base, head string) {
	f = newFixture(t)
	f.commit(map[string]string{"a": "1"})
	f.git("checkout", "--quiet", "-b", "feature")
	head = f.commit(map[string]string{"b": "1"})
	f.git("checkout", "--quiet", "main")
	base = f.commit(map[string]string{"c": "1"})
	f.git("checkout", "--quiet", "-b", "merge")
	f.git("merge", "--quiet", "--no-ff", "--message", "Merge", "feature")
	return f, base, head
}

func TestParentsOfAShallowClone(t *testing.T) {
	f, base, head := merged(t)
	clone := f.shallowClone("merge", 1)
	r := clone.open()
	parents, err := r.Parents(t.Context(), clone.resolve(r, "HEAD"))
	must(t, err)
	if len(parents) != 2 || parents[0] != base || parents[1] != head {
		t.Fatalf("parents %v, want %s and %s", parents, base, head)
	}
	if has, err := r.Has(t.Context(), base); has || err != nil {
		t.Fatalf("a clone of depth 1 has the parent of its commit: %v", err)
	}
	commit, err := r.Bring(t.Context(), origin, base)
	must(t, err)
	if found, err := r.Files(t.Context(), commit, "", everything, Limits{}); err != nil || len(found) != 2 {
		t.Errorf("files %v, %v", found, err)
	}
	if count := clone.git("rev-list", "--count", "--all", "HEAD", base); count != "2" {
		t.Errorf("%s commits are in the clone, want 2: the merge and the one asked for", count)
	}
	if written := clone.git("for-each-ref", "--format=%(refname)"); strings.Contains(written, "FETCH") || clone.exists(".git/FETCH_HEAD") {
		t.Errorf("refs were written: %s", written)
	}
}

func (f *fixture) exists(name string) bool {
	_, err := os.Stat(filepath.Join(f.dir, name))
	return err == nil
}

// TestBringLeavesAWholeCloneWhole: fetching one commit with a depth would make a shallow clone of it.
func TestBringLeavesAWholeCloneWhole(t *testing.T) {
	f, _, head := merged(t)
	clone := &fixture{t: t, dir: filepath.Join(t.TempDir(), "clone")}
	f.git("clone", "--quiet", "--branch=main", "--single-branch", "file://"+f.dir, clone.dir)
	r := clone.open()
	_, err := r.Bring(t.Context(), origin, head)
	must(t, err)
	if clone.exists(".git/shallow") || r.Shallow {
		t.Error("the clone is shallow now")
	}
}

func TestMeetingPointDeepensStepwise(t *testing.T) {
	f := newFixture(t)
	f.commits(300)
	want := f.commit(map[string]string{"a": "1"})
	f.git("checkout", "--quiet", "-b", "feature")
	f.commits(40)
	head := f.commit(map[string]string{"b": "1"})
	f.git("checkout", "--quiet", "main")
	base := f.commit(map[string]string{"c": "1"})

	clone := f.shallowClone("feature", 1)
	r := clone.open()
	before, err := r.Bring(t.Context(), origin, base)
	must(t, err)
	found, err := r.MeetingPoint(t.Context(), origin, before, clone.resolve(r, "HEAD"))
	must(t, err)
	if found.Hash != want {
		t.Errorf("the merge base is %s, want %s", found.Hash, want)
	}
	if count, _ := strconv.Atoi(clone.git("rev-list", "--count", head)); count < 42 || count > 250 {
		t.Errorf("%d commits of history were fetched for 41", count)
	}
}

// TestMeetingPointIsNotTheFirstThatIsSeen: a short way leads to an old common ancestor, a long one to the nearest.
func TestMeetingPointIsNotTheFirstThatIsSeen(t *testing.T) {
	f := newFixture(t)
	old := f.commit(map[string]string{"a": "1"})
	f.git("branch", "side")
	near := f.commit(map[string]string{"b": "1"})
	f.git("checkout", "--quiet", "-b", "feature")
	f.commits(20)
	f.git("checkout", "--quiet", "side")
	f.commit(map[string]string{"s": "1"})
	f.git("checkout", "--quiet", "feature")
	f.git("merge", "--quiet", "--no-ff", "--message", "side", "side")
	f.git("checkout", "--quiet", "main")
	f.git("reset", "--quiet", "--hard", near)
	base := f.commit(map[string]string{"c": "1"})

	clone := f.shallowClone("feature", 3)
	r := clone.open()
	before, err := r.Bring(t.Context(), origin, base)
	must(t, err)
	clone.git("fetch", "--quiet", "--depth=3", "origin", base) // old is seen from both sides, near from one
	head := clone.resolve(r, "HEAD")
	if seen, err := clone.open().MergeBase(t.Context(), before, head); err != nil || seen.Hash != old {
		t.Fatalf("the case is none: git sees %s (%v), want %s", seen.Hash, err, old)
	}
	found, err := r.MeetingPoint(t.Context(), origin, before, head)
	must(t, err)
	if found.Hash != near {
		t.Errorf("the merge base is %s, want %s", found.Hash, near)
	}
}

func TestNoMeetingPoint(t *testing.T) {
	f := newFixture(t)
	a := f.commit(map[string]string{"a": "1"})
	f.git("checkout", "--quiet", "--orphan", "other")
	f.commit(map[string]string{"b": "1"})
	clone := f.shallowClone("other", 1)
	r := clone.open()
	before, err := r.Bring(t.Context(), origin, a)
	must(t, err)
	_, err = r.MeetingPoint(t.Context(), origin, before, clone.resolve(r, "HEAD"))
	var none *RevisionError
	if !errors.As(err, &none) {
		t.Errorf("unrelated commits meet: %v", err)
	}
}

func TestBranchAt(t *testing.T) {
	f, base, _ := merged(t)
	r := f.shallowClone("merge", 1).open()
	if hash, err := r.BranchAt(t.Context(), origin, "main"); hash != base || err != nil {
		t.Errorf("main is at %q (%v), want %s", hash, err, base)
	}
	if hash, err := r.BranchAt(t.Context(), origin, "nowhere"); hash != "" || err != nil {
		t.Errorf("a branch that is not there is at %q (%v)", hash, err)
	}
}

// TestFetchTakesNoOptions: whatever an event of GitHub says, it is a hash, a branch and a remote, or refused.
func TestFetchTakesNoOptions(t *testing.T) {
	f, _, _ := merged(t)
	r := f.shallowClone("merge", 1).open()
	for _, name := range []string{"", "--upload-pack=touch x", "HEAD", "main", "abc", "$(touch x)", "a:b", strings.Repeat("A", 40), strings.Repeat("a", 40) + "\n"} {
		if _, err := r.Bring(t.Context(), origin, name); err == nil {
			t.Errorf("the hash %q is taken", name)
		}
		if _, err := r.BranchAt(t.Context(), Remote{Name: name + " x"}, "main"); err == nil {
			t.Errorf("the remote %q is taken", name)
		}
	}
	for _, name := range []string{"", "-x", "a b", "a*", "a\nb", "refs:x"} {
		if _, err := r.BranchAt(t.Context(), origin, name); err == nil {
			t.Errorf("the branch %q is taken", name)
		}
	}
	_, err := r.Bring(t.Context(), origin, strings.Repeat("a", 40))
	var failed *FetchError
	if !errors.As(err, &failed) || failed.Hint() == "" {
		t.Errorf("a commit that is nowhere: %v", err)
	}
}

// TestFetchRunsNothing: a clone whose configuration names a program in every place that fetching could meet.
func TestFetchRunsNothing(t *testing.T) {
	f, base, _ := merged(t)
	clone := f.shallowClone("merge", 1)
	witness := filepath.Join(t.TempDir(), "witness")
	program := filepath.Join(t.TempDir(), "program")
	must(t, os.WriteFile(program, []byte("#!/bin/sh\necho \"$0 $*\" >> '"+witness+"'\nexit 1\n"), 0o755))
	hooks := t.TempDir()
	for _, hook := range []string{"reference-transaction", "post-index-change", "pre-auto-gc", "post-fetch"} {
		must(t, os.Symlink(program, filepath.Join(hooks, hook)))
	}
	for _, pair := range [][2]string{
		{"remote.origin.uploadpack", program}, {"core.hooksPath", hooks}, {"credential.helper", "!" + program}, {"core.askPass", program},
		{"core.sshCommand", program}, {"core.gitProxy", program}, {"core.alternateRefsCommand", program}, {"core.fsmonitor", program},
		{"gc.auto", "1"}, {"fetch.recurseSubmodules", "true"}, {"submodule.recurse", "true"}, {"protocol.ext.allow", "always"}, {"protocol.ssh.allow", "always"},
	} {
		clone.git("config", pair[0], pair[1])
	}
	must(t, os.WriteFile(filepath.Join(clone.dir, ".git/objects/info/alternates"), []byte(filepath.Join(f.dir, ".git/objects")+"\n"), 0o644))
	r := clone.open()
	must(t, r.fetch(t.Context(), origin, []string{"--deepen=1"}, base))
	for _, address := range []string{"ext::" + program, "ssh://x.example/y", "git://127.0.0.1:1/x", "evil::x", "http://127.0.0.1:1/x"} {
		clone.git("config", "remote.origin.url", address)
		if err := clone.open().fetch(t.Context(), origin, nil, strings.Repeat("a", 40)); err == nil {
			t.Errorf("something was fetched from %s", address)
		}
	}
	clone.git("config", "remote.origin.vcs", "evil")
	if err := clone.open().fetch(t.Context(), origin, nil, strings.Repeat("a", 40)); err == nil {
		t.Error("something was fetched by a helper")
	}
	if text, err := os.ReadFile(witness); err == nil {
		t.Fatalf("a program of the configuration ran:\n%s", text)
	}
}

// TestTokenGoesToItsServerOnly, in place of what the clone's configuration would send, and is in no error.
func TestTokenGoesToItsServerOnly(t *testing.T) {
	const token = "ghs_secret"
	seen := map[string][]string{}
	ours := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen["ours"] = append(seen["ours"], strings.Join(r.Header["Authorization"], " and "))
		http.Error(w, "no", http.StatusForbidden)
	}))
	defer ours.Close()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen["other"] = append(seen["other"], strings.Join(r.Header["Authorization"], " and "))
		http.Error(w, "no", http.StatusForbidden)
	}))
	defer other.Close()
	f := newFixture(t)
	f.commit(map[string]string{"a": "1"})
	f.git("config", "http."+ours.URL+"/.extraheader", "AUTHORIZATION: basic persisted")
	remote := Remote{Name: "origin", Server: ours.URL, Token: token}
	f.git("config", "remote.origin.url", ours.URL+"/acme/gitops")
	err := f.open().fetch(t.Context(), remote, nil, strings.Repeat("a", 40))
	if err == nil || strings.Contains(err.Error(), token) {
		t.Errorf("error %v", err)
	}
	f.git("config", "remote.origin.url", other.URL+"/acme/gitops")
	if err := f.open().fetch(t.Context(), remote, nil, strings.Repeat("a", 40)); err == nil {
		t.Error("nothing fails")
	}
	if want := "basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:"+token)); len(seen["ours"]) == 0 || seen["ours"][0] != want {
		t.Errorf("our server was sent %q, want %q", seen["ours"], want)
	}
	for _, header := range seen["other"] {
		if header != "" {
			t.Errorf("another server was sent %q", header)
		}
	}
	if len(seen["other"]) == 0 {
		t.Error("the other server was not asked")
	}
}
