//go:build renderings

package envoy_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render/files"
)

// TestKeptRenderings loads the renderings that .ci/renderings has kept of all tests.
func TestKeptRenderings(t *testing.T) {
	// What begins with a dot was being written when a test killed its program.
	folders, err := filepath.Glob(filepath.Join(os.Getenv("ROUTEDELTA_RENDERINGS"), "[^.]*"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("there are no renderings in ROUTEDELTA_RENDERINGS: %v", err)
	}
	t.Run("all", func(t *testing.T) {
		for _, folder := range folders {
			t.Run(filepath.Base(folder), func(t *testing.T) {
				t.Parallel()
				loadKept(t, folder)
			})
		}
	})
	if !t.Failed() {
		t.Logf("%d renderings load", len(folders))
	}
}

func loadKept(t *testing.T, folder string) {
	madeBy, err := os.ReadFile(filepath.Join(folder, "made-by"))
	if err != nil {
		t.Fatal(err)
	}
	sets, err := files.Load(t.Context(), filepath.Join(folder, "files"))
	if err != nil || len(sets) != 1 {
		t.Fatalf("made by %s: %d sets, %v", madeBy, len(sets), err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("made by %s", madeBy)
		}
	})
	envoytest.Start(t, sets[0]).RequireLoaded(t)
	if err := envoytest.Validate(t, sets[0]); err != nil {
		t.Error(err)
	}
}
