package kustomize

import (
	"cmp"
	"errors"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/manifest"
)

// Limits of one build. A zero field has the default that it states.
type Limits struct {
	// Reads of files: 20,000. A base that two overlays share is read twice, and one below many such layers very often.
	Reads int
	// Bytes that are read, again and again as it may be: 64 MiB.
	Bytes int64
	// Objects in what is read: 4,000. kustomize compares each with all others.
	Objects int
	// Manifests are the limits on each file.
	Manifests manifest.Limits
}

func (l Limits) withDefaults() Limits {
	l.Reads = cmp.Or(l.Reads, 20_000)
	l.Bytes = cmp.Or(l.Bytes, 64<<20)
	l.Objects = cmp.Or(l.Objects, 4000)
	l.Manifests.FileBytes = cmp.Or(l.Manifests.FileBytes, 32<<20)
	return l
}

// ErrTooMuch says that a kustomization is over a limit.
var ErrTooMuch = errors.New("over the limit of what one kustomization may read")

// spend takes one reading of a file off the budget.
func (l *Limits) spend(file *File) error {
	l.Reads--
	l.Bytes -= int64(len(file.Data))
	l.Objects -= file.objects()
	switch {
	case l.Reads < 0:
		return fmt.Errorf("%w: too many files", ErrTooMuch)
	case l.Bytes < 0:
		return fmt.Errorf("%w: too many bytes", ErrTooMuch)
	case l.Objects < 0:
		return fmt.Errorf("%w: too many objects", ErrTooMuch)
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
}

// parse reads the documents of a file. One that is nested too deep or unfolds to too much is an error: kustomize would unfold it. What
// is no YAML at all (a file for a ConfigMap) has no documents.
func (f *File) parse(limits manifest.Limits) error {
	roots, err := yamlnode.Documents(f.Data)
	if err != nil {
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

// objects counts the objects of a file, those of lists too.
func (f *File) objects() int {
	count := 0
	for _, document := range f.Documents {
		count++
		if items := yamlnode.Get(document, "items"); items != nil {
			count += len(items.Content)
		}
	}
	return count
}
