package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/routedelta/routedelta/plugin/programs"
)

// Bounds of a program that renders.
const (
	maxRunTime   = 2 * time.Minute
	maxRunOutput = 64 << 20
	maxComplaint = 4 << 10
)

// CommandError is a program that renders, and did not.
type CommandError struct {
	Program string
	// Reason is what went wrong, Complaint the end of what the program wrote to standard error.
	Reason, Complaint string
}

func (e *CommandError) Error() string {
	if e.Complaint == "" {
		return fmt.Sprintf("%s: %s", e.Program, e.Reason)
	}
	return fmt.Sprintf("%s: %s: %s", e.Program, e.Reason, e.Complaint)
}

// Hint says what to do.
func (e *CommandError) Hint() string {
	return "it runs in a copy of the tree without .git, with PATH and an empty HOME and nothing else of the environment: try it with env -i there"
}

// workshop is where a program runs: a copy of a tree, and a home of its own beside it. Remove it.
type workshop struct{ directory string }

func newWorkshop() (*workshop, error) {
	directory, err := os.MkdirTemp("", "routedelta-render-")
	if err != nil {
		return nil, err
	}
	w := &workshop{directory}
	for _, name := range []string{w.tree(), w.home(), w.temporary()} {
		if err := os.Mkdir(name, 0o700); err != nil {
			return nil, errors.Join(err, w.remove())
		}
	}
	return w, nil
}

func (w *workshop) tree() string      { return filepath.Join(w.directory, "tree") }
func (w *workshop) home() string      { return filepath.Join(w.directory, "home") }
func (w *workshop) temporary() string { return filepath.Join(w.directory, "tmp") }
func (w *workshop) remove() error     { return os.RemoveAll(w.directory) }

// job is what a program is to do.
type job struct {
	// directory that it starts in.
	directory string
	// command is the program, by its name in PATH or its absolute path, and its arguments.
	command []string
	// environment is added to what every program gets.
	environment []string
	// memory bounds its address space where the system can do that; 0 is no bound.
	memory uint64
}

// run starts a program in a directory of the tree, without a shell, and gives what it prints. It gets nothing of the environment but
// PATH and what is added here: no token, no address of an agent, no configuration of the user.
func (w *workshop) run(ctx context.Context, j job) ([]byte, error) {
	program, err := findProgram(j.command[0])
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeoutCause(ctx, maxRunTime, fmt.Errorf("it ran for more than %s", maxRunTime))
	defer stop()
	cmd := exec.CommandContext(ctx, program, j.command[1:]...)
	cmd.Args[0] = j.command[0] // where it was found differs between machines, and what it says of itself must not
	cmd.Dir = j.directory
	cmd.Env = append(w.environment(), j.environment...)
	cmd.WaitDelay = 2 * time.Second
	inGroup(cmd)
	out := &bounded{limit: maxRunOutput, full: stop}
	complaint := &tail{limit: maxComplaint}
	cmd.Stdout, cmd.Stderr = out, complaint
	if err = cmd.Start(); err == nil {
		if j.memory > 0 {
			limitMemory(cmd.Process.Pid, j.memory)
		}
		err = cmd.Wait()
	}
	endGroup(cmd)
	failure := &CommandError{Program: filepath.Base(j.command[0]), Complaint: w.shown(complaint.data)}
	switch {
	case out.exceeded:
		failure.Reason, failure.Complaint = fmt.Sprintf("it printed more than %d bytes", maxRunOutput), ""
	case ctx.Err() != nil:
		failure.Reason = context.Cause(ctx).Error()
	case err != nil:
		failure.Reason = err.Error()
	default:
		return out.buffer.Bytes(), nil
	}
	return nil, failure
}

func (w *workshop) environment() []string {
	env := []string{"PATH=" + programs.Path(), "HOME=" + w.home(), "TMPDIR=" + w.temporary(), "LC_ALL=C", "TZ=UTC"}
	if runtime.GOOS == "windows" {
		env = append(env, "SystemRoot="+os.Getenv("SystemRoot"), "USERPROFILE="+w.home(), "TEMP="+w.temporary())
	}
	return env
}

// findProgram finds a program by its absolute path, or by its name in PATH. One of the tree itself would be the stranger's.
func findProgram(name string) (string, error) {
	if filepath.IsAbs(name) {
		return name, nil
	}
	if strings.ContainsAny(name, `/\`) {
		return "", &CommandError{Program: name, Reason: "a program of the tree itself is not run: name one in PATH, or by its absolute path"}
	}
	if found, err := programs.Find(name); err == nil {
		return found, nil
	}
	return "", &CommandError{Program: name, Reason: "it is not in PATH"}
}

// shown is the end of a program's complaint in one line, without the names of the workshop and without what steers a terminal.
func (w *workshop) shown(complaint []byte) string {
	text := strings.ReplaceAll(strings.TrimSpace(string(complaint)), w.directory+string(filepath.Separator), "")
	lines := strings.Split(text, "\n")
	text = strings.Join(lines[max(0, len(lines)-3):], "; ")
	var b strings.Builder
	for _, r := range text {
		switch {
		case strconv.IsPrint(r):
			b.WriteRune(r)
		case r == '\t' || r == '\r':
			b.WriteByte(' ')
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String()
}

// bounded keeps what is written to it up to a limit, and says when there is more.
type bounded struct {
	buffer   bytes.Buffer
	limit    int
	exceeded bool
	full     func()
}

func (b *bounded) Write(data []byte) (int, error) {
	if b.buffer.Len()+len(data) > b.limit {
		b.exceeded = true
		b.full()
		return 0, errors.New("the output is too long")
	}
	return b.buffer.Write(data)
}

// tail keeps the end of what is written to it.
type tail struct {
	data  []byte
	limit int
}

func (t *tail) Write(data []byte) (int, error) {
	t.data = append(t.data, data...)
	if len(t.data) > t.limit {
		t.data = append([]byte(nil), t.data[len(t.data)-t.limit:]...)
	}
	return len(data), nil
}
