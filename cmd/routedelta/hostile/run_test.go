package hostile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// limit is what one run may take. Processor time is counted, and not that of a clock, as other tests run beside; a run that
// waits for something is ended by the deadline.
type limit struct {
	cpu       time.Duration
	megabytes int64
}

// usual is the limit of inputs of the usual size. The program itself is 70 MB.
var usual = limit{5 * time.Second, 300}

// deadline is for runs that hang.
func (l limit) deadline() time.Duration { return time.Minute + 10*l.cpu }

// bound sets the limit of later runs.
func (w *world) bound(ts *testscript.TestScript, arguments []string) {
	if len(arguments) != 2 {
		ts.Fatalf("usage: bounds SECONDS MEGABYTES")
	}
	seconds, err := strconv.ParseFloat(arguments[0], 64)
	ts.Check(err)
	megabytes, err := strconv.ParseInt(arguments[1], 10, 64)
	ts.Check(err)
	w.limit = limit{time.Duration(seconds * float64(time.Second)), megabytes}
}

// ran is what one run of the program did.
type ran struct {
	arguments   []string
	code        int
	stdout, err string
}

// run runs the program and holds it to its exit code, and to all that holds of every run.
func (w *world) run(ts *testscript.TestScript, arguments []string) {
	if len(arguments) < 2 {
		ts.Fatalf("usage: run CODE ARGUMENT...")
	}
	r := w.start(ts, arguments[1:])
	ts.Check(writeAll(ts.Stdout(), r.stdout))
	ts.Check(writeAll(ts.Stderr(), r.err))
	if want := arguments[0]; want != strconv.Itoa(r.code) && (want != "any" || r.code > 3) {
		ts.Fatalf("exit code %d, want %s\n%s", r.code, want, cut(r.err+r.stdout))
	}
	w.check(ts, r)
}

// every runs what a workflow and a person would: the action last, since what it publishes is what the script looks at.
func (w *world) every(ts *testscript.TestScript, _ []string) {
	w.runAll(ts, "diff --base "+w.before, "check", "action")
}

// everywhere runs what Argo CD and a rendering would, too.
func (w *world) everywhere(ts *testscript.TestScript, _ []string) {
	w.runAll(ts, "render", "cmp generate")
	w.every(ts, nil)
}

func (w *world) runAll(ts *testscript.TestScript, commands ...string) {
	for _, command := range commands {
		w.run(ts, append([]string{"any"}, strings.Fields(command)...))
	}
}

// paste runs what was printed last as a person would who pastes it. curl is a program that does nothing; any other is a trap.
func (w *world) paste(ts *testscript.TestScript, _ []string) {
	bin := filepath.Join(w.work, "shell")
	ts.Check(os.MkdirAll(bin, 0o755))
	ts.Check(os.WriteFile(filepath.Join(bin, "curl"), []byte("#!/bin/sh\n"), 0o755))
	shell := exec.Command("/bin/sh", "-eu")
	shell.Dir, shell.Env = w.home, []string{"PATH=" + bin + string(os.PathListSeparator) + w.traps()}
	shell.Stdin = strings.NewReader(ts.ReadFile("stdout"))
	if out, err := shell.CombinedOutput(); err != nil {
		ts.Fatalf("what was printed is no script: %v\n%s", err, out)
	}
	w.checkTraps(ts)
}

func writeAll(to interface{ Write([]byte) (int, error) }, text string) error {
	_, err := to.Write([]byte(cut(text)))
	return err
}

// cut keeps a log readable.
func cut(text string) string {
	const most = 64 << 10
	if len(text) > most {
		return text[:most] + "\n[cut]\n"
	}
	return text
}

// start runs the program in the work tree. An argument <FILE is its standard input.
func (w *world) start(ts *testscript.TestScript, arguments []string) ran {
	ctx, stop := context.WithTimeout(context.Background(), w.limit.deadline())
	defer stop()
	w.runs++
	w.artifact = filepath.Join(w.work, "artifact-"+strconv.Itoa(w.runs))
	command := exec.CommandContext(ctx, program)
	command.Dir, command.Env = w.repository, w.environment()
	ts.Check(w.clearRunner())
	for _, argument := range arguments {
		if name, ok := strings.CutPrefix(argument, "<"); ok {
			file, err := os.Open(ts.MkAbs(name))
			ts.Check(err)
			defer file.Close()
			command.Stdin = file
			continue
		}
		command.Args = append(command.Args, argument)
	}
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("routedelta %v: %v", arguments, err)
	}
	r := ran{command.Args[1:], command.ProcessState.ExitCode(), stdout.String(), stderr.String()}
	w.checkCost(ts, r, command.ProcessState)
	return r
}

