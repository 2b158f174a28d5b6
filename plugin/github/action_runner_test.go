package github_test

import (
	"errors"
	"fmt"
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
