package github

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/git"
)

// upstream is a repository on a server, with a pull request as GitHub keeps it: a branch that has left main, a main that has moved on, and
// the merge of both.
type upstream struct {
	t   *testing.T
	dir string
	// fork is where the branch left main, base where main is now.
	fork, base, head, merge string
}

func newUpstream(t *testing.T) *upstream {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	u := &upstream{t: t, dir: t.TempDir()}
	u.git("init", "--quiet", "--initial-branch=main")
	u.commit("a", "1")
	u.fork = u.commit("a", "2")
	u.git("checkout", "--quiet", "-b", "feature")
	u.commit("b", "1")
	u.head = u.commit("b", "2")
	u.git("checkout", "--quiet", "main")
	u.commit("c", "1")
	u.base = u.commit("c", "2")
	u.git("checkout", "--quiet", "--detach")
	u.git("merge", "--quiet", "--no-ff", "--message", "Merge", "feature")
	u.merge = u.git("rev-parse", "HEAD")
	u.git("branch", "merge")
	return u
}

func (u *upstream) git(args ...string) string {
	u.t.Helper()
	return run(u.t, u.dir, args...)
}

func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (u *upstream) commit(file, text string) string {
	u.t.Helper()
	if err := os.WriteFile(filepath.Join(u.dir, file), []byte(text), 0o644); err != nil {
		u.t.Fatal(err)
	}
	u.git("add", "--all")
	u.git("commit", "--quiet", "--message", "change")
	return u.git("rev-parse", "HEAD")
}

// clone is what actions/checkout leaves with a fetch-depth; 0 is everything.
func (u *upstream) clone(branch string, depth int) string {
	u.t.Helper()
	dir := filepath.Join(u.t.TempDir(), "clone")
	args := []string{"clone", "--quiet", "--branch=" + branch, "--no-tags"}
	if depth > 0 {
		args = append(args, fmt.Sprintf("--depth=%d", depth), "--single-branch")
	}
	u.git(append(args, "file://"+u.dir, dir)...)
	return dir
}

func sidesIn(t *testing.T, dir string, event Event, base string) (Sides, error) {
	t.Helper()
	repository, err := git.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return Clone{repository, git.Remote{Name: "origin"}}.Sides(t.Context(), event, base)
}

// pullRequestEvent is the event as it was when the pull request was pushed to, before main moved on.
func (u *upstream) pullRequestEvent() Event {
	return Event{Name: "pull_request", DefaultBranch: "main", PullRequest: &PullRequest{
		Number: 7, Head: u.head, Base: u.fork, HeadRef: "feature", BaseRef: "main", HeadRepository: "acme/gitops", BaseRepository: "acme/gitops",
	}}
}

func TestSides(t *testing.T) {
	u := newUpstream(t)
	push := func(before, after, branch string) Event {
		return Event{Name: "push", Before: before, After: after, Branch: branch, DefaultBranch: "main"}
	}
	for name, c := range map[string]struct {
		branch        string
		event         Event
		base          string
		before, after string
		labels        string
	}{
		"the merge of a pull request":       {"merge", u.pullRequestEvent(), "", u.base, u.merge, "main@%.7[1]s feature@%.7[3]s"},
		"the head of a pull request":        {"feature", u.pullRequestEvent(), "", u.fork, u.head, "main@%.7[1]s feature@%.7[3]s"},
		"a merge queue":                     {"merge", Event{Name: "merge_group", Before: u.base, After: u.merge, Branch: "main"}, "", u.base, u.merge, "main@%.7[1]s main@%.7[2]s"},
		"a push":                            {"main", push(u.fork, u.base, "main"), "", u.fork, u.base, "main@%.7[1]s main@%.7[2]s"},
		"a push of what is not checked out": {"feature", push(u.fork, u.base, "main"), "", u.fork, u.base, "main@%.7[1]s main@%.7[2]s"},
		"a push of a new branch":            {"feature", push(NoCommit, u.head, "feature"), "", u.fork, u.head, "main@%.7[1]s feature@%.7[2]s"},
		"by hand":                           {"main", Event{Name: "workflow_dispatch"}, "HEAD", u.base, u.base, ""},
		"by hand, against a branch":         {"feature", Event{Name: "workflow_dispatch"}, "main", u.base, u.head, ""},
		"by hand, against a remote name":    {"feature", Event{Name: "workflow_dispatch"}, "origin/main", u.base, u.head, ""},
		"by hand, against a commit":         {"feature", Event{Name: "workflow_dispatch"}, u.fork, u.fork, u.head, ""},
		"a pull request against a named":    {"merge", u.pullRequestEvent(), u.fork, u.fork, u.merge, ""},
	} {
		for _, depth := range []int{0, 1, 2} {
			t.Run(fmt.Sprintf("%s at depth %d", name, depth), func(t *testing.T) {
				sides, err := sidesIn(t, u.clone(c.branch, depth), c.event, c.base)
				if err != nil {
					t.Fatal(err)
				}
				if sides.Before.Hash != c.before || sides.After.Hash != c.after {
					t.Errorf("%s to %s, want %s to %s", sides.Before.Hash, sides.After.Hash, c.before, c.after)
				}
				if c.labels == "" {
					return
				}
				want := fmt.Sprintf(c.labels+"%.0[1]s%.0[2]s%.0[3]s", c.before, c.after, u.head)
				if got := sides.Before.Label + " " + sides.After.Label; got != want {
					t.Errorf("they are called %q, want %q", got, want)
				}
			})
		}
	}
}

