package acttest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// fork makes the pull request one of another repository.
func (p *pullRequest) fork() *pullRequest {
	p.from = "mallory/gitops"
	return p
}

// TestFork: the token can only read, which fails nothing.
func TestFork(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, swap).fork()
	server := githubtest.NewWith(t, p.state())
	j := p.job(server)
	j.token, j.with["check-run"], j.with["labels"] = githubtest.ForkToken, "true", "moves=routes"
	result := j.run()
	result.require(t, 0)
	says(t, "summary", result.summary, "web-v2:80")
	notice := result.annotations[len(result.annotations)-1]
	if notice.level != "notice" || !strings.Contains(notice.message, "no comment from a fork") {
		t.Errorf("annotations %+v", result.annotations)
	}
	if _, err := os.Stat(filepath.Join(result.artifact, "report.json")); err != nil || len(server.Comments()) != 0 {
		t.Errorf("artifact %v, comments %+v", err, server.Comments())
	}

	j.with["fail-on"] = "moved-share=10" // by the policy, not by 403
	j.run().require(t, 1)
}

// TestMissingPermission: a pull request of the repository itself has no excuse, and gets a warning that says what to do.
func TestMissingPermission(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, swap)
	j := p.job(githubtest.NewWith(t, p.state()))
	j.token = githubtest.ForkToken
	result := j.run()
	result.require(t, 0)
	if last := result.annotations[len(result.annotations)-1]; last.level != "warning" || !strings.Contains(last.message, "pull-requests: write") {
		t.Errorf("annotations %+v", result.annotations)
	}
}

// documented are the workflows of docs/github-action.md by name and rights, in the order of the page.
func documented(t *testing.T) []string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/github-action.md")
	must(t, err)
	var found []string
	for _, block := range regexp.MustCompile("(?s)```yaml\n(name: .*?)```").FindAllStringSubmatch(string(page), -1) {
		found = append(found, block[1])
	}
	if len(found) != 3 {
		t.Fatalf("%d workflows in the page, want 3", len(found))
	}
	return found
}

// artifactActions stand in for GitHub's own, which keep artifacts on its servers.
func artifactActions(t *testing.T) map[string]string {
	t.Helper()
	action := func(inputs, script string) string {
		dir := t.TempDir()
		text := "name: stand-in\ninputs: {" + inputs + "}\nruns:\n  using: composite\n  steps:\n  - shell: bash\n    env: {NAME: \"${{ inputs.name }}\", FOLDER: \"${{ inputs.path }}\"}\n    run: " + script + "\n"
		must(t, os.WriteFile(filepath.Join(dir, "action.yml"), []byte(text), 0o644))
		return dir
	}
	return map[string]string{
		"actions/upload-artifact@v4":   action("name: {}, path: {}", `mkdir -p "$ARTIFACTS" && cp -R "$FOLDER" "$ARTIFACTS/$NAME"`),
		"actions/download-artifact@v4": action("name: {}, path: {}, run-id: {}, github-token: {}", `cp -R "$ARTIFACTS/$NAME" "$FOLDER"`),
	}
}

// documentedJob runs a workflow of the page as it stands there. The program is what its users get: a release, from the runner's cache.
func (p *pullRequest) documentedJob(server *githubtest.Server, workflow string) *job {
	p.t.Helper()
	j := p.job(server)
	j.workflow = workflow
	j.actions = artifactActions(p.t)
	j.cached = release(p.t)
	j.actions["routedelta/routedelta@v1"] = copied(p.t, map[string]string{"SHA256SUMS": j.cached.sums})
	return j
}

// productionChange is a pull request to the folder that the page names.
func productionChange(t *testing.T) *pullRequest {
	t.Helper()
	p := newPullRequest(t, map[string]string{"clusters/production/all.yaml": gateway + "---\n" + shop("web-v2")})
	return p
}

func TestDocumentedWorkflow(t *testing.T) {
	t.Parallel()
	p := productionChange(t)
	server := githubtest.NewWith(t, p.state())
	result := p.documentedJob(server, documented(t)[0]).run()
	if result.code != 0 {
		t.Fatalf("exit code %d:\n%s", result.code, result.log)
	}
	says(t, "comment", only(t, server), "shop.example", "web-v2:80")
}

// TestDocumentedWorkflowsForForks runs both workflows of the page, the second one with what the first has left.
func TestDocumentedWorkflowsForForks(t *testing.T) {
	t.Parallel()
	p := productionChange(t).fork()
	server := githubtest.NewWith(t, p.state())
	artifacts := filepath.Join(t.TempDir(), "artifacts")
	first := p.documentedJob(server, documented(t)[1])
	first.token, first.env["ARTIFACTS"] = githubtest.ForkToken, artifacts
	result := first.run()
	if result.code != 0 || len(server.Requests()) != 0 {
		t.Fatalf("exit code %d, requests %v:\n%s", result.code, server.Requests(), result.log)
	}
	second := func() done {
		j := p.documentedJob(server, documented(t)[2])
		j.env["ARTIFACTS"] = artifacts
		j.event, j.dir, j.payload = "workflow_run", p.clone("main", 1), p.workflowRun()
		return j.run()
	}
	if result = second(); result.code != 0 {
		t.Fatalf("exit code %d:\n%s", result.code, result.log)
	}
	says(t, "comment", only(t, server), "shop.example", "web-v2:80", fmt.Sprintf("feature@%.7s", p.head), "without rights")
	server.Requests()
	if result = second(); result.code != 0 || server.Writes() != 0 {
		t.Errorf("the second time: exit code %d:\n%s", result.code, result.log)
	}

	// What the artifact says of itself is not believed.
	about := filepath.Join(artifacts, "routedelta", "about.json")
	text, err := os.ReadFile(about)
	must(t, err)
	must(t, os.WriteFile(about, []byte(strings.Replace(string(text), `"number": 7`, `"number": 8`, 1)), 0o644))
	if result = second(); result.code == 0 || len(server.Comments()) != 1 {
		t.Errorf("an artifact for another pull request: exit code %d:\n%s", result.code, result.log)
	}
	if len(result.annotations) != 1 || result.annotations[0].level != "error" {
		t.Errorf("annotations %+v", result.annotations)
	}
}

// workflowRun is the event of the workflow that follows.
func (p *pullRequest) workflowRun() map[string]any {
	return map[string]any{
		"action": "completed",
		"workflow_run": map[string]any{
			"id": 1, "run_attempt": 1, "event": "pull_request", "head_sha": p.head, "head_branch": p.branch, "conclusion": "success",
			"html_url": "https://github.com/" + githubtest.Repository + "/actions/runs/1", "head_repository": map[string]any{"full_name": p.from},
		},
		"repository": map[string]any{"full_name": githubtest.Repository, "default_branch": "main"},
	}
}
