package files

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	discoveryv3 "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// CheckDir is Check for a directory of Envoy files, with what only the files can show: files that are missing, that do not
// parse, that hold another resource than the one they are read for, and fields that no message has. The error is for a
// directory that holds no Envoy files at all, and for a cancelled context.
func CheckDir(ctx context.Context, dir string) (diagnostic.List, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("checking Envoy files: %w", err)
	}
	defer root.Close()
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	loaded, err := loadAll(ctx, root.FS(), absolute)
	if err != nil {
		return nil, fmt.Errorf("checking %s: %w", dir, err)
	}
	var found diagnostic.List
	for _, l := range loaded {
		found = append(found, l.check(dir)...)
	}
	return found.Sort(), nil
}

// check gives the findings about one Envoy the places that its files have on the disk.
func (l *loader) check(dir string) diagnostic.List {
	found := slices.Concat(l.problems, l.unknown())
	for _, d := range l.problems {
		if d.Object.Kind == string(bootstrapKind) {
			return located(found, dir)
		}
	}
	// Findings name the files of our layout.
	actual := map[string]string{}
	for target, file := range l.read {
		actual[filepath.ToSlash(filepath.Join(l.set.Name, target))] = file
	}
	for _, d := range checkSet(l.set, l.problems) {
		if file, ok := actual[d.Position.File]; ok {
			d.Position.File = file
		}
		found = append(found, d)
	}
	return located(found, dir)
}

// located puts the directory in front of the files, so that a path leads there from where the user is.
func located(found diagnostic.List, dir string) diagnostic.List {
	for i := range found {
		found[i].Position.File = filepath.Join(dir, filepath.FromSlash(found[i].Position.File))
	}
	return found
}

// unknown finds the fields that nobody knows in the files that were read.
func (l *loader) unknown() diagnostic.List {
	var found diagnostic.List
	for _, file := range slices.Sorted(maps.Keys(l.texts)) {
		message := new(discoveryv3.DiscoveryResponse).ProtoReflect().Descriptor()
		if file == l.bootstrap {
			message = new(bootstrapv3.Bootstrap).ProtoReflect().Descriptor()
		}
		for _, u := range unknownFields(file, l.texts[file], message) {
			found = append(found, diagnostic.Diagnostic{
				Code:     u.code,
				Severity: diagnostic.Error,
				Position: diagnostic.Position{File: file, Line: u.line},
				Field:    u.field,
				Message:  u.message,
			})
		}
	}
	return found
}
