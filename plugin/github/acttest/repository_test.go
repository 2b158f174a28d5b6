package acttest

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// upstream is a repository as its server has it.
type upstream struct {
	t   *testing.T
	dir string
}

// newUpstream makes one with the manifests of a shop on main. act reads the repository's name from the folder's.
func newUpstream(t *testing.T) *upstream {
	t.Helper()
	u := &upstream{t, filepath.Join(t.TempDir(), "github.com", githubtest.Repository)}
	must(t, os.MkdirAll(u.dir, 0o755))
	u.git("init", "--quiet", "--initial-branch=main")
	u.commit(map[string]string{"apps/gateway.yaml": gateway, "apps/shop.yaml": shop("web")})
	return u
}

func (u *upstream) git(args ...string) string {
	u.t.Helper()
	return git(u.t, u.dir, args...)
}

// environment is without what the machine says of git.
func environment() []string {
	return append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "advice.detachedHead=false"}, args...)...)
	cmd.Dir, cmd.Env = dir, environment()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit commits files; "" removes one.
func (u *upstream) commit(files map[string]string) string {
	u.t.Helper()
	for name, text := range files {
		path := filepath.Join(u.dir, name)
		if text == "" {
			must(u.t, os.Remove(path))
			continue
		}
		must(u.t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(u.t, os.WriteFile(path, []byte(text), 0o644))
	}
	u.git("add", "--all")
	u.git("commit", "--quiet", "--allow-empty", "--message", "change")
	return u.git("rev-parse", "HEAD")
}

// on checks a branch out; one that is new leaves main.
func (u *upstream) on(branch string) *upstream {
	u.t.Helper()
	u.git("checkout", "--quiet", "-B", branch, u.tip(branch))
	return u
}

func (u *upstream) tip(branch string) string {
	u.t.Helper()
	if u.git("branch", "--list", branch) == "" {
		return "main"
	}
	return branch
}

// mergeOf makes the merge of two commits the branch of a name, as GitHub keeps it for a pull request or a merge queue.
func (u *upstream) mergeOf(name, base, head string) string {
	u.t.Helper()
	u.git("checkout", "--quiet", "--detach", base)
	u.git("merge", "--quiet", "--no-ff", "--message", "Merge", head)
	u.git("branch", "--force", name)
	return u.git("rev-parse", "HEAD")
}

// clone is what actions/checkout leaves of a branch; a depth of 0 is everything.
func (u *upstream) clone(branch string, depth int) string {
	u.t.Helper()
	dir := filepath.Join(u.t.TempDir(), "workspace")
	args := []string{"clone", "--quiet", "--branch=" + branch, "--no-tags"}
	if depth > 0 {
		args = append(args, fmt.Sprintf("--depth=%d", depth), "--single-branch")
	}
	u.git(append(args, "file://"+u.dir, dir)...)
	git(u.t, dir, "checkout", "--quiet", "--detach")
	return dir
}

const gateway = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public}
spec:
  gatewayClassName: envoy
  listeners: [{name: http, port: 80, protocol: HTTP}]
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: web-v2}
spec: {ports: [{port: 80}]}
`

// shop is the route of the shop, whose backend stands on line 8.
func shop(backend string) string { return route("shop", "shop.example", backend) }

func route(name, host, backend string) string {
	return fmt.Sprintf(`apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: %s}
spec:
  parentRefs: [{name: public}]
  hostnames: [%s]
  rules:
  - backendRefs: [{name: %s, port: 80}]
`, name, host, backend)
}

// pullRequest is one of a repository, with the commits that its event names.
type pullRequest struct {
	*upstream
	// base is where the branch left main, moved where main is now, head the newest commit of the branch, merge that of both.
	base, moved, head, merge string
	from                     string // the repository that the branch is in
	title, branch            string
}

// newPullRequest makes one with a change, while main moves on.
func newPullRequest(t *testing.T, change map[string]string) *pullRequest {
	t.Helper()
	u := newUpstream(t)
	p := &pullRequest{upstream: u, from: githubtest.Repository, title: "Change", branch: "feature"}
	p.base = u.git("rev-parse", "main")
	p.head = u.on("feature").commit(change)
	p.moved = u.on("main").commit(map[string]string{"apps/other.yaml": route("other", "other.example", "web")})
	p.merge = u.mergeOf("merge", p.moved, p.head)
	return p
}

// push makes a commit the newest of the pull request.
func (p *pullRequest) push(change map[string]string) {
	p.t.Helper()
	p.head = p.on("feature").commit(change)
	p.merge = p.mergeOf("merge", p.moved, p.head)
}

// payload is the event of the pull request.
func (p *pullRequest) payload() map[string]any {
	side := func(ref, sha, repository string) map[string]any {
		return map[string]any{"ref": ref, "sha": sha, "repo": map[string]any{"full_name": repository}}
	}
	return map[string]any{
		"number": githubtest.Number,
		"pull_request": map[string]any{
			"number": githubtest.Number, "state": "open", "title": p.title,
			"base": side("main", p.base, githubtest.Repository), "head": side(p.branch, p.head, p.from),
		},
		"repository": map[string]any{"full_name": githubtest.Repository, "default_branch": "main"},
	}
}

// state is the pull request as GitHub knows it, with the history of its commits.
func (p *pullRequest) state() githubtest.State {
	commits := map[string][]string{}
	for line := range strings.Lines(p.git("rev-list", "--parents", "--all")) {
		fields := strings.Fields(line)
		commits[fields[0]] = append([]string{}, fields[1:]...)
	}
	return githubtest.State{
		Repository: githubtest.Repository,
		Tokens:     map[string]githubtest.Account{githubtest.Token: {Login: githubtest.WorkflowBot}, githubtest.ForkToken: {Login: githubtest.WorkflowBot, ReadOnly: true}},
		PullRequests: []githubtest.PullRequest{{
			Number: githubtest.Number, HeadRef: p.branch, Head: p.head, BaseRef: "main", Base: p.moved, Merge: p.merge, HeadRepository: p.from,
		}},
		Commits: commits, LastID: 1000,
	}
}

// update tells the server of what was pushed since.
func (p *pullRequest) update(server *githubtest.Server) {
	p.t.Helper()
	now := p.state()
	server.Change(func(state *githubtest.State) {
		state.PullRequests[0].Head, state.PullRequests[0].Merge = p.head, p.merge
		maps.Copy(state.Commits, now.Commits)
	})
}

// job is a run for the pull request as it is now, in a clone of depth 2 of its merge, which is what docs/github-action.md asks for.
func (p *pullRequest) job(server *githubtest.Server) *job {
	p.t.Helper()
	return &job{
		t: p.t, dir: p.clone("merge", 2), event: "pull_request", payload: p.payload(), server: server, token: githubtest.Token,
		actions: map[string]string{"routedelta/routedelta@v1": copied(p.t, nil)},
		env:     map[string]string{"GITHUB_API_URL": server.URL, "GITHUB_GRAPHQL_URL": strings.TrimSuffix(server.URL, "/v3") + "/graphql"},
		with:    map[string]string{"path": "apps"},
	}
}
