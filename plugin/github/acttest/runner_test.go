// Package acttest runs the Action, as its users' workflows call it, by act: a runner of GitHub Actions that needs no GitHub.
//
// A workflow runs in a real clone of a real repository, against the fake GitHub of githubtest. What comes out are the annotations that
// the runner took, the outputs and the summary of the job, and what stands on the pull request. act does what a runner does but for
// actions/checkout, which it takes for done: the clone is made by the test, as deep as checkout makes it.
package acttest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// job is one run of a workflow.
type job struct {
	t *testing.T
	// dir is the clone that it runs in.
	dir string
	// event is its name, payload what GitHub says of it.
	event   string
	payload map[string]any
	// workflow is the text of the workflow; with replaces it by one that calls the Action with these inputs.
	workflow string
	with     map[string]string
	// server is the GitHub that it talks to, token what it may do there; actions are stand-ins for actions by name.
	server  *githubtest.Server
	token   string
	actions map[string]string
	// env is added to the environment of the runner.
	env map[string]string
	// cached is a release that the runner has in its cache of tools.
	cached released
}

// annotation is one that the runner took.
type annotation struct{ level, file, line, title, message string }

// done is what a run leaves.
type done struct {
	code        int
	annotations []annotation
	// commands are all that the runner took.
	commands []string
	summary  string
	outputs  map[string]string
	// artifact is a copy of the folder that the Action left: the runner removes its own.
	artifact string
	log      string
}

// run runs the workflow once.
func (j *job) run() done {
	j.t.Helper()
	scratch := j.t.TempDir()
	for _, name := range []string{"home", "kept"} {
		must(j.t, os.Mkdir(filepath.Join(scratch, name), 0o755))
	}
	workflow, event := filepath.Join(scratch, "workflow.yml"), filepath.Join(scratch, "event.json")
	must(j.t, os.WriteFile(workflow, []byte(j.text()), 0o644))
	payload, err := json.Marshal(j.payload)
	must(j.t, err)
	must(j.t, os.WriteFile(event, payload, 0o644))
	arguments := []string{j.event, "--workflows", workflow, "--eventpath", event, "--platform", "ubuntu-latest=-self-hosted",
		"--action-offline-mode", "--no-cache-server", "--json", "--secret", "GITHUB_TOKEN=" + j.token, "--env", "KEPT=" + filepath.Join(scratch, "kept")}
	for _, name := range slices.Sorted(maps.Keys(j.actions)) {
		arguments = append(arguments, "--local-repository", name+"="+j.actions[name])
	}
	for _, name := range slices.Sorted(maps.Keys(j.env)) {
		arguments = append(arguments, "--env", name+"="+j.env[name])
	}
	if j.cached.archive != nil {
		j.cached.put(j.t, filepath.Join(scratch, "home", ".cache", "act", "tool_cache"))
	}
	cmd := exec.CommandContext(j.t.Context(), act(j.t), arguments...)
	cmd.Dir = j.dir
	cmd.Env = append(environment(), "HOME="+filepath.Join(scratch, "home"), "XDG_CACHE_HOME=", "XDG_CONFIG_HOME=")
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	result := done{outputs: map[string]string{}}
	var exit *exec.ExitError
	if err := cmd.Run(); errors.As(err, &exit) {
		result.code = exit.ExitCode()
	} else {
		must(j.t, err)
	}
	result.read(j.t, out.Bytes())
	result.log += complaint.String()
	result.readOutputs(filepath.Join(scratch, "kept", "outputs.json"))
	result.artifact = filepath.Join(scratch, "kept", "artifact")
	return result
}

// text is the workflow: the Action with the inputs of the job, and a step that keeps its outputs.
func (j *job) text() string {
	if j.workflow != "" {
		return j.workflow
	}
	inputs := map[string]string{"binary": program(j.t)}
	maps.Copy(inputs, j.with)
	with, err := json.Marshal(inputs) // JSON is YAML
	must(j.t, err)
	return fmt.Sprintf(`name: routes
on: [%s]
jobs:
  routes:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - id: routes
        uses: routedelta/routedelta@v1
        with: %s
      - if: always()
        env: {OUTPUTS: "${{ toJSON(steps.routes.outputs) }}"}
        run: |
          printf %%s "$OUTPUTS" >"$KEPT/outputs.json"
          artifact=$(sed -n 's/^  "artifact": "\(.*\)",*$/\1/p' "$KEPT/outputs.json")
          [ ! -d "$artifact" ] || cp -R "$artifact" "$KEPT/artifact"
`, j.event, with)
}

// read reads the runner's log, a JSON object a line.
func (d *done) read(t *testing.T, out []byte) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var line struct {
			Msg, Command, Arg, Content string
			KvPairs                    map[string]string
			StepID                     any `json:"stepID"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			d.log += lines.Text() + "\n"
			continue
		}
		d.log += strings.TrimSuffix(line.Msg, "\n") + "\n"
		switch line.Command {
		case "":
			continue
		case "error", "warning", "notice":
			kv := line.KvPairs
			d.annotations = append(d.annotations, annotation{line.Command, kv["file"], kv["line"], unescaped(kv["title"]), line.Arg})
		case "summary":
			d.summary = line.Content // once for each step that is around it
		}
		d.commands = append(d.commands, line.Command)
	}
	must(t, lines.Err())
}

// unescaped is a property as GitHub shows it; act leaves some as they are.
func unescaped(s string) string {
	return strings.NewReplacer("%3A", ":", "%2C", ",", "%0A", "\n", "%0D", "\r", "%25", "%").Replace(s)
}

func (d *done) readOutputs(name string) {
	if text, err := os.ReadFile(name); err == nil {
		_ = json.Unmarshal(text, &d.outputs)
	}
}

// require holds the exit code of the Action, by which its job succeeds or fails, and what the log says.
func (d done) require(t *testing.T, code int, says ...string) {
	t.Helper()
	if said := d.outputs["exit-code"]; said != fmt.Sprint(code) || (d.code == 0) != (code == 0 || code == 3) {
		t.Fatalf("exit code %q of the Action, %d of the job, want %d; log:\n%s", said, d.code, code, d.log)
	}
	for _, text := range says {
		if !strings.Contains(d.log, text) {
			t.Errorf("the log lacks %q:\n%s", text, d.log)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// act is the runner, which `make act` builds.
func act(t *testing.T) string {
	t.Helper()
	if name := os.Getenv("ACT"); name != "" {
		return name
	}
	name, err := filepath.Abs("../../../.local/bin/act")
	must(t, err)
	if _, err := os.Stat(name); err != nil {
		t.Fatalf("there is no act: make act builds it (%v)", err)
	}
	return name
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
	if there := os.Getenv(withoutNetwork); there != "" {
		return there
	}
	built.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "routedelta-action-"); built.err != nil {
			return
		}
		out, err := exec.Command("go", "build", "-o", built.dir, "../../../cmd/routedelta").CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("building routedelta: %w\n%s", err, out)
		}
	})
	must(t, built.err)
	return filepath.Join(built.dir, "routedelta")
}

// copied is the Action in a folder of its own, with what is added to its folder.
func copied(t *testing.T, added map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, ".github/action"), 0o755))
	for _, name := range []string{"action.yml", ".github/action/install"} {
		text, err := os.ReadFile(filepath.Join("../../..", name))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, name), text, 0o755))
	}
	for name, text := range added {
		must(t, os.WriteFile(filepath.Join(dir, ".github/action", name), []byte(text), 0o644))
	}
	return dir
}
