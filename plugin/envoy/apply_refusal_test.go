package envoy_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/routedelta/routedelta/plugin/envoy"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render/files"
)

// TestRefusedRenderingIsTakenBack: what Envoy refuses, at whatever step, is an error with its reason where it tells one; what it served
// it serves on, the directory holds that, and a good rendering heals.
func TestRefusedRenderingIsTakenBack(t *testing.T) {
	t.Parallel()
	w := newApplied(t)
	load := startLoad(t, w.revision)
	before := snapshot(t, w.dir)
	for name, c := range map[string]struct {
		spoil func(*files.Set)
		want  string
	}{
		"a listener on an address that is not ours": {func(s *files.Set) {
			s.Listeners[0].GetAddress().GetSocketAddress().Address = "192.0.2.1"
		}, "cannot bind '192.0.2.1:"},
		"routes without a domain": {func(s *files.Set) { s.Routes[0].VirtualHosts[0].Domains = nil }, "Domains: value must contain at least 1 item"},
		"a cluster with an address that is none": {func(s *files.Set) {
			s.Endpoints[0].Endpoints[0].LbEndpoints[0].GetEndpoint().GetAddress().GetSocketAddress().Address = "nowhere"
		}, "malformed IP address: nowhere"},
	} {
		next := w.next(t, 5).rendering(t)
		c.spoil(next.Set)
		_, err := envoy.Apply(t.Context(), next, w.dir, envoy.Options{Log: w.envoy.LogFile()})
		var refused *envoy.RefusedError
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Log(err)
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %q, and does not say %q", name, err, c.want)
		}
		requireFiles(t, before, snapshot(t, w.dir))
		w.requireServed(t)
	}
	w.apply(t, w.next(t, 5))
	w.requireServed(t)
	load.stop(t)
}

// TestKilledOverRefusal: a run that is killed before it learns of a refusal leaves files that Envoy does not serve. The next run of the same
// rendering does not take them for served, and a good rendering heals.
func TestKilledOverRefusal(t *testing.T) {
	t.Parallel()
	w := newApplied(t)
	load := startLoad(t, w.revision)
	bad := w.next(t, 5).rendering(t)
	bad.Set.Routes[0].VirtualHosts[0].Domains = nil
	encoded, err := files.Encode(bad.Set, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range encoded {
		if file.Resource != bad.Set.Routes[0].Name {
			continue
		}
		staged := filepath.Join(w.dir, ".staged")
		if err := errors.Join(os.WriteFile(staged, file.Data, 0o644), os.Rename(staged, filepath.Join(w.dir, file.Path))); err != nil {
			t.Fatal(err)
		}
	}
	var refused *envoy.RefusedError
	if _, err := envoy.Apply(t.Context(), bad, w.dir, envoy.Options{}); !errors.As(err, &refused) || !strings.Contains(err.Error(), "taking it back") {
		t.Errorf("the refused rendering once more: %v", err)
	}
	w.requireServed(t)
	w.apply(t, w.next(t, 5))
	w.requireServed(t)
	load.stop(t)
}

// snapshot is every file of a directory with its bytes.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	have := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		have[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return have
}

func requireFiles(t *testing.T, want, have map[string]string) {
	t.Helper()
	for path, text := range want {
		if have[path] != text {
			t.Errorf("%s differs:\n%s\nwant\n%s", path, have[path], text)
		}
	}
	for path := range have {
		if _, ok := want[path]; !ok {
			t.Errorf("%s is left over", path)
		}
	}
}

// TestEnvoyThatEndsFindsTheOldFiles: where Envoy ends, or hangs, in the midst of a change, the directory is as it was, for the Envoy that
// is started next.
func TestEnvoyThatEndsFindsTheOldFiles(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*envoytest.Process){
		"ended": (*envoytest.Process).Kill,
		"hangs": (*envoytest.Process).Suspend,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newApplied(t)
			before := snapshot(t, w.dir)
			_, err := envoy.Apply(t.Context(), w.next(t, 5).rendering(t), w.dir, envoy.Options{
				Patience: time.Second, Each: func(envoy.Step) error { end(w.envoy); return nil },
			})
			var unavailable *envoy.UnavailableError
			if !errors.As(err, &unavailable) {
				t.Errorf("the error is %v", err)
			}
			requireFiles(t, before, snapshot(t, w.dir))
		})
	}
}

var errKilled = errors.New("killed")

// TestEndedAnywhereIsCompletedByTheNext: a run that ends after any of its steps leaves a directory from which requests are served, an
// Envoy starts, and the next run comes to the end, with this rendering and with another.
func TestEndedAnywhereIsCompletedByTheNext(t *testing.T) {
	t.Parallel()
	w := newApplied(t)
	load := startLoad(t, w.revision)
	var steps []string
	for after := 1; ; after++ {
		next := w.next(t, 5)
		steps = nil
		_, err := envoy.Apply(t.Context(), next.rendering(t), w.dir, envoy.Options{Each: func(step envoy.Step) error {
			if steps = append(steps, step.Name); len(steps) == after {
				return errKilled
			}
			return nil
		}})
		if err == nil {
			break
		}
		if !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		if rendering, found, err := envoy.ReadRendering(t.Context(), w.dir); err != nil || found.HasErrors() {
			t.Errorf("an Envoy that starts after %v has no whole configuration: %v %v %v", steps, rendering, found, err)
		}
		if after%2 == 0 {
			next = w.next(t, 1)
		}
		w.apply(t, next)
		w.requireServed(t)
	}
	load.stop(t)
	w.envoy.RequireLoaded(t)
	if want := []string{"keys", "endpoints", "clusters of both", "routes", "listeners", "clusters", "removal"}; !slices.Equal(steps, want) {
		t.Errorf("the steps are %q, want %q", steps, want)
	}
}

