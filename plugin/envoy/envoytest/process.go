package envoytest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/routedelta/routedelta/render/files"
)

// startTimeout is long because the machines of a test run are busy: an idle one starts in 0.1 s.
const startTimeout = 60 * time.Second

// Binary is the path of Envoy: ENVOY from the environment, else what `make envoy` installed. Without one the test fails.
func Binary(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short leaves out the tests that need a real Envoy")
	}
	path := os.Getenv("ENVOY")
	if path == "" {
		root, err := moduleRoot()
		if err != nil {
			t.Fatalf("looking for Envoy: %v", err)
		}
		path = filepath.Join(root, ".local", "bin", "envoy")
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("there is no Envoy: %v\nhint: run `make envoy`, or set ENVOY to the path of an Envoy 1.40.0", err)
	}
	return path
}

// moduleRoot is the folder of go.mod above the working directory, where go test runs a package's tests.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod above the working directory")
		}
		dir = parent
	}
}

// Process is a running Envoy.
type Process struct {
	command *exec.Cmd
	// root holds the log and the sockets. It is short, because the name of a Unix socket has 107 bytes at most.
	root string
	// exited is closed when the process has ended.
	exited chan struct{}
	admin  *http.Client
}

// newRoot makes the folder of one Envoy, with config/ for a rendering; it is removed with the test.
func newRoot(t testing.TB) string {
	t.Helper()
	root, err := os.MkdirTemp("", "envoy")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(root); err != nil {
			t.Errorf("removing %s: %v", root, err)
		}
	})
	if err := os.Mkdir(filepath.Join(root, "config"), 0o700); err != nil {
		t.Fatal(err)
	}
	return root
}

func adminSocket(root string) string { return filepath.Join(root, "admin") }

// Run starts Envoy in a rendering's folder exactly as a user does, `envoy -c bootstrap.json`, on the rendering's own ports.
// admin is the address of its admin interface, host:port. It ends with the test.
func Run(t testing.TB, dir, admin string) *Process {
	t.Helper()
	return launch(t, dir, files.BootstrapPath, newRoot(t), adminClient("tcp", admin))
}

// launch starts Envoy in a rendering's folder and returns when it is live: every file that it subscribes to has been
// read, with or without success. Its log stands in root, not in the watched folder, where each line would wake its file watcher.
func launch(t testing.TB, config, bootstrap, root string, admin *http.Client) *Process {
	t.Helper()
	command := exec.Command(Binary(t), "-c", bootstrap, "--disable-hot-restart", "--concurrency", "1",
		"--log-level", "warning", "--file-flush-interval-msec", "50", "--log-path", filepath.Join(root, "log"))
	command.Dir = config
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		t.Fatalf("starting Envoy: %v", err)
	}
	p := &Process{command: command, root: root, exited: make(chan struct{}), admin: admin}
	go func() {
		// The error is that of the signal below, or shows in the log that every failure prints.
		_ = command.Wait()
		close(p.exited)
	}()
	t.Cleanup(p.Kill)
	if err := p.waitLive(); err != nil {
		p.Kill()
		t.Fatalf("Envoy does not start: %v\n%s%s", err, output.String(), p.log())
	}
	return p
}

// Kill ends it. It is not asked to end: there is nothing to save, and draining takes time.
func (p *Process) Kill() {
	_ = p.command.Process.Kill()
	<-p.exited
}

// Suspend stops it where it is: it keeps its sockets and answers nobody. It can still be killed.
func (p *Process) Suspend() { _ = p.command.Process.Signal(syscall.SIGSTOP) }

// LogFile is where its log is.
func (p *Process) LogFile() string { return filepath.Join(p.root, "log") }

// adminClient speaks HTTP to one address, whatever the URL.
func adminClient(network, address string) *http.Client {
	return &http.Client{
		Timeout:   startTimeout,
		Transport: &http.Transport{Dial: func(string, string) (net.Conn, error) { return net.Dial(network, address) }},
	}
}

// waitLive polls until Envoy is live and nothing is warming any more.
func (p *Process) waitLive() error {
	var last error
	for end := time.Now().Add(startTimeout); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		select {
		case <-p.exited:
			return errors.New("it has ended")
		default:
		}
		if last = p.live(); last == nil {
			return nil
		}
	}
	return last
}

func (p *Process) live() error {
	if _, err := p.get("/ready"); err != nil {
		return err
	}
	counters, err := p.counters()
	if err != nil {
		return err
	}
	for _, name := range []string{"listener_manager.total_listeners_warming", "cluster_manager.warming_clusters"} {
		if counters[name] != 0 {
			return fmt.Errorf("%s is %d", name, counters[name])
		}
	}
	return nil
}

// Admin gives the answer of the admin interface to a path.
func (p *Process) Admin(path string) (string, error) { return p.get(path) }

// get asks the admin interface.
func (p *Process) get(path string) (string, error) {
	response, err := p.admin.Get("http://admin" + path)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("admin answers %s to %s: %s", response.Status, path, body)
	}
	return string(body), nil
}

// counters are Envoy's counters and gauges by name.
func (p *Process) counters() (map[string]int64, error) {
	text, err := p.get("/stats?type=All")
	if err != nil {
		return nil, err
	}
	counters := map[string]int64{}
	for line := range strings.Lines(text) {
		// Histograms and text readouts have no number and are left out.
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		var number int64
		if _, err := fmt.Sscanf(value, "%d", &number); err == nil {
			counters[name] = number
		}
	}
	return counters, nil
}

// failureCounters are the ends of the names of Envoy's counters that say that something was not taken.
var failureCounters = [...]string{
	".update_rejected", ".update_failure", ".listener_create_failure", ".init_fetch_timeout", ".key_rotation_failed",
	"server.dynamic_unknown_fields", "server.static_unknown_fields",
}

// RequireLoaded fails the test if Envoy refused a file or a part of one. Its counters are the only proof: it is ready, and
// its configuration dump looks well, after a rejection too (envoy-files, rule 13).
func (p *Process) RequireLoaded(t testing.TB) {
	t.Helper()
	counters, err := p.counters()
	if err != nil {
		t.Fatal(err)
	}
	var refused []string
	for name, value := range counters {
		for _, end := range failureCounters {
			if value != 0 && strings.HasSuffix(name, end) {
				refused = append(refused, fmt.Sprintf("%s: %d", name, value))
			}
		}
	}
	if len(refused) > 0 {
		slices.Sort(refused)
		t.Fatalf("Envoy does not take the rendering:\n%s\n%s", strings.Join(refused, "\n"), p.log())
	}
}

// log is what Envoy complained of, without the long explanations.
func (p *Process) log() string {
	// Envoy writes its log every 50 ms.
	time.Sleep(100 * time.Millisecond)
	text, err := os.ReadFile(filepath.Join(p.root, "log"))
	if err != nil {
		return err.Error()
	}
	const most = 8000
	if len(text) > most {
		text = text[len(text)-most:]
	}
	return string(text)
}