// checkCost holds a run to its limit. What wait4 tells of the memory of a child begins with that of its parent, which is small here.
func (w *world) checkCost(ts *testscript.TestScript, r ran, state *os.ProcessState) {
	cpu := state.UserTime() + state.SystemTime()
	megabytes := state.SysUsage().(*syscall.Rusage).Maxrss >> 10
	ts.Logf("routedelta %s: %.2f s of processor time, %d MB", strings.Join(r.arguments, " "), cpu.Seconds(), megabytes)
	if r.code < 0 {
		ts.Fatalf("it was ended after %s, or by itself: %s\n%s", w.limit.deadline(), state, cut(r.err))
	}
	if cpu > w.limit.cpu {
		ts.Fatalf("it took %s of processor time, and may take %s", cpu, w.limit.cpu)
	}
	if megabytes > w.limit.megabytes {
		ts.Fatalf("it took %d MB, and may take %d", megabytes, w.limit.megabytes)
	}
	if strings.Contains(r.err, "panic:") || strings.Contains(r.err, "goroutine ") {
		ts.Fatalf("it panicked:\n%s", cut(r.err))
	}
}

// check is what holds of every run.
func (w *world) check(ts *testscript.TestScript, r ran) {
	w.checkTraps(ts)
	w.checkPlaces(ts)
	w.checkRequests(ts)
	w.checkPrinted(ts, r)
	w.checkPublished(ts)
	w.checkSecrets(ts, r)
}

// checkTraps: nothing ran, and nobody was asked.
func (w *world) checkTraps(ts *testscript.TestScript) {
	if text, err := os.ReadFile(w.marker); err == nil {
		ts.Fatalf("a program ran that nobody may run:\n%s", text)
	}
	if callers := w.canary.called(); len(callers) > 0 {
		ts.Fatalf("a server was asked that nobody may ask, by %v", callers)
	}
}

// checkPlaces: the repository is as it was, and nothing is left in the home and among the temporary files.
func (w *world) checkPlaces(ts *testscript.TestScript) {
	if now := fingerprint(ts, w.repository); w.tree != "" && now != w.tree {
		ts.Fatalf("the repository was written to:\n%s", changedLines(w.tree, now))
	}
	for _, dir := range []string{w.home, w.tmp} {
		entries, err := os.ReadDir(dir)
		ts.Check(err)
		for _, entry := range entries {
			ts.Fatalf("%s is left in %s", entry.Name(), filepath.Base(dir))
		}
	}
	for _, name := range []string{"env", "path", "state"} {
		if text, err := os.ReadFile(filepath.Join(w.runner, name)); err != nil || len(text) > 0 {
			ts.Fatalf("the runner's file %s has %q (%v)", name, text, err)
		}
	}
}

func changedLines(before, after string) string {
	var changed []string
	there := strings.Split(before, "\n")
	for line := range strings.SplitSeq(after, "\n") {
		if !slices.Contains(there, line) {
			changed = append(changed, line)
		}
	}
	return strings.Join(changed, "\n")
}

// allowed are the requests that a review of this pull request makes.
var allowed = regexp.MustCompile(`^(GET /user` +
	`|POST /graphql` +
	`|(GET|POST) /repos/acme/gitops/issues/7/comments(\?[^/]*)?` +
	`|(GET|PATCH|DELETE) /repos/acme/gitops/issues/comments/[0-9]+` +
	`|(GET|POST|DELETE) /repos/acme/gitops/issues/7/labels(/routes)?(\?[^/]*)?` +
	`|GET /repos/acme/gitops/pulls(/7)?(\?[^/]*)?` +
	`|(GET|POST) /repos/acme/gitops/(commits/[0-9a-f]{40}/)?check-runs(\?[^/]*)?` +
	`|(GET|PATCH) /repos/acme/gitops/check-runs/[0-9]+(/annotations)?(\?[^/]*)?` +
	`|GET /repos/acme/gitops/compare/[0-9a-f]{40}\.\.\.[0-9a-f]{40}(\?[^/]*)?)$`)

// checkRequests: GitHub was asked only about this pull request.
func (w *world) checkRequests(ts *testscript.TestScript) {
	for _, request := range w.github.Requests() {
		if !allowed.MatchString(request) {
			ts.Fatalf("GitHub was asked for something else: %s", request)
		}
	}
}

// checkSecrets looks for what must not get out in all that was written: output, files, requests to GitHub.
func (w *world) checkSecrets(ts *testscript.TestScript, r ran) {
	w.checkSecret(ts, "standard output", r.stdout)
	w.checkSecret(ts, "standard error", r.err)
	state := w.github.State()
	state.Tokens = nil
	published, err := json.Marshal(state)
	ts.Check(err)
	w.checkSecret(ts, "what GitHub has", string(published))
	for _, dir := range []string{w.home, w.tmp, w.runner, w.artifact} {
		ts.Check(filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) || err == nil && !entry.Type().IsRegular() {
				return nil
			}
			if err != nil {
				return err
			}
			text, err := os.ReadFile(path)
			w.checkSecret(ts, path, string(text))
			return err
		}))
	}
}

func (w *world) checkSecret(ts *testscript.TestScript, where, text string) {
	for _, needle := range w.needles {
		if i := strings.Index(text, needle); i >= 0 {
			ts.Fatalf("%s has %q: %q", where, needle, text[max(0, i-100):min(len(text), i+100)])
		}
	}
}
