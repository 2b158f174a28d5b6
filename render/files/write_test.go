package files_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/render/files"
)

func write(t *testing.T, dir string, options files.Options, sets ...*files.Set) {
	t.Helper()
	if err := files.Write(t.Context(), dir, sets, options); err != nil {
		t.Fatal(err)
	}
}

func TestWriteIsLoad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "rendering")
	set := sample(t)
	write(t, dir, files.Options{}, set)
	sets, err := files.Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(sets) != 1 || sets[0].Name != set.Name || files.Digest(sets[0]) != files.Digest(set) {
		t.Error("another set is read than was written")
	}
}

// TestWriteBringsADirectoryUpToDate: stale files and Gateways go, what is not ours stays, what is equal is not touched.
func TestWriteBringsADirectoryUpToDate(t *testing.T) {
	dir := t.TempDir()
	first, gone := sample(t), sample(t)
	gone.Name = "shop-gone"
	write(t, dir, files.Options{}, first, gone)
	lay(t, dir, fstest.MapFS{
		"shop-edge/certs/shop_one/tls.key": file("key"),
		"shop-gone/certs/shop_one/tls.key": file("key"),
		".gitignore":                       file("*.key"),
		".routedelta-1/left":               file("by a run that was killed"),
	})
	before, err := os.Stat(filepath.Join(dir, "shop-edge/cds.json"))
	if err != nil {
		t.Fatal(err)
	}

	second := sample(t)
	second.Routes[0].VirtualHosts[0].Name = "changed"
	second.Secrets = second.Secrets[:1]
	write(t, dir, files.Options{}, second)

	have := slices.Sorted(maps.Keys(read(t, dir)))
	want := []string{
		".gitignore", "shop-edge/bootstrap.json", "shop-edge/cds.json", "shop-edge/certs/shop_one/tls.key",
		"shop-edge/eds/shop_orders_80.json", "shop-edge/eds/shop_web_80.json",
		"shop-edge/rds/http-80.json", "shop-edge/rds/https-443-a.json", "shop-edge/rds/https-443-b.json",
		"shop-edge/sds/shop_one.json", "shop-gone/certs/shop_one/tls.key",
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("files (-want +have):\n%s", diff)
	}
	after, err := os.Stat(filepath.Join(dir, "shop-edge/cds.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Error("a file that stays equal is written again: Envoy would reload it")
	}

	write(t, dir, files.Options{Format: files.YAML}, second)
	if _, err := os.Stat(filepath.Join(dir, "shop-edge/cds.json")); !errors.Is(err, os.ErrNotExist) {
		t.Error("the files of another format stay")
	}
	if sets, err := files.Load(t.Context(), dir); err == nil && files.Digest(sets[0]) != files.Digest(second) {
		t.Error("the other format says something else")
	}
}

func TestWriteRefusesADirectoryOfOtherThings(t *testing.T) {
	for name, tree := range map[string]fstest.MapFS{
		"a file":                        {"notes.txt": file("mine")},
		"a directory":                   {"src/main.go": file("package main")},
		"a directory beside renderings": {"a/bootstrap.json": file("{}"), "src/main.go": file("package main")},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			lay(t, dir, tree)
			before := read(t, dir)
			err := files.Write(t.Context(), dir, []*files.Set{sample(t)}, files.Options{})
			if !errors.Is(err, files.ErrNotRendering) || !strings.Contains(err.Error(), dir) {
				t.Errorf("error %v", err)
			}
			if diff := cmp.Diff(before, read(t, dir)); diff != "" {
				t.Errorf("the directory is changed:\n%s", diff)
			}
		})
	}
}

