//go:build corpus

package manifesttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Input is what one command would read of other people's manifests.
type Input struct {
	// Name is the slash path below the folder of manifests: of a file, or of the folder whose files belong together.
	Name string
	// Files have names below that folder too.
	Files []File
	// Want is the file with the statuses that the owners' controller writes for the input, "" without one.
	Want string
}

// File is a text that may hold manifests.
type File struct {
	Name string
	Data []byte
}

// together are the groups whose files belong together by folders: of a repository of a cluster its first, of examples the one they
// are in.
var together = map[string]func(folders []string) []string{
	"gitops":               func(folders []string) []string { return folders[:2] },
	"nginx-gateway-fabric": func(folders []string) []string { return folders },
}

// Corpus reads the inputs below a folder of manifests: ../shared/corpus/manifests has a README.
func Corpus(root string) ([]Input, error) {
	byName := map[string]*Input{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !isManifest(path) {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		file := File{Name: filepath.ToSlash(name)}
		if file.Data, err = readManifests(path); err != nil {
			return fmt.Errorf("reading %q: %w", name, err)
		}
		input := &Input{Name: file.Name, Want: wanted(path)}
		folders := strings.Split(filepath.ToSlash(filepath.Dir(name)), "/")
		if join := together[folders[0]]; join != nil {
			input.Name = strings.Join(join(folders), "/")
		}
		if byName[input.Name] == nil {
			byName[input.Name] = input
		}
		byName[input.Name].Files = append(byName[input.Name].Files, file)
		return nil
	})
	var inputs []Input
	for _, input := range byName {
		inputs = append(inputs, *input)
	}
	slices.SortFunc(inputs, func(a, b Input) int { return strings.Compare(a.Name, b.Name) })
	return inputs, err
}

// isManifest tells inputs from what a translator makes of them.
func isManifest(path string) bool {
	extension := filepath.Ext(path)
	made := strings.HasSuffix(path, ".out.yaml") || strings.HasSuffix(path, "-out.yaml") ||
		strings.Contains(filepath.ToSlash(path), "/out/") || strings.Contains(filepath.ToSlash(path), "/outputs/")
	return (extension == ".yaml" || extension == ".yml") && !made
}

// wanted is the file of statuses beside an input.
func wanted(path string) string {
	stem := strings.TrimSuffix(path, ".yaml")
	for _, name := range []string{strings.TrimSuffix(stem, ".in") + ".out.yaml", stem + ".status.yaml.golden"} {
		if _, err := os.Stat(name); err == nil {
			return name
		}
	}
	return ""
}

// readManifests reads a file. The inputs of Envoy Gateway's translator are maps of lists of objects, which kubectl would not take: of
// these it makes one list of kind List.
func readManifests(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".in.yaml") {
		return data, err
	}
	var lists map[string]any
	if err := yaml.Unmarshal(data, &lists); err != nil {
		return nil, err
	}
	var items []any
	for _, key := range slices.Sorted(maps.Keys(lists)) {
		switch value := lists[key].(type) {
		case []any:
			items = append(items, value...)
		case map[string]any:
			items = append(items, value)
		}
	}
	var list bytes.Buffer
	encoder := json.NewEncoder(&list)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	return list.Bytes(), err
}
