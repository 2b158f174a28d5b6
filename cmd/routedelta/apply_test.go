package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

const applyManifests = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: infra}
spec:
  gatewayClassName: envoy
  listeners:
  - {name: http, port: %[1]d, protocol: HTTP}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: shop, namespace: infra}
spec:
  parentRefs: [{name: edge}]
  rules: [{filters: [{type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: x-served-by, value: %[3]s}]}}], backendRefs: [{name: %[3]s, port: 80}]}]
---
apiVersion: v1
kind: Service
metadata: {namespace: infra, name: %[3]s}
spec: {ports: [{port: 80, targetPort: %[2]d}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {namespace: infra, name: %[3]s-1, labels: {kubernetes.io/service-name: %[3]s}}
addressType: IPv4
ports: [{port: %[2]d}]
endpoints: [{addresses: [127.0.0.1]}]
`

const applyConfiguration = `apiVersion: routedelta.dev/v1alpha1
kind: RouteDelta
spec: {listeners: file, listenAddress: 127.0.0.1, admin: {port: %d}}
`

// installation is an Envoy that was started in a directory, with a server behind it, and folders to render in.
type installation struct {
	work, live           string
	port, admin, backend int
}

func newInstallation(t *testing.T) *installation {
	t.Helper()
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }))
	t.Cleanup(backend.Close)
	i := &installation{work: t.TempDir(), port: freePort(t), admin: freePort(t), backend: backend.Listener.Addr().(*net.TCPAddr).Port}
	i.live = filepath.Join(i.work, "live")
	return i
}

// start runs Envoy from what is in the directory.
func (i *installation) start(t *testing.T) {
	t.Helper()
	envoytest.Run(t, i.live, fmt.Sprintf("127.0.0.1:%d", i.admin))
}

// render writes a rendering in which a Service of that name serves.
func (i *installation) render(t *testing.T, service string) string {
	t.Helper()
	dir := filepath.Join(i.work, service)
	for name, text := range map[string]string{
		"in/edge.yaml": fmt.Sprintf(applyManifests, i.port, i.backend, service), ".routedelta.yaml": fmt.Sprintf(applyConfiguration, i.admin),
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(t.Context(), "routedelta", "render", "in", "-o", "out")
	command.Dir = dir
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return filepath.Join(dir, "out")
}

// servedBy is the Service that answers.
func (i *installation) servedBy(ctx context.Context) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/", i.port), nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && string(body) != "hello" {
		err = fmt.Errorf("%s: %s", response.Status, body)
	}
	return response.Header.Get("X-Served-By"), err
}

func (i *installation) requireServedBy(t *testing.T, service string) {
	t.Helper()
	if have, err := i.servedBy(t.Context()); err != nil || have != service {
		t.Fatalf("%q answers: %v, want %q", have, err, service)
	}
}

// load asks without a pause until the function that it returns is called.
func (i *installation) load(t *testing.T) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	for range 2 {
		clients.Go(func() {
			for ctx.Err() == nil {
				if _, err := i.servedBy(t.Context()); err != nil {
					t.Errorf("a request is lost: %v", err)
					return
				}
			}
		})
	}
	return func() { cancel(); clients.Wait() }
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// TestApplyKilled kills the program, which it cannot prevent, after each line that it prints and before the first: no request is lost, and
// the next run comes to the end.
func TestApplyKilled(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	apply := func(rendering string) *exec.Cmd {
		return exec.CommandContext(t.Context(), "routedelta", "apply", rendering, "--to", i.live, "--linger", "50ms")
	}
	if output, err := apply(i.render(t, "first")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	i.start(t)
	stop := i.load(t)
	defer stop()
	for line := 0; ; line++ {
		service := fmt.Sprintf("service-%d", line)
		rendering := i.render(t, service)
		if killAfter(t, apply(rendering), line) {
			break
		}
		if output, err := apply(rendering).CombinedOutput(); err != nil || !strings.HasSuffix(string(output), "Envoy serves the rendering\n") {
			t.Fatalf("after a kill behind line %d: %v: %s", line, err, output)
		}
		i.requireServedBy(t, service)
	}
}

// killAfter kills a program when it has printed so many lines, and tells whether it has ended before.
func killAfter(t *testing.T, command *exec.Cmd, lines int) (ended bool) {
	t.Helper()
	said, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(said)
	for range lines {
		if !scanner.Scan() {
			if err := command.Wait(); err != nil {
				t.Fatal(err)
			}
			return true
		}
	}
	if lines == 0 {
		time.Sleep(30 * time.Millisecond)
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait() // killed
	return false
}

// TestApplyWatch follows a link that is swapped, as git-sync does it: it fills the directory, installs each rendering under the Envoy that was
// started then, keeps the rendering before a bad one and says so once, and ends when it is asked to.
func TestApplyWatch(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	current := filepath.Join(i.work, "current")
	swap := func(to string) {
		t.Helper()
		if err := errors.Join(os.Symlink(to, current+".next"), os.Rename(current+".next", current)); err != nil {
			t.Fatal(err)
		}
	}
	said := new(lockedBuffer)
	swap(i.render(t, "first"))
	command := exec.CommandContext(t.Context(), "routedelta", "apply", "--watch", current, "--to", i.live, "--interval", "50ms", "--linger", "0s")
	command.Stderr = said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	said.await(t, "installed for an Envoy that is started there")
	swap(i.render(t, "second"))
	said.await(t, "does not answer")
	i.start(t)
	said.await(t, "Envoy serves the rendering")
	i.requireServedBy(t, "second")
	stop := i.load(t)
	broken := i.render(t, "broken")
	if err := os.WriteFile(filepath.Join(broken, "infra-edge", "cds.json"), []byte(`{"resources": []}`), 0o644); err != nil {
		t.Fatal(err)
	}
	swap(broken)
	said.await(t, `no Cluster is called "infra/broken/80"`)
	time.Sleep(500 * time.Millisecond)
	if times := strings.Count(said.String(), "the rendering before stays"); times != 1 {
		t.Errorf("it is said %d times that the rendering before stays", times)
	}
	i.requireServedBy(t, "second")
	said.Reset()
	swap(i.render(t, "third"))
	said.await(t, "Envoy serves the rendering")
	i.requireServedBy(t, "third")
	stop()
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Errorf("SIGTERM ends it with %v\n%s", err, said)
	}
}

// lockedBuffer is what a process has printed up to now.
type lockedBuffer struct {
	mutex  sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(data []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.buffer.Write(data)
}

func (b *lockedBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.buffer.String()
}

func (b *lockedBuffer) Reset() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.buffer.Reset()
}

func (b *lockedBuffer) await(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !strings.Contains(b.String(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it does not say %q:\n%s", text, b)
		}
	}
}
