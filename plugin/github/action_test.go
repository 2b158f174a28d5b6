package github_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// action is what these tests read of action.yml.
type action struct {
	Inputs  map[string]struct{ Default string }
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []step
	}
}

type step struct {
	ID, Shell, Run, Uses, If string
	Env                      map[string]string
}

func readAction(t *testing.T) action {
	t.Helper()
	text, err := os.ReadFile("../../action.yml")
	must(t, err)
	var a action
	must(t, yaml.Unmarshal(text, &a))
	return a
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// runner runs the steps of action.yml as a GitHub runner does: expressions in env are looked up, each script runs in bash with
// the options of `shell: bash`, outputs go from step to step by files.
type runner struct {
	t         *testing.T
	workspace string
	event     string // GITHUB_EVENT_NAME
	payload   map[string]any
	inputs    map[string]string
	server    *githubtest.Server
}

// run is what a run leaves behind.
type run struct {
	code    int
	log     string
	summary string
	outputs map[string]string
}

func (r *runner) run() run {
	r.t.Helper()
	a := readAction(r.t)
	context := map[string]any{"event_name": r.event, "event": r.payload, "token": githubtest.Token}
	inputs := map[string]any{}
	for name, input := range a.Inputs {
		inputs[name] = r.evaluate(input.Default, map[string]any{"github": context})
	}
	for name, value := range r.inputs {
		if _, known := inputs[name]; !known {
			r.t.Fatalf("the action has no input %q", name)
		}
		inputs[name] = value
	}
	steps := map[string]any{}
	values := map[string]any{"github": context, "inputs": inputs, "steps": steps}
	result := run{outputs: map[string]string{}}
	temp := r.t.TempDir()
	for _, step := range a.Runs.Steps {
		var outputs map[string]any
		result.code, outputs = r.step(step, values, temp, &result)
		steps[step.ID] = map[string]any{"outputs": outputs}
		if result.code != 0 {
			break
		}
	}
	for name, output := range a.Outputs {
		result.outputs[name] = r.evaluate(output.Value, values)
	}
	return result
}

func (r *runner) step(s step, values map[string]any, temp string, result *run) (code int, outputs map[string]any) {
	r.t.Helper()
	root, err := filepath.Abs("../..")
	must(r.t, err)
	file := func(name string) string { return filepath.Join(temp, name) }
	script := file(s.ID + ".sh")
	must(r.t, os.WriteFile(script, []byte(s.Run), 0o644))
	must(r.t, os.WriteFile(file(s.ID+".output"), nil, 0o644))
	must(r.t, os.WriteFile(file(s.ID+".summary"), nil, 0o644))
	cmd := exec.CommandContext(r.t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	cmd.Dir = r.workspace
	cmd.Env = append(os.Environ(), "CI=true", "GITHUB_ACTIONS=true", "GITHUB_ACTION_PATH="+root, "GITHUB_WORKSPACE="+r.workspace,
		"GITHUB_REPOSITORY="+githubtest.Repository, "GITHUB_API_URL="+r.server.URL, "GITHUB_SERVER_URL=https://github.com",
		"GITHUB_EVENT_NAME="+r.event, "RUNNER_TEMP="+temp, "GITHUB_OUTPUT="+file(s.ID+".output"), "GITHUB_STEP_SUMMARY="+file(s.ID+".summary"))
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+r.evaluate(value, values))
	}
	log, err := cmd.CombinedOutput()
	result.log += string(log)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		must(r.t, err)
	}
	summary, err := os.ReadFile(file(s.ID + ".summary"))
	must(r.t, err)
	result.summary += string(summary)
	written, err := os.ReadFile(file(s.ID + ".output"))
	must(r.t, err)
	outputs = map[string]any{}
	for line := range strings.Lines(string(written)) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !ok {
			r.t.Fatalf("step %s: output line %q", s.ID, line)
		}
		outputs[name] = value
	}
	return code, outputs
}

var expression = regexp.MustCompile(`^\$\{\{ ([a-z0-9_.-]+) \}\}$`)

