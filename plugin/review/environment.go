package review

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/fetch"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
)

// Environment is what a home gives the job to work in.
type Environment struct {
	// Dir is where relative paths and the git repository are looked up.
	Dir string
	// Root is where the references of a directory end that stands in no git repository, as a copy of one without its .git; "" is the
	// directory itself.
	Root string
	// Namespace is that of objects whose manifests name none, where the caller knows it.
	Namespace string
	// Stdin is read for the source "-"; nil where there is none.
	Stdin io.Reader
	// Tool is the version of routedelta, for the report.
	Tool string
	// BlobURL, if set, is where the later side's files can be seen: "<BlobURL>/<file>#L<line>". Otherwise it is guessed from the
	// repository's remote.
	BlobURL string
	// RunCommands permits the render command of a configuration: it is of a base commit, or of a file or a flag that the caller has
	// named. One that was just found beside the manifests could be a stranger's.
	RunCommands bool
	// Network is where bases of kustomizations are brought from; nil where nothing may be fetched, which only the caller can say.
	Network *fetch.Network
}

// CommandRefusedError is a render command that nobody has vouched for.
type CommandRefusedError struct{ Program string }

func (e *CommandRefusedError) Error() string {
	return fmt.Sprintf("the configuration was found beside the manifests, so its render command (%s) is not run", e.Program)
}

// Hint says what to do.
func (e *CommandRefusedError) Hint() string {
	return "if it is yours, name the file: --config " + config.FileName + ", or the command: --render-command '...'"
}

// InputError says that a side cannot be rendered; Diagnostics say why.
type InputError struct {
	// Source is what the caller named.
	Source      string
	Diagnostics diagnostic.List
}

func (e *InputError) Error() string {
	return fmt.Sprintf("%s cannot be rendered: %d diagnostics", e.Source, len(e.Diagnostics))
}

// ErrRendered says that a source holds Envoy files where manifests are wanted.
var ErrRendered = errors.New("holds Envoy files, want manifests")

// Render renders the manifests of several sources as one input. Diagnostics of severity Error are in the rendering: nothing of it
// may be written then.
func Render(ctx context.Context, arguments []string, configured *config.Config, environment Environment) (*render.Rendering, error) {
	all, err := environment.readManifests(ctx, arguments, configured.Spec.Sources)
	if err != nil {
		return nil, err
	}
	all.alone = true
	all.parse(ctx)
	return all.render(ctx, configured.RenderOptions())
}

// RenderWithKeys is Render for a configuration that wants secrets in files. It also gives the files with certificates and keys, and
// is the only one that reads keys.
func RenderWithKeys(ctx context.Context, arguments []string, configured *config.Config, environment Environment) (*render.Rendering, []files.File, error) {
	all, err := environment.readManifests(ctx, arguments, configured.Spec.Sources)
	if err != nil {
		return nil, nil, err
	}
	all.keepKeys = true
	all.parse(ctx)
	rendering, err := all.render(ctx, configured.RenderOptions())
	if err != nil {
		return nil, nil, err
	}
	keys, found := rendering.KeyFiles(all.objects)
	rendering.Diagnostics = append(rendering.Diagnostics, found...).Sort()
	return rendering, keys, nil
}

func (e Environment) readManifests(ctx context.Context, arguments []string, sources config.Sources) (*input, error) {
	all := &input{namespace: e.Namespace}
	for _, argument := range arguments {
		source, err := ParseSource(argument)
		if err != nil {
			return nil, err
		}
		read, err := e.read(ctx, source, sources)
		if err != nil {
			return nil, err
		}
		if read.sets != nil {
			return nil, fmt.Errorf("%s: %w", source, ErrRendered)
		}
		all.texts = append(all.texts, read.texts...)
		all.diagnostics = append(all.diagnostics, read.diagnostics...)
		all.parts = append(all.parts, read.parts...)
	}
	return all, nil
}
