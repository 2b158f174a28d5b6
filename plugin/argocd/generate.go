package argocd

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/routedelta/routedelta/plugin/krm"
	"github.com/routedelta/routedelta/plugin/review"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// ErrEmpty says that the application renders to nothing.
var ErrEmpty = errors.New("the application has no Gateway with routes: printing nothing would delete what runs (spec.allowEmpty permits it)")

// Generate prints the application's ConfigMaps as a YAML stream. Nothing is printed where it returns an error or a diagnostic of
// severity Error.
func Generate(ctx context.Context, application Application, out io.Writer) (diagnostic.List, error) {
	configured, err := application.configuration()
	if err != nil {
		return nil, err
	}
	rendering, err := review.Render(ctx, []string{"."}, configured.Config, application.environment())
	if err != nil {
		return nil, err
	}
	if rendering.Diagnostics.HasErrors() {
		return rendering.Diagnostics, nil
	}
	configMaps, err := krm.ConfigMaps(rendering, configured.Spec)
	if err != nil {
		return rendering.Diagnostics, err
	}
	if len(configMaps) == 0 && !configured.Spec.AllowEmpty {
		return rendering.Diagnostics, ErrEmpty
	}
	return rendering.Diagnostics, configured.print(out, configMaps)
}

const (
	// syncOptions is what Argo CD obeys when it applies an object.
	syncOptions = "argocd.argoproj.io/sync-options"
	// largeObject is a size below 256 KB, which an object's annotations may have together: applied by the client, its whole text is
	// one of them.
	largeObject = 200 << 10
)

// print writes all at once, and that only when everything is made: Argo CD takes what there is.
func (s *settings) print(out io.Writer, configMaps []krm.ConfigMap) error {
	var stream bytes.Buffer
	for _, configMap := range configMaps {
		text, err := configMap.Marshal()
		if err != nil {
			return err
		}
		if s.serverSideApply == applyAlways || s.serverSideApply == applyLarge && len(text) > largeObject {
			configMap.Annotations[syncOptions] = "ServerSideApply=true"
			if text, err = configMap.Marshal(); err != nil {
				return err
			}
		}
		stream.WriteString("---\n")
		stream.Write(text)
	}
	_, err := out.Write(stream.Bytes())
	return err
}
