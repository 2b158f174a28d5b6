package acttest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

var swap = map[string]string{"apps/shop.yaml": shop("web-v2")}

// only is the one comment that is there.
func only(t *testing.T, server *githubtest.Server) string {
	t.Helper()
	all := server.Comments()
	if len(all) != 1 {
		t.Fatalf("%d comments: %+v", len(all), all)
	}
	return all[0].Body
}

// says holds that a text has some texts, and none of those that begin with "!".
func says(t *testing.T, what, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if unwanted, not := strings.CutPrefix(want, "!"); not == strings.Contains(text, unwanted) {
			t.Errorf("the %s, for %q:\n%s", what, want, text)
		}
	}
}

// moved is the annotation of the swap, on the line of the backend.
var moved = []annotation{{"warning", "apps/shop.yaml", "8", "routedelta: Requests move",
	"shop.example all: web:80 -> web-v2:80. Because: apps/shop.yaml:8 rule 1 changed\ncurl -i http://shop.example/"}}

func (d done) requireAnnotations(t *testing.T, want ...annotation) {
	t.Helper()
	if diff := cmp.Diff(want, d.annotations, cmp.AllowUnexported(annotation{})); diff != "" {
		t.Errorf("annotations (-want +got):\n%s", diff)
	}
}

func (d done) requireOutputs(t *testing.T, want map[string]string) {
	t.Helper()
	for name, value := range want {
		if d.outputs[name] != value {
			t.Errorf("the output %s is %q, want %q", name, d.outputs[name], value)
		}
	}
}

// TestPullRequest in the clones that checkouts leave: what main got meanwhile is in no answer, and the annotation is on the line of the edit.
func TestPullRequest(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, swap)
	for name, clone := range map[string]struct {
		branch string
		depth  int
		base   string
	}{
		"the merge, depth 2":   {"merge", 2, p.moved},
		"the merge, depth 1":   {"merge", 1, p.moved},
		"the merge, all of it": {"merge", 0, p.moved},
		"the head, depth 1":    {"feature", 1, p.base},
		"the head, all of it":  {"feature", 0, p.base},
	} {
		t.Run(name, func(t *testing.T) {
			server := githubtest.NewWith(t, p.state())
			j := p.job(server)
			j.t, j.dir = t, p.clone(clone.branch, clone.depth)
			result := j.run()
			result.require(t, 0, "comment: created https://")
			labels := fmt.Sprintf("`main@%.7s` → `feature@%.7s`", clone.base, p.head)
			says(t, "comment", only(t, server), labels, "web-v2:80", "!other.example")
			says(t, "summary", result.summary, labels, "web-v2:80", "!other.example")
			result.requireAnnotations(t, moved...)
			result.requireOutputs(t, map[string]string{"changed": "true", "failed": "false", "violations": "0", "lost": "0", "moves": "1", "undecided": "0", "uncompared": "0", "exit-code": "0"})
			for _, output := range []string{"report", "sarif"} {
				name := filepath.Base(result.outputs[output])
				if text, err := os.ReadFile(filepath.Join(result.artifact, name)); err != nil || !json.Valid(text) {
					t.Errorf("%s %q: %v", output, name, err)
				}
			}
		})
	}
}

// TestRebasedHead: the branch was rebased onto the new main, and the event still names the old base.
func TestRebasedHead(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, swap)
	p.git("checkout", "--quiet", "feature")
	p.git("rebase", "--quiet", "main")
	p.head = p.git("rev-parse", "HEAD")
	p.merge = p.mergeOf("merge", p.moved, p.head)
	for _, branch := range []string{"merge", "feature"} {
		server := githubtest.NewWith(t, p.state())
		j := p.job(server)
		j.dir = p.clone(branch, 2)
		j.run().require(t, 0, "comment: created")
		says(t, "comment", only(t, server), fmt.Sprintf("main@%.7s", p.moved), "web-v2:80", "!other.example")
	}
}

func TestMergeQueue(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, swap)
	// The queue has put another pull request before this one: it is not what this entry changes.
	first := p.on("first").commit(map[string]string{"apps/first.yaml": route("first", "first.example", "web")})
	p.git("checkout", "--quiet", "main")
	ahead := p.mergeOf("gh-readonly-queue/main/pr-6", p.moved, first)
	entry := p.mergeOf("gh-readonly-queue/main/pr-7", ahead, p.head)
	server := githubtest.NewWith(t, p.state())
	j := p.job(server)
	j.event, j.dir = "merge_group", p.clone("gh-readonly-queue/main/pr-7", 1)
	j.payload = map[string]any{
		"merge_group": map[string]any{"base_sha": ahead, "head_sha": entry, "base_ref": "refs/heads/main", "head_ref": "refs/heads/gh-readonly-queue/main/pr-7"},
		"repository":  map[string]any{"full_name": githubtest.Repository, "default_branch": "main"},
	}
	j.with["fail-on"] = "moved-share=10"
	result := j.run()
	result.require(t, 1)
	says(t, "summary", result.summary, "web-v2:80", "!first.example", "!other.example", "The policy forbids this change: 1 violation")
	result.requireOutputs(t, map[string]string{"failed": "true", "violations": "1", "exit-code": "1", "moves": "1"})
	if requests := server.Requests(); len(requests) != 0 {
		t.Errorf("requests to GitHub, where there is no pull request: %v", requests)
	}
}