// evaluate looks an expression up. What is not there is empty, as GitHub has it; a root that is not there is a mistake.
func (r *runner) evaluate(text string, values map[string]any) string {
	r.t.Helper()
	parts := expression.FindStringSubmatch(text)
	if parts == nil {
		if strings.Contains(text, "${{") {
			r.t.Fatalf("%q is more than one value", text)
		}
		return text
	}
	path := strings.Split(parts[1], ".")
	if _, known := values[path[0]]; !known {
		r.t.Fatalf("%q: unknown context", text)
	}
	var value any = values
	for _, name := range path {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

// built is where the real routedelta is built, once for all tests that want it.
var built struct {
	sync.Once
	dir string
	err error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// program is the path of the real routedelta.
func program(t *testing.T) string {
	t.Helper()
	built.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "routedelta-action-"); built.err != nil {
			return
		}
		out, err := exec.Command("go", "build", "-o", built.dir, "../../cmd/routedelta").CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("building routedelta: %w\n%s", err, out)
		}
	})
	must(t, built.err)
	return filepath.Join(built.dir, "routedelta")
}

const shared = `apiVersion: gateway.networking.k8s.io/v1
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

// route is an HTTPRoute that sends a host to a backend.
func route(name, host, backend string) string {
	return fmt.Sprintf(`apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: %s}
spec:
  parentRefs: [{name: public}]
  hostnames: [%s]
  rules: [{backendRefs: [{name: %s, port: 80}]}]
