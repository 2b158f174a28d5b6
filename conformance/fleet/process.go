package fleet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	install "github.com/routedelta/routedelta/plugin/envoy"
	"github.com/routedelta/routedelta/render/files"
)

// patience is long because the machines of a test run are busy: an idle one starts an Envoy in 0.1 s.
const patience = 60 * time.Second

// errRefused is the error for what an Envoy did not take.
var errRefused = errors.New("Envoy refuses")

// envoy is one running Envoy.
type envoy struct {
	// root holds renderings/, volumes/, the socket of the admin interface and the log; the log of an Envoy must not stand in a
	// folder that it watches.
	root    string
	set     *files.Set
	command *exec.Cmd
	// exited is closed when the process has ended.
	exited chan struct{}
	admin  *install.Admin
}

func (e *envoy) renderings() string { return filepath.Join(e.root, "renderings") }

// directory is where the files of the Gateway are, and Envoy's working directory.
func (e *envoy) directory() string { return filepath.Join(e.renderings(), e.set.Name) }

func (e *envoy) socket() string { return filepath.Join(e.root, "admin") }

func (e *envoy) logFile() string { return filepath.Join(e.root, "log") }

// start runs Envoy in the folder of its rendering, as a user does, and returns when it is live. The admin interface is the one
// thing that is not the rendering's: it listens on a socket, since many Envoys share the machine.
func (e *envoy) start(ctx context.Context, binary string) error {
	e.command = exec.Command(binary, "-c", files.BootstrapPath, "--concurrency", "1", "--use-dynamic-base-id",
		"--config-yaml", fmt.Sprintf("{admin: {address: {pipe: {path: %q}}}}", e.socket()),
		"--log-level", "warning", "--log-path", e.logFile(), "--drain-time-s", "1")
	e.command.Dir = e.directory()
	output, err := os.Create(filepath.Join(e.root, "output"))
	if err != nil {
		return err
	}
	defer output.Close()
	e.command.Stdout, e.command.Stderr = output, output
	if err := e.command.Start(); err != nil {
		return err
	}
	e.exited = make(chan struct{})
	go func() {
		// How it ended shows in its log.
		_ = e.command.Wait()
		close(e.exited)
	}()
	if e.admin, err = install.NewAdmin("unix:" + e.socket()); err != nil {
		return err
	}
	return e.wait(ctx, "starting", e.live)
}

// wait polls until a condition holds. An Envoy that has ended, and one that refuses what it was given, will not get there.
func (e *envoy) wait(ctx context.Context, doing string, condition func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := condition(ctx)
		if err == nil {
			return nil
		}
		if errors.Is(err, errRefused) {
			return fmt.Errorf("%s: %w\n%s", doing, err, e.complaints())
		}
		select {
		case <-e.exited:
			return fmt.Errorf("%s: Envoy has ended\n%s", doing, e.complaints())
		case <-ctx.Done():
			return fmt.Errorf("%s: %w: %w\n%s", doing, ctx.Err(), err, e.complaints())
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// live tells whether everything that Envoy reads at its start has been taken.
func (e *envoy) live(ctx context.Context) error {
	statistics, err := e.admin.Statistics(ctx)
	if err != nil {
		return err
	}
	if refused := statistics.Refused(nil); len(refused) > 0 {
		return fmt.Errorf("%w: %s", errRefused, strings.Join(refused, ", "))
	}
	if warming := statistics.Warming(); warming != "" {
		return errors.New(warming)
	}
	return e.admin.Ready(ctx)
}

// update replaces the files of the running Envoy.
func (e *envoy) update(ctx context.Context, set *files.Set, secret secretReader) error {
	if err := e.mount(ctx, set, secret); err != nil {
		return err
	}
	_, err := install.Apply(ctx, &install.Rendering{Set: set}, e.directory(), install.Options{Admin: e.admin, Patience: patience})
	if err != nil {
		return fmt.Errorf("%w\n%s", err, e.complaints())
	}
	e.set = set
	return nil
}

// stop ends the process. It is killed, not asked: there is nothing to save, and draining takes time. Before that it tells whether
// anything was refused in its life.
func (e *envoy) stop() error {
	refused := e.refusals()
	if err := e.command.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return errors.Join(refused, err)
	}
	<-e.exited
	return refused
}

func (e *envoy) refusals() error {
	select {
	case <-e.exited:
		return fmt.Errorf("Envoy has ended by itself\n%s", e.complaints())
	default:
	}
	statistics, err := e.admin.Statistics(context.Background())
	if err != nil {
		return err
	}
	if refused := statistics.Refused(nil); len(refused) > 0 {
		return fmt.Errorf("%w: %s\n%s", errRefused, strings.Join(refused, ", "), e.complaints())
	}
	return nil
}

// complaints are the ends of what Envoy printed and logged.
func (e *envoy) complaints() string {
	var text string
	for _, name := range []string{"output", "log"} {
		data, err := os.ReadFile(filepath.Join(e.root, name))
		if err != nil {
			return err.Error()
		}
		const most = 4000
		text += string(data[max(0, len(data)-most):])
	}
	return text
}
