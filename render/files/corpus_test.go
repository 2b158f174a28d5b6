//go:build corpus

package files_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/render/files"
)

// refused are the files that hold no Envoy configuration as they are, with the reason.
var refused = map[string]string{
	"envoy-configs/integration/server_xds.bootstrap.yml":               "a template: names its discovery files by placeholders",
	"envoy-configs/integration/server_xds.bootstrap.udpa.yaml":         "a template: names its discovery files by placeholders",
	"envoy-configs/integration/server_xds.cds.with_unknown_field.yaml": "has a key twice, which YAML forbids",
	"envoy-configs/integration/server_xds.eds.ads_cluster.yaml":        "a template: has a placeholder for a port",
}

// TestCorpusTablesAreRead reads every table that other people wrote, each by itself.
func TestCorpusTablesAreRead(t *testing.T) {
	root := filepath.Join(os.Getenv("ROUTEDELTA_CORPUS"), "tables")
	read, empty := 0, 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		switch {
		case err != nil || entry.IsDir():
			return err
		case filepath.Ext(path) == ".tsv" || strings.Contains(name, ".golden.proto."):
			return nil // lists of sources, and tests of the router check tool
		case isEmpty(t, path):
			empty++
			return nil
		}
		sets, err := files.Load(t.Context(), path)
		reason, listed := refused[name]
		switch {
		case err != nil && !listed:
			t.Errorf("%s: %v", name, err)
		case err != nil:
			t.Logf("refused: %s: %s", name, reason)
		case listed:
			t.Errorf("%s is read, although it is listed as %s", name, reason)
		case !files.IsRendering(path) || len(sets) == 0:
			t.Errorf("%s is read as %d sets and not recognised", name, len(sets))
		default:
			read++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files read, %d empty lists", read, empty)
	if read == 0 {
		t.Error("no file was read: ROUTEDELTA_CORPUS names the corpus")
	}
}

func isEmpty(t *testing.T, path string) bool {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.TrimSpace(string(data))
	return text == "" || text == "[]" || text == "{}" || text == "resources: []"
}
