package review

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// Environment is what a home gives the job to work in.
type Environment struct {
	// Dir is where relative paths and the git repository are looked up.
	Dir string
	// Stdin is read for the source "-"; nil where there is none.
	Stdin io.Reader
	// Tool is the version of routedelta, for the report.
	Tool string
	// BlobURL, if set, is where the later side's files can be seen: "<BlobURL>/<file>#L<line>". Otherwise it is guessed from the
	// repository's remote.
	BlobURL string
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
	var all input
	for _, argument := range arguments {
		source, err := ParseSource(argument)
		if err != nil {
			return nil, err
		}
		read, err := environment.read(ctx, source)
		if err != nil {
			return nil, err
		}
		if read.sets != nil {
			return nil, fmt.Errorf("%s: %w", source, ErrRendered)
		}
		all.texts = append(all.texts, read.texts...)
		all.diagnostics = append(all.diagnostics, read.diagnostics...)
	}
	all.parse(ctx)
	return all.render(ctx, configured.RenderOptions())
}