`, name, host, backend)
}

// pullRequest makes a repository as actions/checkout leaves it: HEAD is the merge of a branch into a base that has moved on since.
func pullRequest(t *testing.T, binary string, change map[string]string) *runner {
	t.Helper()
	r := &runner{t: t, workspace: t.TempDir(), event: "pull_request", server: githubtest.New(t), inputs: map[string]string{"binary": binary}}
	t.Setenv("HOME", t.TempDir())
	r.git("init", "--quiet", "--initial-branch=main")
	fork := r.commit(map[string]string{"apps/shared.yaml": shared, "apps/shop.yaml": route("shop", "shop.example", "web")})
	r.git("checkout", "--quiet", "-b", "feature")
	head := r.commit(change)
	r.git("checkout", "--quiet", "main")
	r.commit(map[string]string{"apps/other.yaml": route("other", "other.example", "web")})
	r.git("checkout", "--quiet", "--detach")
	r.git("merge", "--quiet", "--no-ff", "--message", "Merge", "feature")
	r.payload = map[string]any{"pull_request": map[string]any{
		"number": githubtest.Number,
		"base":   map[string]any{"ref": "main", "sha": fork},
		"head":   map[string]any{"ref": "feature", "sha": head, "repo": map[string]any{"full_name": githubtest.Repository}},
	}}
	return r
}

func (r *runner) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	cmd.Dir = r.workspace
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *runner) commit(files map[string]string) string {
	r.t.Helper()
	for name, text := range files {
		path := filepath.Join(r.workspace, name)
		must(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(r.t, os.WriteFile(path, []byte(text), 0o644))
	}
	r.git("add", "--all")
	r.git("commit", "--quiet", "--allow-empty", "--message", "change")
	return r.git("rev-parse", "HEAD")
}

func (r run) require(t *testing.T, code int, says ...string) {
	t.Helper()
	if r.code != code {
		t.Fatalf("exit code %d, want %d; log:\n%s", r.code, code, r.log)
	}
	for _, text := range says {
		if !strings.Contains(r.log, text) {
			t.Errorf("the log lacks %q:\n%s", text, r.log)
		}
	}
}

func writes(server *githubtest.Server) int {
	n := 0
	for _, request := range server.Requests() {
		if !strings.HasPrefix(request, "GET ") {
			n++
		}
	}
	return n
}

var swap = map[string]string{"apps/shop.yaml": route("shop", "shop.example", "web-v2")}

func TestActionComments(t *testing.T) {
	r := pullRequest(t, program(t), swap)
	first := r.run()
	first.require(t, 0, "shop.example", "created https://github.com/acme/gitops/pull/7#issuecomment-")
	comments := r.server.Comments()
	if len(comments) != 1 || !strings.Contains(comments[0].Body, "web-v2:80") {
		t.Fatalf("comments: %+v", comments)
	}
	for name, text := range map[string]string{"comment": comments[0].Body, "summary": first.summary, "log": first.log} {
		if strings.Contains(text, "other.example") {
			t.Errorf("the %s shows what came to the base meanwhile:\n%s", name, text)
		}
	}
	labels := fmt.Sprintf("`main@%.7s` → `feature@%.7s`", r.git("rev-parse", "HEAD^1"), r.git("rev-parse", "HEAD^2"))
	if !strings.HasPrefix(first.summary, "### routedelta") || !strings.Contains(first.summary, labels) {
		t.Errorf("summary:\n%s", first.summary)
	}
	report := first.outputs["report"]
	delete(first.outputs, "report")
	want := map[string]string{"changed": "true", "lost": "0", "moves": "1", "undecided": "0", "exit-code": "0"}
	if !maps.Equal(first.outputs, want) {
		t.Errorf("outputs %v, want %v", first.outputs, want)
	}
	if text, err := os.ReadFile(report); err != nil || !json.Valid(text) {
		t.Errorf("report %q: %v", report, err)
	}

	writes(r.server)
	r.run().require(t, 0, "unchanged https://")
	if n := writes(r.server); n != 0 {
		t.Errorf("%d writes for the same report", n)
	}
}

func TestActionUpdatesToNoChange(t *testing.T) {
	r := pullRequest(t, program(t), swap)
	r.run().require(t, 0, "created")
	r.commit(map[string]string{"apps/shop.yaml": route("shop", "shop.example", "web")})
	r.git("commit", "--quiet", "--amend", "--message", "the same tree as the base")
	r.inputs["base"] = "HEAD~2"
	result := r.run()
	result.require(t, 0, "updated")
	if result.outputs["changed"] != "false" {
		t.Errorf("outputs %v", result.outputs)
	}
	if all := r.server.Comments(); len(all) != 1 || !strings.Contains(all[0].Body, "no request changes") {
		t.Errorf("comments %+v", all)
	}
}

func TestActionFindsTheBase(t *testing.T) {
	binary := program(t)
	t.Run("the head is checked out", func(t *testing.T) {
		r := pullRequest(t, binary, swap)
		r.git("checkout", "--quiet", "feature")
		result := r.run()
		result.require(t, 0, "web-v2:80")
		if strings.Contains(result.log, "other.example") {
			t.Errorf("the log shows what came to the base meanwhile:\n%s", result.log)
		}
	})
	t.Run("something else is checked out", func(t *testing.T) {
		r := pullRequest(t, binary, swap)
		r.git("checkout", "--quiet", "main")
		r.run().require(t, 2, "neither the merge of the pull request nor its head")
	})
	t.Run("a shallow clone", func(t *testing.T) {
		r := pullRequest(t, binary, swap)
		clone := filepath.Join(t.TempDir(), "clone")
		r.git("branch", "merged")
		r.git("clone", "--quiet", "--depth=1", "--branch=merged", "file://"+r.workspace, clone)
		r.workspace = clone
		r.run().require(t, 2, "fetch-depth: 2")
		r.git("fetch", "--quiet", "--deepen=1")
		r.run().require(t, 0, "web-v2:80")
	})
	t.Run("push", func(t *testing.T) {
		r := pullRequest(t, binary, swap)
		r.event, r.payload = "push", map[string]any{}
		r.run().require(t, 2, "no commit to compare with on push")
		r.inputs["base"] = "HEAD^1"
		r.run().require(t, 0, "web-v2:80")
		if requests := r.server.Requests(); len(requests) != 0 {
			t.Errorf("requests to GitHub on push: %v", requests)
		}
	})
}

func TestActionWithANewDirectory(t *testing.T) {
	r := pullRequest(t, program(t), map[string]string{"new/all.yaml": shared + "---\n" + route("new", "new.example", "web")})
	r.inputs["path"] = "new"
	r.run().require(t, 0, "new.example")
}

func TestActionOfAFork(t *testing.T) {
	binary := program(t)
	refusal := githubtest.Answer{Status: 403, Body: `{"message":"Resource not accessible by integration"}`}
	r := pullRequest(t, binary, swap)
	r.server.Script("POST", refusal, refusal)
	r.run().require(t, 4, "pull-requests: write")
	r.payload["pull_request"].(map[string]any)["head"].(map[string]any)["repo"] = map[string]any{"full_name": "mallory/gitops"}
	result := r.run()
	result.require(t, 0, "::notice title=routedelta::no comment from a fork")
	if !strings.Contains(result.summary, "web-v2:80") {
		t.Errorf("summary:\n%s", result.summary)
	}
}

func TestActionWithoutComment(t *testing.T) {
	r := pullRequest(t, program(t), swap)
	r.inputs["comment"] = "never"
	r.run().require(t, 0, "web-v2:80")
	if requests := r.server.Requests(); len(requests) != 0 {
		t.Errorf("requests to GitHub: %v", requests)
	}
}

func TestActionWithBadInput(t *testing.T) {
	r := pullRequest(t, program(t), map[string]string{"apps/shop.yaml": "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: x}\nspec: {hostname: [a.example]}\n"})
	result := r.run()
	result.require(t, 2, "apps/shop.yaml:4", "::error title=routedelta::nothing was compared")
	if result.outputs["exit-code"] != "2" || len(r.server.Requests()) != 0 {
		t.Errorf("outputs %v", result.outputs)
	}
}

// TestActionRunsNoInput: whatever an input, a payload or a manifest holds, it is data.
func TestActionRunsNoInput(t *testing.T) {
	binary := program(t)
	witness := filepath.Join(t.TempDir(), "witness")
	evil := "x\"; touch " + witness + "; echo \"$(touch " + witness + ")`touch " + witness + "`"
	for _, input := range []string{"path", "base", "comment", "instance", "token", "binary"} {
		t.Run(input, func(t *testing.T) {
			r := pullRequest(t, binary, swap)
			r.inputs[input] = evil
			if result := r.run(); result.code == 0 && input != "token" {
				t.Errorf("the input %q is taken:\n%s", evil, result.log)
			}
			if _, err := os.Stat(witness); err == nil {
				t.Fatalf("the input %s was run", input)
			}
		})
	}
	t.Run("an option as path", func(t *testing.T) {
		r := pullRequest(t, binary, swap)
		r.inputs["path"] = "--report=" + witness
		if result := r.run(); result.code == 0 {
			t.Error("taken")
		}
		if _, err := os.Stat(witness); err == nil {
			t.Fatal("the path was taken for an option")
		}
	})
	t.Run("payload", func(t *testing.T) {
		r := pullRequest(t, binary, swap)
		r.payload["pull_request"].(map[string]any)["head"] = map[string]any{"sha": evil, "ref": evil, "repo": map[string]any{"full_name": evil}}
		r.run().require(t, 0)
		r.git("checkout", "--quiet", "main")
		r.run().require(t, 2)
		if _, err := os.Stat(witness); err == nil {
			t.Fatal("the payload was run")
		}
	})
}

// TestActionShowsNoCommands: text of the manifests in the log is none for the runner.
func TestActionShowsNoCommands(t *testing.T) {
	r := pullRequest(t, program(t), swap)
	log := r.run().log
	stop := regexp.MustCompile(`(?m)^::stop-commands::([0-9a-f]{32})$`).FindStringSubmatchIndex(log)
	if stop == nil {
		t.Fatalf("commands are not stopped:\n%s", log)
	}
	shown := strings.Index(log, "shop.example")
	again := strings.Index(log, "\n::"+log[stop[2]:stop[3]]+"::\n")
	if shown < stop[1] || again < shown {
		t.Errorf("the report is not between stop-commands and its end:\n%s", log)
	}
}

func TestActionBuildsItself(t *testing.T) {
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} { // the fixture's HOME has none
		value, err := exec.Command("go", "env", name).Output()
		must(t, err)
		t.Setenv(name, strings.TrimSpace(string(value)))
	}
	r := pullRequest(t, "", swap)
	// A workspace of the pull request that would put other code in the place of ours.
	must(t, os.WriteFile(filepath.Join(r.workspace, "go.work"), []byte("go 1.26\nuse ./nowhere\n"), 0o644))
	r.run().require(t, 0, "web-v2:80")
}

// TestActionScripts holds what cannot be seen by running them.
func TestActionScripts(t *testing.T) {
	a := readAction(t)
	if a.Runs.Using != "composite" || len(a.Runs.Steps) == 0 {
		t.Fatalf("runs: %+v", a.Runs)
	}
	for _, step := range a.Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("step %s: an expression inside of a script is pasted into it", step.ID)
		}
		if step.Shell != "bash" || step.ID == "" || step.Uses != "" || step.If != "" {
			t.Errorf("step %+v: these tests run scripts in bash, in order, without conditions", step)
		}
	}
}