func TestPush(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	before := u.git("rev-parse", "main")
	after := u.commit(swap)
	branch := u.on("release").commit(map[string]string{"apps/new.yaml": route("new", "new.example", "web")})
	push := func(before, after, branch string) map[string]any {
		return map[string]any{"before": before, "after": after, "ref": "refs/heads/" + branch,
			"repository": map[string]any{"full_name": githubtest.Repository, "default_branch": "main"}}
	}
	const none = "0000000000000000000000000000000000000000"
	for name, c := range map[string]struct {
		branch  string
		payload map[string]any
		says    []string
		moves   string
	}{
		"two commits":      {"main", push(before, after, "main"), []string{"web-v2:80"}, "1"},
		"a new branch":     {"release", push(none, branch, "release"), []string{"new.example", "!web-v2:80"}, "0"},
		"the first branch": {"main", push(none, after, "main"), nil, ""},
		"a removed branch": {"main", push(after, none, "old"), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			server := githubtest.New(t)
			j := &job{t: t, dir: u.clone(c.branch, 1), event: "push", payload: c.payload, server: server, token: githubtest.Token,
				actions: map[string]string{"routedelta/routedelta@v1": copied(t, nil)}, env: map[string]string{"GITHUB_API_URL": server.URL}, with: map[string]string{"path": "apps"}}
			result := j.run()
			result.require(t, 0)
			says(t, "summary", result.summary, c.says...)
			result.requireOutputs(t, map[string]string{"moves": c.moves, "exit-code": "0"})
			if c.says == nil && (len(result.annotations) != 1 || result.annotations[0].level != "notice" || !strings.Contains(result.annotations[0].message, "nothing to compare")) {
				t.Errorf("annotations %+v", result.annotations)
			}
			if requests := server.Requests(); len(requests) != 0 {
				t.Errorf("requests to GitHub: %v", requests)
			}
		})
	}
}

func TestWorkflowDispatch(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, swap)
	server := githubtest.NewWith(t, p.state())
	j := p.job(server)
	j.event, j.payload, j.dir = "workflow_dispatch", map[string]any{"inputs": map[string]any{"base": "main"}}, p.clone("feature", 1)
	result := j.run()
	result.require(t, 2, "no commit to compare with")
	if len(result.annotations) != 1 || !strings.Contains(result.annotations[0].message, "set the input base") {
		t.Errorf("annotations %+v", result.annotations)
	}
	j.with["base"] = "${{ github.event.inputs.base }}"
	result = j.run()
	result.require(t, 0)
	says(t, "summary", result.summary, "web-v2:80", fmt.Sprintf("main@%.7s", p.moved))
}

func TestPullRequestTargetIsRefused(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, swap)
	server := githubtest.NewWith(t, p.state())
	j := p.job(server)
	j.event = "pull_request_target"
	result := j.run()
	result.require(t, 2, "pull_request_target is refused")
	if len(result.annotations) != 1 || result.annotations[0].level != "error" || !strings.Contains(result.annotations[0].message, "workflow_run") {
		t.Errorf("annotations %+v", result.annotations)
	}
	if result.summary != "" || len(server.Requests()) != 0 || len(server.Comments()) != 0 {
		t.Error("something was compared or said")
	}
}

func TestSomethingElseIsCheckedOut(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, swap)
	j := p.job(githubtest.NewWith(t, p.state()))
	j.dir = p.clone("main", 0)
	j.run().require(t, 2, "neither the merge of the pull request nor its head")
}

func TestANewFolder(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, map[string]string{"new/all.yaml": gateway + "---\n" + route("new", "new.example", "web")})
	server := githubtest.NewWith(t, p.state())
	j := p.job(server)
	j.with["path"] = "new"
	j.run().require(t, 0)
	says(t, "comment", only(t, server), "new.example")
}

// TestBadInput: the lines that are to blame are annotated, and nothing is said on the pull request.
func TestBadInput(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, map[string]string{"apps/shop.yaml": "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: x}\nspec: {hostname: [a.example]}\n"})
	server := githubtest.NewWith(t, p.state())
	result := p.job(server).run()
	result.require(t, 2, "apps/shop.yaml:4: ")
	if i := slices.IndexFunc(result.annotations, func(a annotation) bool { return a.file == "apps/shop.yaml" && a.line == "4" && a.level == "error" }); i < 0 {
		t.Errorf("annotations %+v", result.annotations)
	}
	result.requireOutputs(t, map[string]string{"exit-code": "2"})
	if len(server.Requests()) != 0 {
		t.Error("something was said")
	}
}
