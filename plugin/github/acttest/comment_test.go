package acttest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// TestSecondRun updates the comment where there is news, and writes nothing where there is none.
func TestSecondRun(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, swap)
	server := githubtest.NewWith(t, p.state())
	p.job(server).run().require(t, 0, "comment: created")
	first := server.Comments()[0].ID
	server.Requests()
	p.job(server).run().require(t, 0, "comment: unchanged")
	if n := server.Writes(); n != 0 {
		t.Errorf("%d writes for the same report", n)
	}

	p.push(map[string]string{"apps/shop.yaml": "", "apps/pay.yaml": route("pay", "pay.example", "web")})
	p.update(server)
	p.job(server).run().require(t, 0, "comment: updated")
	says(t, "comment", only(t, server), "pay.example", "shop.example", "404", fmt.Sprintf("feature@%.7s", p.head), "!web-v2:80")

	p.push(map[string]string{"apps/shop.yaml": shop("web"), "apps/pay.yaml": ""})
	p.update(server)
	p.job(server).run().require(t, 0, "comment: updated")
	says(t, "comment", only(t, server), "no request changes")
	if now := server.Comments()[0].ID; now != first {
		t.Errorf("the comment is %d, and not %d, which was there first", now, first)
	}
}

func TestWhenClean(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]string{"hide": "comment: updated", "delete": "comment: removed"} {
		t.Run(how, func(t *testing.T) {
			p := newPullRequest(t, swap)
			server := githubtest.NewWith(t, p.state())
			j := p.job(server)
			j.with["when-clean"] = how
			j.run().require(t, 0, "comment: created")
			p.push(map[string]string{"apps/shop.yaml": shop("web")})
			p.update(server)
			j = p.job(server)
			j.with["when-clean"] = how
			j.run().require(t, 0, want)
			switch all := server.Comments(); {
			case how == "delete" && len(all) != 0:
				t.Errorf("comments %+v", all)
			case how == "hide" && (len(all) != 1 || all[0].Minimized == ""):
				t.Errorf("comments %+v", all)
			}
		})
	}
}

// TestOlderRunFinishesLast: the run of the newer commit has spoken already.
func TestOlderRunFinishesLast(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, swap)
	server := githubtest.NewWith(t, p.state())
	older := p.job(server)
	p.push(map[string]string{"apps/pay.yaml": route("pay", "pay.example", "web")})
	p.update(server)
	newer := p.job(server)
	newer.env["GITHUB_RUN_ID"] = "2"
	newer.run().require(t, 0, "comment: created")
	older.run().require(t, 0, "comment: outdated")
	says(t, "comment", only(t, server), "pay.example")

	// The same where the branch was rebased in between, so that neither commit descends from the other.
	p.git("checkout", "--quiet", "feature")
	p.git("rebase", "--quiet", "--force-rebase", "--onto", "main", p.base)
	p.head = p.git("rev-parse", "HEAD")
	p.merge = p.mergeOf("merge", p.moved, p.head)
	p.update(server)
	rebased := p.job(server)
	rebased.env["GITHUB_RUN_ID"] = "3"
	rebased.run().require(t, 0, "comment: updated")
	newer.run().require(t, 0, "comment: outdated")
	says(t, "comment", only(t, server), fmt.Sprintf("feature@%.7s", p.head))
}

// TestManyComments: ours of other instances are on three pages, and stay as they are.
func TestManyComments(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, swap)
	server := githubtest.NewWith(t, p.state())
	var comments []githubtest.Comment
	for i := range 400 {
		comment := githubtest.Comment{Login: "mona", Body: fmt.Sprintf("comment %d", i)}
		if i%40 == 0 {
			comment = githubtest.Comment{Login: githubtest.WorkflowBot, Body: fmt.Sprintf("theirs %d\n\n<!-- routedelta instance=other-%d -->", i, i)}
		}
		comments = append(comments, comment)
	}
	server.AddComments(comments...)
	ours := func() []githubtest.Comment {
		return slices.DeleteFunc(server.Comments(), func(c githubtest.Comment) bool { return !strings.Contains(c.Body, "instance=default") })
	}
	p.job(server).run().require(t, 0, "comment: created")
	server.AddComments(comments[:250]...)
	p.push(map[string]string{"apps/pay.yaml": route("pay", "pay.example", "web")})
	p.update(server)
	p.job(server).run().require(t, 0, "comment: updated")
	if all := server.Comments(); len(all) != 651 || len(ours()) != 1 || !strings.Contains(ours()[0].Body, "pay.example") {
		t.Errorf("%d comments, of ours %+v", len(all), ours())
	}
	for _, c := range server.Comments() {
		if strings.Contains(c.Body, "instance=other") && !strings.HasPrefix(c.Body, "theirs") {
			t.Errorf("the comment of another instance is now %q", c.Body)
		}
	}
}

