package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/routedelta/routedelta/plugin/programs"
)

// maxAnswer bounds what is read of a command whose answer is a line or two.
const maxAnswer = 1 << 20

// maxComplaint bounds what is kept of a command's standard error.
const maxComplaint = 4 << 10

// options hold for every command. Each switches off something that a repository's own configuration could switch on.
var options = []string{ //nolint:gochecknoglobals // a constant in all but syntax
	"--no-pager",
	"--no-replace-objects",       // refs/replace would make one hash mean different trees in two clones
	"--literal-pathspecs",        // a directory may be named ":(glob)x"
	"-c", "core.fsmonitor=false", // names a program
	"-c", "core.hooksPath=/dev/null", // names programs
	"-c", "protocol.allow=never", // a partial clone would fetch by a transport that its configuration names
	"-c", "safe.bareRepository=explicit", // a tree may hold a directory that looks like a repository, with a configuration
	"-c", "core.bigFileThreshold=32m", // git streams larger blobs instead of loading them
}

// program runs git in a directory.
type program struct {
	path string
	dir  string
	// overrides of configuration keys whose names come from the repository, as GIT_CONFIG_KEY_n wants them.
	overrides []string
}

// findProgram looks git up once.
func findProgram(dir string) (program, error) {
	path, err := programs.Find("git")
	if err != nil {
		return program{}, &ProgramError{Err: err}
	}
	return program{path: path, dir: dir}, nil
}

// command is git with the options above, an environment without any GIT_ variable, and no way to ask a person.
func (p program) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.path, append(append([]string{"-C", p.dir}, options...), args...)...)
	cmd.Env = append(environment(os.Environ()), p.overrides...)
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// environment drops what would steer git (GIT_DIR is set inside hooks, GIT_EXTERNAL_DIFF names a program) and pins the rest.
func environment(from []string) []string {
	var kept []string
	for _, variable := range from {
		if path, ok := strings.CutPrefix(variable, "PATH="); ok {
			variable = "PATH=" + programs.Absolute(path) // git starts programs too
		}
		if !strings.HasPrefix(variable, "GIT_") && !strings.HasPrefix(variable, "LC_") && !strings.HasPrefix(variable, "LANG") {
			kept = append(kept, variable)
		}
	}
	return append(kept,
		"LC_ALL=C", // messages are matched
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0", // git status would write a refreshed index
		"GIT_NO_LAZY_FETCH=1",  // git 2.45; protocol.allow does it for older ones
		"GIT_ALLOW_PROTOCOL=none",
	)
}

// output runs a command whose answer is short and returns the answer without its last newline.
func (p program) output(ctx context.Context, args ...string) (string, error) {
	var out bytes.Buffer
	err := p.stream(ctx, func(r io.Reader) error {
		n, err := io.Copy(&out, io.LimitReader(r, maxAnswer+1))
		if n > maxAnswer {
			return fmt.Errorf("git %s: the answer is over %d bytes", args[0], maxAnswer)
		}
		return err
	}, args...)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// errEnough stops a stream that has told what was wanted. It is not an error of the stream.
var errEnough = errors.New("enough")

// stream runs a command and hands its output to read, which may stop early with an error.
func (p program) stream(ctx context.Context, read func(io.Reader) error, args ...string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := p.command(ctx, args...)
	complaint := &head{max: maxComplaint}
	cmd.Stderr = complaint
	out, err := cmd.StdoutPipe()
	if err != nil {
		return &ProgramError{Err: err}
	}
	if err := cmd.Start(); err != nil {
		return &ProgramError{Err: err}
	}
	readErr := read(out)
	if readErr != nil {
		stop() // else git would wait for somebody to read on
	}
	waitErr := cmd.Wait()
	switch {
	case errors.Is(readErr, errEnough):
		return nil
	case readErr != nil:
		return readErr
	case waitErr != nil:
		return p.failed(ctx, args, waitErr, complaint.String())
	}
	return nil
}

// failed makes the error of a command that ended badly; a cancelled context is the cause where there is one.
func (p program) failed(ctx context.Context, args []string, err error, complaint string) error {
	if ctx.Err() != nil {
		return fmt.Errorf("git %s: %w", args[0], context.Cause(ctx))
	}
	failure := &CommandError{Command: args[0], Complaint: strings.TrimSpace(complaint), Code: -1}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		failure.Code = exit.ExitCode()
	} else {
		failure.Complaint = err.Error()
	}
	return failure
}

// head keeps the first bytes that are written to it.
type head struct {
	max int
	buf bytes.Buffer
}

func (h *head) Write(p []byte) (int, error) {
	h.buf.Write(p[:min(len(p), h.max-h.buf.Len())])
	return len(p), nil
}

func (h *head) String() string { return h.buf.String() }
