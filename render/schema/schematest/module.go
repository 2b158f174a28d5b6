package schematest

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Module is the folder of a module that the current one requires, in the cache of modules.
func Module(ctx context.Context, path string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", path).Output()
	if err != nil {
		return "", fmt.Errorf("finding the module %s: %w", path, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// ReadModule reads the definitions of the experimental channel, which has what the standard one has and more, of the module of the
// Gateway API that the current module requires.
func ReadModule(ctx context.Context) ([]*Definition, error) {
	module, err := Module(ctx, "sigs.k8s.io/gateway-api")
	if err != nil {
		return nil, err
	}
	return Read(os.DirFS(filepath.Join(module, "config", "crd", "experimental")))
}

// AllProbes makes the probes of all definitions, in their order: of each its right objects and its rules, then the further ones.
func AllProbes(definitions []*Definition) ([]Probe, error) {
	tables, err := ReadTables()
	if err != nil {
		return nil, err
	}
	var probes []Probe
	for _, d := range definitions {
		probes = append(probes, tables.Probes(d)...)
	}
	further, err := Further(definitions)
	return append(probes, further...), err
}

// Examples are the objects in two folders of the module of the Gateway API: examples, which are right, and hack/invalid-examples.
func Examples(ctx context.Context, definitions []*Definition) ([]Probe, error) {
	module, err := Module(ctx, "sigs.k8s.io/gateway-api")
	if err != nil {
		return nil, err
	}
	var probes []Probe
	for folder, side := range map[string]Side{"examples": Accepted, "hack/invalid-examples": Refused} {
		found, err := Manifests(os.DirFS(filepath.Join(module, folder)), definitions, strings.NewReplacer())
		if err != nil {
			return nil, err
		}
		for i := range found {
			found[i].Name, found[i].Side = folder+"/"+found[i].Name, side
		}
		probes = append(probes, found...)
	}
	slices.SortFunc(probes, func(a, b Probe) int { return strings.Compare(a.Name, b.Name) })
	return probes, nil
}

// Manifests gives the objects of a folder of manifests whose kinds are defined, in the namespace "default", as probes that are
// named by file and number. The replacer fills placeholders in their text.
func Manifests(folder fs.FS, definitions []*Definition, placeholders *strings.Replacer) ([]Probe, error) {
	var probes []Probe
	err := fs.WalkDir(folder, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		data, err := fs.ReadFile(folder, path)
		if err != nil {
			return err
		}
		objects, err := Decode([]byte(placeholders.Replace(string(data))))
		if err != nil {
			return fmt.Errorf("reading %s: %w", path, err)
		}
		for i, object := range objects {
			for _, d := range definitions {
				if d.Kind == object["kind"] && d.GroupVersion().String() == object["apiVersion"] {
					probes = append(probes, Probe{Name: fmt.Sprintf("%s#%d", path, i+1), Definition: d, Side: Either, Object: inDefault(d, object)})
				}
			}
		}
		return nil
	})
	return probes, err
}

// inDefault puts an object into the namespace that the server has.
func inDefault(d *Definition, object map[string]any) map[string]any {
	if metadata, is := object["metadata"].(map[string]any); is && d.Namespaced {
		metadata["namespace"] = "default"
	}
	return object
}
