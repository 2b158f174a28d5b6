package git

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestResolve(t *testing.T) {
	f := newFixture(t)
	first := f.commit(map[string]string{"a": "1"})
	second := f.commit(map[string]string{"a": "2"})
	f.git("tag", "--annotate", "v1", "--message", "a tag", first)
	f.git("branch", "--", "feature/x", first)
	r := f.open()
	for revision, want := range map[string]struct{ hash, label string }{
		"HEAD":      {second, "main@" + second[:7]},
		"main":      {second, "main@" + second[:7]},
		"HEAD^1":    {first, "HEAD^1@" + first[:7]},
		"HEAD~1":    {first, "HEAD~1@" + first[:7]},
		"v1":        {first, "v1@" + first[:7]},
		"feature/x": {first, "feature/x@" + first[:7]},
		first:       {first, first[:7]},
		first[:9]:   {first, first[:7]},
	} {
		got := f.resolve(r, revision)
		if got.Hash != want.hash || got.Label != want.label || got.Short != want.hash[:7] {
			t.Errorf("Resolve(%q) = %+v, want %+v", revision, got, want)
		}
	}
	if got := f.resolve(r, "HEAD").Time; !got.Equal(time.Unix(f.clock, 0)) {
		t.Errorf("Time = %v, want the committer's %v", got, time.Unix(f.clock, 0))
	}
	f.git("checkout", "--quiet", "--detach")
	if got := f.resolve(r, "HEAD").Label; got != "HEAD@"+second[:7] {
		t.Errorf("label of a detached HEAD = %q", got)
	}
}

func TestResolveRefuses(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{"dir/a": "1"})
	r := f.open()
	for _, revision := range []string{
		"", "-", "--help", "--output=x", "-c", "nope", "HEAD..HEAD", "^HEAD", "HEAD:dir", "HEAD:dir/a", "HEAD\nHEAD", "HEAD\x00",
		strings.Repeat("0", 40), "HEAD HEAD", "@{-1}", "HEAD^2", "HEAD^{tree}",
	} {
		_, err := r.Resolve(t.Context(), revision)
		var typed *RevisionError
		if !errors.As(err, &typed) || typed.Hint() == "" || strings.Contains(err.Error(), "\n") {
			t.Errorf("Resolve(%q) = %v, want a RevisionError of one line", revision, err)
		}
	}
}

func TestLongMessage(t *testing.T) {
	f := newFixture(t)
	f.write(map[string]string{"message": strings.Repeat("a long story\n", 200_000)})
	f.git("commit", "--quiet", "--allow-empty", "--file", "message")
	f.resolve(f.open(), "HEAD")
}

func TestParentsAndMergeBase(t *testing.T) {
	f := newFixture(t)
	fork := f.commit(map[string]string{"a": "1"})
	f.git("checkout", "--quiet", "-b", "feature")
	feature := f.commit(map[string]string{"b": "1"})
	f.git("checkout", "--quiet", "main")
	main := f.commit(map[string]string{"a": "2"})
	f.git("merge", "--quiet", "--no-ff", "feature")
	r := f.open()
	if got, err := r.FirstParent(t.Context(), f.resolve(r, "HEAD")); err != nil || got.Hash != main {
		t.Errorf("FirstParent = %+v, %v, want %s", got, err, main)
	}
	if got, err := r.MergeBase(t.Context(), f.resolve(r, main), f.resolve(r, feature)); err != nil || got.Hash != fork {
		t.Errorf("MergeBase = %+v, %v, want %s", got, err, fork)
	}
	f.git("checkout", "--quiet", "--orphan", "alone")
	alone := f.commit(map[string]string{"c": "1"})
	var typed *RevisionError
	if _, err := r.MergeBase(t.Context(), f.resolve(r, main), f.resolve(r, alone)); !errors.As(err, &typed) {
		t.Errorf("MergeBase of strangers = %v", err)
	}
	if _, err := r.FirstParent(t.Context(), f.resolve(r, fork)); !errors.As(err, &typed) {
		t.Errorf("FirstParent of a root = %v", err)
	}
}

func TestShallowClone(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{"a.yaml": "shop"})
	f.commit(map[string]string{"b.yaml": "cart"})
	clone := filepath.Join(filepath.Dir(f.dir), "clone")
	f.git("clone", "--quiet", "--depth=1", "file://"+f.dir, clone)
	f.dir = clone
	r := f.open()
	if !r.Shallow {
		t.Fatal("a clone of depth 1 is not shallow")
	}
	head := f.resolve(r, "HEAD")
	_, err := r.Resolve(t.Context(), "HEAD^1")
	var typed *RevisionError
	if !errors.As(err, &typed) || !typed.Shallow || !strings.Contains(typed.Hint(), "git fetch --deepen") ||
		!strings.Contains(typed.Hint(), "fetch-depth") {
		t.Errorf("Resolve(HEAD^1) = %v, hint %q", err, typed.Hint())
	}
	landed, err := r.Landings(t.Context(), head, LandingQuery{Objects: at("a.yaml", "shop"), Identify: lines})
	if err != nil || len(landed) != 0 {
		t.Errorf("Landings at the boundary = %v, %v, want nothing claimed", landed, err)
	}
}
