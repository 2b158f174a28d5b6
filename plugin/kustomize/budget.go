package kustomize

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// Limits of one build. A zero field has the default that it states.
type Limits struct {
	// Reads of files: 20,000. A base that two overlays share is read twice, and one below many such layers very often.
	Reads int
	// Bytes that are read, again and again as it may be: 64 MiB.
	Bytes int64
	// Objects in what is read: 2,500. kustomize compares each with all others, and does so again in each layer.
	Objects int
	// Layers are kustomizations that are bases of one another: 12.
	Layers int
	// Work is the number of objects times that of the patches and replacements, each of which is tried on every object: 2,000,000.
	Work int
	// Manifests are the limits on each file.
	Manifests manifest.Limits
}

func (l Limits) withDefaults() Limits {
	l.Reads = cmp.Or(l.Reads, 20_000)
	l.Bytes = cmp.Or(l.Bytes, 64<<20)
	l.Objects = cmp.Or(l.Objects, 2500)
	l.Layers = cmp.Or(l.Layers, 12)
	l.Work = cmp.Or(l.Work, 2_000_000)
	l.Manifests.FileBytes = cmp.Or(l.Manifests.FileBytes, 32<<20)
	return l
}

// ErrTooMuch says that a kustomization is over a limit.
var ErrTooMuch = errors.New("over the limit of what one kustomization may read")

// budget is what a build has spent of its limits.
type budget struct {
	limits         Limits
	reads, objects int
	bytes          int64
	// patches and replacements, each with its targets.
	patches int
	// layer of each directory, counted from the kustomization that is built.
	layers map[string]int
}

// spend takes one reading of a file off the budget.
func (b *budget) spend(file *File) error {
	b.reads++
	b.bytes += int64(len(file.Data))
	objects, operations := file.counts()
	b.objects += objects
	b.patches += operations
	switch {
	case b.reads > b.limits.Reads:
		return fmt.Errorf("%w: more than %d files", ErrTooMuch, b.limits.Reads)
	case b.bytes > b.limits.Bytes:
		return fmt.Errorf("%w: more than %d bytes", ErrTooMuch, b.limits.Bytes)
	case b.objects > b.limits.Objects:
		return fmt.Errorf("%w: more than %d objects", ErrTooMuch, b.limits.Objects)
	case b.patches*b.objects > b.limits.Work:
		return fmt.Errorf("%w: %d patches and replacements on %d objects", ErrTooMuch, b.patches, b.objects)
	}
	return nil
}

// cost is about how often the build has looked at an object, or at a hundred bytes.
func (b *budget) cost() int { return b.objects*(b.objects+b.patches) + int(b.bytes/100) }

// refer notes what a kustomization asks for: patches and replacements, and the directories that are a layer below it.
func (b *budget) refer(directory string, read types.Kustomization) error {
	b.patches += len(read.Patches) + len(read.PatchesJson6902) + len(read.PatchesStrategicMerge) + len(read.Transformers)
	for _, replacement := range read.Replacements {
		b.patches += max(1, len(replacement.Targets))
	}
	for _, name := range slices.Concat(read.Resources, read.Bases, read.Components) {
		below := path.Join(directory, name)
		if b.layers[below] = max(b.layers[below], b.layers[directory]+1); b.layers[below] > b.limits.Layers {
			return fmt.Errorf("%w: more than %d kustomizations one below the other", ErrTooMuch, b.limits.Layers)
		}
	}
	return nil
}

// File is a file that a build has read.
type File struct {
	// Name from the root of the tree.
	Name string
	// Data as the tree has it, or what was put in its place.
	Data []byte
	// Documents are its YAML documents, each with its lines in the file; none if it is no YAML.
	Documents []*yaml.Node
	// broken says why it is no YAML; the position is in it.
	broken *BrokenError
}

// parse reads the documents of a file. One that is nested too deep or unfolds to too much is an error: kustomize would unfold it. What
// is no YAML at all (a file for a ConfigMap) has no documents.
func (f *File) parse(limits manifest.Limits) error {
	roots, err := yamlnode.Documents(f.Data)
	if err != nil {
		line, message := manifest.YAMLError(err)
		f.broken = &BrokenError{diagnostic.Position{File: f.Name, Line: max(1, line)}, "not YAML: " + message}
		return nil
	}
	for _, root := range roots {
		if err := manifest.CheckBounds(root, limits); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	f.Documents = roots
	return nil
}

// counts are the objects of a file, those of lists too, and the operations or replacements, if it is a list of those.
func (f *File) counts() (objects, operations int) {
	for _, document := range f.Documents {
		if document.Kind == yaml.SequenceNode {
			operations += len(document.Content)
			continue
		}
		objects++
		if items := yamlnode.Get(document, "items"); items != nil {
			objects += len(items.Content)
		}
	}
	return objects, operations
}