func TestSidesThatAreRefused(t *testing.T) {
	u := newUpstream(t)
	dir := u.clone("main", 0)
	target := u.pullRequestEvent()
	target.Name = "pull_request_target"
	hostile := u.pullRequestEvent()
	hostile.PullRequest.Head = "$(touch x)"
	for name, c := range map[string]struct {
		event Event
		base  string
		says  string
	}{
		"pull_request_target":              {target, "", "rights of this repository"},
		"pull_request_target with base":    {target, u.fork, "rights of this repository"},
		"something else is checked out":    {u.pullRequestEvent(), "", "neither the merge of the pull request nor its head"},
		"a head that is no commit":         {hostile, "", "neither the merge of the pull request nor its head"},
		"an event without commits":         {Event{Name: "schedule"}, "", "no commit to compare with"},
		"a base that is nowhere":           {Event{Name: "workflow_dispatch"}, "nowhere", `revision "nowhere"`},
		"a base that looks like an option": {Event{Name: "workflow_dispatch"}, "--upload-pack=touch x", "dash"},
		"a push from no hash":              {Event{Name: "push", Before: "-x", After: u.base}, "", "not a full hash"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := sidesIn(t, dir, c.event, c.base)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("error %v, want %q", err, c.says)
			}
			var hinted interface{ Hint() string }
			if !errors.As(err, &hinted) || hinted.Hint() == "" {
				t.Errorf("%v has no hint", err)
			}
		})
	}
}

func TestNothingToCompare(t *testing.T) {
	u := newUpstream(t)
	dir := u.clone("main", 1)
	for name, event := range map[string]Event{
		"a branch is removed":   {Name: "push", Before: u.head, After: NoCommit, Branch: "feature", DefaultBranch: "main"},
		"the first push":        {Name: "push", Before: NoCommit, After: u.base, Branch: "main", DefaultBranch: "main"},
		"no default branch":     {Name: "push", Before: NoCommit, After: u.head, Branch: "feature", DefaultBranch: "trunk"},
		"nothing is said of it": {Name: "push", Before: NoCommit, After: u.head, Branch: "feature"},
	} {
		_, err := sidesIn(t, dir, event, "")
		var nothing *NothingError
		if !errors.As(err, &nothing) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadEvent(t *testing.T) {
	pull := map[string]any{
		"number": 7, "state": "open", "merge_commit_sha": "m",
		"base": map[string]any{"ref": "main", "sha": "b", "repo": map[string]any{"full_name": "acme/gitops"}},
		"head": map[string]any{"ref": "x", "sha": "h", "repo": map[string]any{"full_name": "mallory/gitops"}},
	}
	text, err := json.Marshal(map[string]any{"pull_request": pull, "repository": map[string]any{"full_name": "acme/gitops", "default_branch": "main"}})
	if err != nil {
		t.Fatal(err)
	}
	event, err := ReadEvent("pull_request", strings.NewReader(string(text)))
	if err != nil || !event.FromFork() || event.Number() != 7 || event.PullRequest.Head != "h" || event.PullRequest.BaseRef != "main" {
		t.Errorf("%+v, %v", event, err)
	}
	pull["head"].(map[string]any)["repo"] = nil // a fork that was deleted
	text, _ = json.Marshal(map[string]any{"pull_request": pull})
	if event, err = ReadEvent("pull_request", strings.NewReader(string(text))); err != nil || !event.FromFork() {
		t.Errorf("%+v, %v", event, err)
	}
	group := `{"merge_group": {"base_sha": "b", "head_sha": "h", "base_ref": "refs/heads/main"}}`
	if event, err = ReadEvent("merge_group", strings.NewReader(group)); err != nil || event.Before != "b" || event.After != "h" || event.Branch != "main" {
		t.Errorf("%+v, %v", event, err)
	}
	for _, text := range []string{"", "[]", "{", `{"pull_request": 7}`} {
		if _, err := ReadEvent("push", strings.NewReader(text)); err == nil {
			t.Errorf("%q is an event", text)
		}
	}
}