// TestRestartIsNamed: what only a restart brings is refused, and nothing is replaced; without an Envoy it is installed.
func TestRestartIsNamed(t *testing.T) {
	t.Parallel()
	w := newApplied(t)
	before := snapshot(t, w.dir)
	next := w.next(t, 5).rendering(t)
	next.Set.Bootstrap.Node.Cluster = "other"
	_, err := envoy.Apply(t.Context(), next, w.dir, envoy.Options{})
	var restart *envoy.RestartError
	if !errors.As(err, &restart) || !slices.Equal(restart.Fields, []string{"node"}) {
		t.Errorf("another node: %v", err)
	}
	requireFiles(t, before, snapshot(t, w.dir))
	if _, err := envoy.Apply(t.Context(), next, w.dir, envoy.Options{Offline: true}); !errors.Is(err, envoy.ErrRunning) {
		t.Errorf("offline under a running Envoy: %v", err)
	}
	requireFiles(t, before, snapshot(t, w.dir))
	w.envoy.Kill()
	if _, err := envoy.Apply(t.Context(), next, w.dir, envoy.Options{Offline: true}); err != nil {
		t.Errorf("offline: %v", err)
	}
	var unavailable *envoy.UnavailableError
	if _, err := envoy.Apply(t.Context(), next, w.dir, envoy.Options{}); !errors.As(err, &unavailable) {
		t.Errorf("without an Envoy: %v", err)
	}
}

// TestDirectoryIsOurs: nobody else's directory is filled, another Envoy is not taken for ours, two runs do not interleave, and more
// files than Envoy may watch are refused.
func TestDirectoryIsOurs(t *testing.T) {
	t.Parallel()
	w := newApplied(t)
	next := w.next(t, 5).rendering(t)
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "thesis.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := envoy.Apply(t.Context(), next, foreign, envoy.Options{}); !errors.Is(err, envoy.ErrNotRendering) {
		t.Errorf("a directory with other files: %v", err)
	}
	other := newApplied(t)
	admin, err := envoy.NewAdmin("http://127.0.0.1:" + strconv.Itoa(other.Admin))
	if err != nil {
		t.Fatal(err)
	}
	next.Set.Bootstrap.Node.Id = "infra/other"
	elsewhere := filepath.Join(t.TempDir(), "live")
	if _, err := envoy.Apply(t.Context(), next, elsewhere, envoy.Options{}); err != nil {
		t.Fatal(err)
	}
	var another *envoy.ForeignError
	if _, err := envoy.Apply(t.Context(), next, elsewhere, envoy.Options{Admin: admin}); !errors.As(err, &another) {
		t.Errorf("the admin interface of another Envoy: %v", err)
	}
	next = w.next(t, 5).rendering(t)
	var watches *envoy.WatchesError
	if _, err := envoy.Apply(t.Context(), next, w.dir, envoy.Options{MaxWatches: 5}); !errors.As(err, &watches) {
		t.Errorf("more files than Envoy may watch: %v", err)
	}
	_, err = envoy.Apply(t.Context(), next, w.dir, envoy.Options{Each: func(envoy.Step) error {
		_, err := envoy.Apply(t.Context(), next, w.dir, envoy.Options{})
		return err
	}})
	if !errors.Is(err, envoy.ErrBusy) {
		t.Errorf("two runs at once: %v", err)
	}
}

// TestLinksLeadNowhere: a rendering's links are not followed out of it, and neither are those of the directory.
func TestLinksLeadNowhere(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.MkdirAll(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	r := revision{HTTP: 1, HTTPS: 2, Admin: 3, Moved: "a", Replaced: "replaced", Certificate: newPair(t), Ports: [2]int{4, 5}, Flipped: 4}
	source := filepath.Join(t.TempDir(), "out")
	r.write(t, source)
	rendering := r.rendering(t)
	gateway := filepath.Join(source, "infra-edge")
	for _, link := range []string{"secrets/infra_shop.pem", "cds.json"} {
		name := filepath.Join(gateway, link)
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(outside, filepath.Base(link))
		for _, err := range []error{os.WriteFile(target, data, 0o600), os.Remove(name), os.Symlink(target, name)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := envoy.ReadRendering(t.Context(), source); err == nil {
			t.Errorf("a rendering with a link %s out of it is read", link)
		}
		if err := errors.Join(os.Remove(name), os.WriteFile(name, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	live := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(live, "rds")); err != nil {
		t.Fatal(err)
	}
	if _, err := envoy.Apply(t.Context(), rendering, live, envoy.Options{}); err == nil {
		t.Error("a file is written through a link out of the directory")
	}
	if _, err := os.Stat(filepath.Join(outside, "http-1.json")); err == nil {
		t.Error("the file is outside")
	}
}

// TestCancelledBetweenSteps leaves everything as it is, for the next run.
func TestCancelledBetweenSteps(t *testing.T) {
	t.Parallel()
	w := newApplied(t)
	next := w.next(t, 5)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := envoy.Apply(ctx, next.rendering(t), w.dir, envoy.Options{Each: func(envoy.Step) error { cancel(); return nil }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	w.apply(t, next)
	w.requireServed(t)
}
