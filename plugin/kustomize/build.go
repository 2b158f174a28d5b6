package kustomize

import (
	"context"
	"io"
	"io/fs"
	"log"
	"os"
	"path"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Options of a build.
type Options struct {
	// Replaced are texts that stand in place of files of the tree, or where it has none, by their names.
	Replaced map[string][]byte
	// AnyFile lets a kustomization read files outside of its directory, as Flux does; else it is confined as kustomize build confines it,
	// to its directory and other kustomizations.
	AnyFile bool
	// Fetch brings a base or resource of the network that is named somewhere, and gives the directory of the tree where it stands now. Nil:
	// nothing is fetched.
	Fetch  func(ctx context.Context, reference string, at diagnostic.Position) (directory string, err error)
	Limits Limits
}

// Result is what a kustomization gives.
type Result struct {
	// Objects in kustomize's order.
	Objects []*yaml.Node
	// Files that were read, in the order in which they were, each once.
	Files []*File
	// LeftOut are what was left out of kustomizations, so that the rest could be read.
	LeftOut []LeftOut
	// Cost is about how often an object was looked at, for whoever builds many.
	Cost int
	// built is what the library gave.
	built resmap.ResMap
}

// YAML is what kustomize build prints.
func (r *Result) YAML() ([]byte, error) { return r.built.AsYaml() }

// LeftOut is something that a kustomization names and that is not read.
type LeftOut struct {
	// What it is called: "../base", "https://...", "helmCharts".
	What string
	// Why it was left out.
	Why      Why
	Position diagnostic.Position
	// Text is what the kustomization says of charts, in YAML; "" for what is only named.
	Text string
	// Generator: it is a file of a ConfigMap or Secret.
	Generator bool
	// Failed is why something could not be fetched; "" if nobody tried.
	Failed string
}

// Why something was left out.
type Why string

// The reasons.
const (
	NotFetched Why = "it is on the network, and nothing is fetched"
	NotInTree  Why = "it is not in the tree"
	NoHelm     Why = "helm is not run"
	// Outside is of a name that leads above the root of the tree.
	Outside Why = "it is outside of what is read"
)

// IsFile tells by its name whether a file makes a kustomization of its directory.
func IsFile(name string) bool {
	for _, recognized := range konfig.RecognizedKustomizationFileNames() {
		if path.Base(name) == recognized {
			return true
		}
	}
	return false
}

// FileIn finds the kustomization file of a directory, "" if there is none. Of several kustomize takes none; that is told by Build.
func FileIn(tree fs.FS, directory string) string {
	for _, recognized := range konfig.RecognizedKustomizationFileNames() {
		name := path.Join(directory, recognized)
		if info, err := fs.Stat(tree, name); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
}

// building is held during a build: the library keeps the schema of the kustomization in a variable of its own (kyaml/openapi), and
// writes to standard error.
var building sync.Mutex //nolint:gochecknoglobals // it guards somebody else's globals

// Build builds the kustomization of a directory. A *RefusedError is for one that asks for what is not done here; other errors are
// kustomize's own. The files that were read until then are in the result all the same.
func Build(ctx context.Context, tree fs.FS, directory string, options Options) (*Result, error) {
	building.Lock()
	defer building.Unlock()
	files := newFileSystem(ctx, tree, options)
	built, err := run(files, "/"+path.Clean("/" + directory)[1:], options)
	result := &Result{Files: files.read, LeftOut: files.leftOut, Cost: files.spent.cost(), built: built}
	switch {
	case files.refused != nil: // kustomize wraps some errors and swallows others
		return result, files.refused
	case ctx.Err() != nil:
		return result, context.Cause(ctx)
	case err != nil && strings.Contains(err.Error(), malformed) && broken(files.read) != nil:
		return result, broken(files.read)
	case err != nil:
		return result, readable(err)
	}
	for _, object := range built.Resources() {
		result.Objects = append(result.Objects, object.YNode())
	}
	return result, nil
}

// run runs the library. What it does not expect of a hostile input costs one kustomization, not the program.
func run(files *fileSystem, directory string, options Options) (built resmap.ResMap, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = errBroken // what it was about may be in its text
		}
	}()
	defer silence()()
	restrictions := types.LoadRestrictionsRootOnly
	if options.AnyFile {
		restrictions = types.LoadRestrictionsNone
	}
	return krusty.MakeKustomizer(&krusty.Options{
		Reorder:          krusty.ReorderOptionUnspecified, // as the command has it
		LoadRestrictions: restrictions,
		PluginConfig:     types.DisabledPluginConfig(),
	}).Run(files, directory)
}

// silence keeps the library's warnings, which it writes to standard error and to the standard log with no way to say otherwise
// (api/internal/target, KustTarget.Load), from standing between the lines of whoever runs this. The function that it gives ends it.
func silence() func() {
	real := os.Stderr
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return func() {}
	}
	logged := log.Writer()
	os.Stderr = nowhere
	log.SetOutput(io.Discard)
	return func() {
		os.Stderr = real
		log.SetOutput(logged)
		_ = nowhere.Close()
	}
}