func TestWriteRefusesNamesThatLeadElsewhere(t *testing.T) {
	for _, name := range []string{"", "..", "../x", "a/b", ".git"} {
		set := sample(t)
		set.Name = name
		if err := files.Write(t.Context(), t.TempDir(), []*files.Set{set}, files.Options{}); err == nil {
			t.Errorf("a set called %q is written", name)
		}
	}
	if err := files.Write(t.Context(), t.TempDir(), []*files.Set{sample(t), sample(t)}, files.Options{}); err == nil {
		t.Error("two sets of one name are written")
	}
}

// TestWriteIsAllOrNothing: whatever stops a Write, the directory is as it was, and nothing else is left behind.
func TestWriteIsAllOrNothing(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx   context.Context
		spoil func(t *testing.T, dir string)
	}{
		"cancelled": {cancelled, func(*testing.T, string) {}},
		"a directory in the place of a file": {t.Context(), func(t *testing.T, dir string) {
			// The bootstrap comes last: all others have been replaced by then.
			path := filepath.Join(dir, "shop-edge", "bootstrap.json")
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			lay(t, dir, fstest.MapFS{"shop-edge/bootstrap.json/x": file("")})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, files.Options{}, sample(t))
			c.spoil(t, dir)
			before := read(t, dir)
			changed := sample(t)
			changed.Routes[0].VirtualHosts[0].Name = "changed"
			changed.Bootstrap.Node.Id = "changed"
			changed.Secrets = changed.Secrets[:1]
			if err := files.Write(c.ctx, dir, []*files.Set{changed}, files.Options{}); err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(before, read(t, dir)); diff != "" {
				t.Errorf("the directory is changed:\n%s", diff)
			}
		})
	}
	t.Run("a new directory", func(t *testing.T) {
		parent := t.TempDir()
		if err := files.Write(cancelled, filepath.Join(parent, "new"), []*files.Set{sample(t)}, files.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		if left := read(t, parent); len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
	})
}

// TestWriteWithKeys: keys are private and stand with the files that name them; those of an earlier rendering go, and those that the
// installer has put into certs/ stay.
func TestWriteWithKeys(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rendering")
	key := func(path, text string) files.File {
		return files.File{Path: "shop-edge/" + path, Data: []byte(text), Private: true}
	}
	keys := []files.File{
		key(files.KeyPath("shop/one"), "one"), key(files.KeyPath("shop/two"), "two"),
		{Path: "shop-edge/secrets/.gitignore", Data: []byte("*\n")},
	}
	writeKeys := func(keys []files.File) {
		t.Helper()
		if err := files.WriteWithKeys(t.Context(), dir, []*files.Set{sample(t)}, keys, files.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	present := func() map[string]os.FileMode {
		found := map[string]os.FileMode{}
		for name := range read(t, dir) {
			if info, err := os.Stat(filepath.Join(dir, name)); err == nil && (strings.Contains(name, "/secrets/") || strings.Contains(name, "/certs/")) {
				found[name] = info.Mode().Perm()
			}
		}
		return found
	}
	require := func(want map[string]os.FileMode) {
		t.Helper()
		if diff := cmp.Diff(want, present()); diff != "" {
			t.Errorf("keys (-want +got):\n%s", diff)
		}
	}
	writeKeys(keys)
	require(map[string]os.FileMode{"shop-edge/secrets/.gitignore": 0o644, "shop-edge/secrets/shop_one.pem": 0o600, "shop-edge/secrets/shop_two.pem": 0o600})

	lay(t, dir, fstest.MapFS{"shop-edge/certs/shop_one/tls.key": file("his")})
	if err := os.Chmod(filepath.Join(dir, "shop-edge/secrets/shop_one.pem"), 0o644); err != nil {
		t.Fatal(err)
	}
	writeKeys(keys[:1])
	require(map[string]os.FileMode{"shop-edge/secrets/shop_one.pem": 0o600, "shop-edge/certs/shop_one/tls.key": 0o644})

	write(t, dir, files.Options{}, sample(t))
	require(map[string]os.FileMode{"shop-edge/certs/shop_one/tls.key": 0o644})
}
