// Package argocd is the Argo CD config management plugin: an application's directory in, manifests out.
//
// Argo CD runs it in a copy of the repository, with the application's parameters in the environment, and applies what it prints.
// Whatever it prints with exit code 0 is the truth: an empty output would delete what runs, so an application without routes is
// an error unless its configuration allows it.
package argocd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/krm"
	"github.com/routedelta/routedelta/plugin/review"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// ErrEmpty says that the application renders to nothing.
var ErrEmpty = errors.New("the application has no Gateway with routes: printing nothing would delete what runs (spec.allowEmpty permits it)")

// Application is what Argo CD asks for.
type Application struct {
	// Dir is the application's directory, where Argo CD starts the plugin.
	Dir string
	// Env looks up the environment that Argo CD gives: ARGOCD_APP_PARAMETERS.
	Env func(string) string
}

// Generate prints the application's ConfigMaps as a YAML stream. Nothing is printed where it returns an error or a diagnostic of
// severity Error.
func Generate(ctx context.Context, application Application, out io.Writer) (diagnostic.List, error) {
	configured, err := application.configuration()
	if err != nil {
		return nil, err
	}
	rendering, err := review.Render(ctx, []string{"."}, configured, review.Environment{Dir: application.Dir})
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
	return rendering.Diagnostics, print(out, configMaps)
}

func print(out io.Writer, configMaps []krm.ConfigMap) error {
	var stream bytes.Buffer
	for _, configMap := range configMaps {
		text, err := configMap.Marshal()
		if err != nil {
			return err
		}
		stream.WriteString("---\n")
		stream.Write(text)
	}
	_, err := out.Write(stream.Bytes())
	return err
}

// configuration is the application's file with its parameters laid over it: fields of spec that hold one value, by their names.
func (a Application) configuration() (*config.Config, error) {
	configured := new(config.Config)
	name := filepath.Join(a.Dir, config.FileName)
	text, err := os.ReadFile(name)
	if err == nil {
		configured, err = config.Parse(config.FileName, text)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	values, err := a.parameters()
	if err != nil {
		return nil, err
	}
	if err := configured.Set("ARGOCD_APP_PARAMETERS", values); err != nil {
		return nil, err
	}
	return configured, nil
}

// parameters are the application's string parameters. Without any, Argo CD sends the text null.
func (a Application) parameters() (map[string]string, error) {
	text := a.Env("ARGOCD_APP_PARAMETERS")
	if text == "" {
		return nil, nil
	}
	var list []struct {
		Name   string  `json:"name"`
		String *string `json:"string"`
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("reading ARGOCD_APP_PARAMETERS: %w", err)
	}
	values := map[string]string{}
	for _, parameter := range list {
		if parameter.String != nil {
			values[parameter.Name] = *parameter.String
		}
	}
	return values, nil
}