// TestGitHubFails in ways that pass: no comment is lost, and none is there twice.
func TestGitHubFails(t *testing.T) {
	t.Parallel()
	limit := githubtest.Answer{Status: 429, Header: map[string]string{"Retry-After": "1"}, Body: `{"message":"You have exceeded a secondary rate limit"}`}
	p := newPullRequest(t, swap)
	for name, answers := range map[string][]githubtest.Answer{
		"429":                       {limit},
		"429 twice":                 {limit, limit},
		"502 before it is done":     {{Status: 502}},
		"502 after it is done":      {{Status: 502, Done: true}},
		"a reset before it is done": {{Reset: true}},
		"a reset after it is done":  {{Reset: true, Done: true}},
		"half an answer":            {{Truncate: true, Done: true}},
	} {
		for _, request := range []string{"POST", "GET"} {
			t.Run(request+" "+name, func(t *testing.T) {
				t.Parallel()
				server := githubtest.NewWith(t, p.state())
				server.Script(request, answers...)
				j := p.job(server)
				j.t = t
				j.run().require(t, 0)
				says(t, "comment", only(t, server), "web-v2:80")
			})
		}
	}
}

// TestGitHubIsDown: the step fails, so that somebody sees it, after it has left all that needs no GitHub.
func TestGitHubIsDown(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, swap)
	server := githubtest.NewWith(t, p.state())
	down := githubtest.Answer{Status: 422, Body: `{"message":"Validation Failed"}`}
	server.Script("POST", down, down, down, down, down)
	result := p.job(server).run()
	result.require(t, 4)
	says(t, "summary", result.summary, "web-v2:80")
	if result.outputs["moves"] != "1" || result.outputs["report"] == "" {
		t.Errorf("outputs %v", result.outputs)
	}
}

func TestCheckRunAndLabels(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, map[string]string{"apps/shop.yaml": ""})
	server := githubtest.NewWith(t, p.state())
	server.Change(func(state *githubtest.State) { state.PullRequests[0].Labels = []string{"keep", "routes/moves"} })
	j := p.job(server)
	j.with["check-run"], j.with["fail-on"] = "true", "backend-lost"
	j.with["labels"] = "lost=routes/lost, moves=routes/moves, changed=routes"
	j.run().require(t, 1, "check run: created", "labels: updated")
	state := server.State()
	if want := []string{"keep", "routes", "routes/lost"}; !slices.Equal(slices.Sorted(slices.Values(state.PullRequests[0].Labels)), want) {
		t.Errorf("labels %q, want %q", state.PullRequests[0].Labels, want)
	}
	if len(state.CheckRuns) != 1 {
		t.Fatalf("check runs %+v", state.CheckRuns)
	}
	check := state.CheckRuns[0]
	if check.Conclusion != "failure" || check.Head != p.head || !strings.Contains(check.Summary, "The policy forbids this change") {
		t.Errorf("check run %+v", check)
	}
	if len(check.Annotations) != 0 {
		t.Errorf("the file is gone, and still has annotations: %+v", check.Annotations)
	}
	j.run().require(t, 1, "check run: unchanged", "labels: unchanged")

	p.push(map[string]string{"apps/shop.yaml": shop("web-v2")})
	p.update(server)
	next := p.job(server)
	next.with = j.with
	next.run().require(t, 0, "check run: created", "labels: updated")
	state = server.State()
	check = state.CheckRuns[len(state.CheckRuns)-1]
	if check.Conclusion != "success" || len(check.Annotations) != 1 || check.Annotations[0].Path != "apps/shop.yaml" || check.Annotations[0].StartLine != 8 {
		t.Errorf("check run %+v", check)
	}
	if want := []string{"keep", "routes", "routes/moves"}; !slices.Equal(slices.Sorted(slices.Values(state.PullRequests[0].Labels)), want) {
		t.Errorf("labels %q, want %q", state.PullRequests[0].Labels, want)
	}
}

func TestWithoutComment(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, swap)
	server := githubtest.NewWith(t, p.state())
	j := p.job(server)
	j.with["comment"] = "never"
	j.run().require(t, 0)
	if requests := server.Requests(); len(requests) != 0 {
		t.Errorf("requests to GitHub: %v", requests)
	}
}
