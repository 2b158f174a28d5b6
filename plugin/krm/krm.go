// Package krm holds renderings in Kubernetes objects, and is the KRM function that does so for kustomize and kpt.
//
// In comes a ResourceList with routes; out goes the same ResourceList with ConfigMaps that hold the Envoy files, and with what there
// is to say as results. All other items pass through as bytes. The contract is the KRM functions specification
// (config.kubernetes.io/v1), the traps are those of kustomize v5: a result of severity error does not fail a build, an exit
// code does; an empty list deletes everything, so none is written that was not asked for.
package krm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/krm/resourcelist"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// MaxInput bounds a ResourceList.
const MaxInput = 64 << 20

// Caller is what a function can see of who calls it.
type Caller struct {
	// Dir is where the function was started: for an executable under kustomize, the folder of the kustomization that lists it. Nil is:
	// unknown, as in a container.
	Dir fs.FS
	// Check adds to what was found in objects and their rendering what the rules do to each other, and takes out what is suppressed. It
	// is asked where the configuration wants a check. Nil: nothing is added or taken out.
	Check func(ctx context.Context, objects *manifest.Objects, rendering *render.Rendering, found diagnostic.List, suppressed []config.Suppression) (diagnostic.List, error)
}

// Run reads a ResourceList and writes it back with the rendering in it. Where a diagnostic is an error the list goes out as it
// came, with results and without ConfigMaps; the caller exits with 1 then. An error means that there was no list to give back, and
// that nothing was written.
func Run(ctx context.Context, in io.Reader, out io.Writer, caller Caller) (diagnostic.List, error) {
	text, err := io.ReadAll(io.LimitReader(in, MaxInput+1))
	if err != nil {
		return nil, fmt.Errorf("reading the ResourceList: %w", err)
	}
	if len(text) > MaxInput {
		return nil, fmt.Errorf("the ResourceList has more than %d bytes", MaxInput)
	}
	list, err := resourcelist.Parse(text)
	if err != nil {
		return nil, readingError(err)
	}
	f := newFunction(caller, list)
	edit, err := f.run(ctx)
	if errors.Is(err, resourcelist.ErrEntangled) {
		if list, err = resourcelist.ParseWhole(text); err != nil {
			return nil, readingError(err)
		}
		f = newFunction(caller, list)
		edit, err = f.run(ctx)
	}
	if err != nil {
		return nil, err
	}
	edit.Results = f.results()
	return f.found, list.Write(out, edit)
}

func readingError(err error) error {
	if errors.Is(err, resourcelist.ErrNoList) {
		return errors.New("standard input holds no ResourceList (config.kubernetes.io/v1): want what kustomize or kpt send")
	}
	return fmt.Errorf("reading the ResourceList: %w", err)
}
