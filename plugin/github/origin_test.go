package github

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// runEvent is the event of a workflow_run, after a run for a pull request from a fork.
func runEvent(head, repository string) string {
	return fmt.Sprintf(`{"action":"completed","repository":{"full_name":"acme/gitops"},"workflow_run":{"id":30,"run_attempt":2,"event":"pull_request",
"head_sha":%q,"head_branch":"patch-1","head_repository":{"full_name":%q},"pull_requests":[],"html_url":"https://github.com/acme/gitops/actions/runs/30"}}`, head, repository)
}

func originOf(t *testing.T, event string) Origin {
	t.Helper()
	origin, err := ReadOrigin(strings.NewReader(event))
	if err != nil {
		t.Fatal(err)
	}
	return origin
}

func TestReadOrigin(t *testing.T) {
	want := Origin{Repository: "acme/gitops", Run: Run{Head: githubtest.Head, ID: 30, Attempt: 2}, HeadRepository: "mallory/gitops", HeadBranch: "patch-1",
		URL: "https://github.com/acme/gitops/actions/runs/30"}
	if got := originOf(t, runEvent(githubtest.Head, "mallory/gitops")); got != want {
		t.Errorf("%+v", got)
	}
	good := runEvent(githubtest.Head, "mallory/gitops")
	for event, says := range map[string]string{
		`{}`:  "no workflow run",
		`{"`:  "reading the event",
		`[7]`: "reading the event",
		strings.Replace(good, `"event":"pull_request"`, `"event":"push"`, 1):                                   `started by "push"`,
		strings.Replace(good, `"event":"pull_request"`, `"event":"pull_request_target"`, 1):                    "only that of a pull_request",
		strings.Replace(good, githubtest.Head, "main", 1):                                                      "names no commit",
		strings.Replace(good, `"head_repository":{"full_name":"mallory/gitops"}`, `"head_repository":null`, 1): "is gone",
		strings.Repeat(" ", maxEvent+1):                                                                        "too large",
	} {
		if _, err := ReadOrigin(strings.NewReader(event)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.100s: error %v, want %q", event, err, says)
		}
	}
}

// TestPullRequestOfARun: whatever an artifact says, what is found is open, here, and at the commit of the run.
func TestPullRequestOfARun(t *testing.T) {
	head, older := githubtest.Head, githubtest.Commit(5)
	fork := func(number int) githubtest.PullRequest {
		return githubtest.PullRequest{Number: number, HeadRepository: "mallory/gitops", HeadRef: "patch-1", Head: head, BaseRef: "main", Base: githubtest.Main}
	}
	with := func(pull githubtest.PullRequest, change func(*githubtest.PullRequest)) githubtest.PullRequest {
		change(&pull)
		return pull
	}
	closed := func(p *githubtest.PullRequest) { p.Closed = true }
	for name, test := range map[string]struct {
		pulls   []githubtest.PullRequest
		claimed int
		number  int
		says    string
		passed  bool
	}{
		"the one":                         {pulls: []githubtest.PullRequest{fork(9)}, claimed: 9, number: 9},
		"the one, unclaimed":              {pulls: []githubtest.PullRequest{fork(9)}, number: 9},
		"a foreign number":                {pulls: []githubtest.PullRequest{fork(9)}, claimed: 7, says: "about #7, which is not at the run's commit"},
		"a number that is none":           {pulls: []githubtest.PullRequest{fork(9)}, claimed: 12345, says: "about #12345"},
		"two bases, one claimed":          {pulls: []githubtest.PullRequest{fork(9), with(fork(10), func(p *githubtest.PullRequest) { p.BaseRef = "release" })}, claimed: 10, number: 10},
		"two bases":                       {pulls: []githubtest.PullRequest{fork(9), with(fork(10), func(p *githubtest.PullRequest) { p.BaseRef = "release" })}, says: "2 open pull requests"},
		"closed":                          {pulls: []githubtest.PullRequest{with(fork(9), closed)}, claimed: 9, says: "no open pull request", passed: true},
		"one closed, one open":            {pulls: []githubtest.PullRequest{with(fork(8), closed), fork(9)}, claimed: 8, says: "about #8"},
		"a newer commit":                  {pulls: []githubtest.PullRequest{with(fork(9), func(p *githubtest.PullRequest) { p.Head = older })}, claimed: 9, says: "no open pull request", passed: true},
		"the branch of another fork":      {pulls: []githubtest.PullRequest{with(fork(9), func(p *githubtest.PullRequest) { p.HeadRepository = "eve/gitops" })}, claimed: 9, says: "no open", passed: true},
		"another repository of the owner": {pulls: []githubtest.PullRequest{with(fork(9), func(p *githubtest.PullRequest) { p.HeadRepository = "mallory/other" })}, claimed: 9, says: "no open", passed: true},
		"another branch":                  {pulls: []githubtest.PullRequest{with(fork(9), func(p *githubtest.PullRequest) { p.HeadRef = "patch-2" })}, claimed: 9, says: "no open", passed: true},
	} {
		t.Run(name, func(t *testing.T) {
			server := githubtest.New(t)
			server.Change(func(s *githubtest.State) { s.PullRequests = append(s.PullRequests, test.pulls...) })
			client, _ := connect(t, server)
			pull, err := originOf(t, runEvent(head, "mallory/gitops")).PullRequest(t.Context(), client, test.claimed)
			var refused *OriginError
			switch {
			case test.says == "" && (err != nil || pull.Number != test.number || pull.Head != head || pull.BaseRepository != "acme/gitops"):
				t.Errorf("%+v, %v", pull, err)
			case test.says != "" && (!errors.As(err, &refused) || !strings.Contains(err.Error(), test.says) || refused.Passed != test.passed):
				t.Errorf("error %v (%+v), want %q", err, refused, test.says)
			}
		})
	}
}

// TestTrusted: a link leads to a commit of the base's own history, and to no other that is claimed.
func TestTrusted(t *testing.T) {
	server := githubtest.New(t)
	base, before, fork := githubtest.Commit(11), githubtest.Commit(10), githubtest.Commit(12)
	server.Change(func(s *githubtest.State) {
		s.Commits[before], s.Commits[base], s.Commits[fork] = nil, []string{before}, []string{before}
	})
	client, _ := connect(t, server)
	origin := originOf(t, runEvent(githubtest.Head, "mallory/gitops"))
	for claimed, want := range map[string]string{
		base: base, before: before, fork: base, githubtest.Commit(99): base, "": base, "main": base, "../../../evil": base,
		strings.ToUpper(before): base,
	} {
		got, err := origin.Trusted(t.Context(), client, PullRequest{Base: base}, claimed)
		if err != nil || got != want {
			t.Errorf("Trusted(%q) = %q, %v, want %q", claimed, got, err, want)
		}
	}
}
