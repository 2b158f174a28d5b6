package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/routedelta/routedelta/render/files"
)

// patience is long because the machines of a test run are busy: an idle one starts an Envoy in 0.1 s.
const patience = 60 * time.Second

// envoy is one running Envoy.
type envoy struct {
	// root holds renderings/, volumes/, the socket of the admin interface and the log; the log of an Envoy must not stand in a
	// folder that it watches.
	root    string
	set     *files.Set
	command *exec.Cmd
	// exited is closed when the process has ended.
	exited chan struct{}
	admin  *http.Client
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
	e.admin = &http.Client{
		Timeout: patience,
		Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", e.socket())
		}},
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
		var refused *refusal
		if errors.As(err, &refused) {
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
	if _, err := e.ask(ctx, "/ready"); err != nil {
		return err
	}
	stats, err := e.stats(ctx)
	if err != nil {
		return err
	}
	return stats.settled()
}

// ask gives the answer of the admin interface to a path.
func (e *envoy) ask(ctx context.Context, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://admin"+path, nil)
	if err != nil {
		return nil, err
	}
	response, err := e.admin.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("admin answers %s to %s", response.Status, path)
	}
	return body, err
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
	stats, err := e.stats(context.Background())
	if err != nil {
		return err
	}
	if err := stats.refused(); err != nil {
		return fmt.Errorf("%w\n%s", err, e.complaints())
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
