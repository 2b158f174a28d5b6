package argocd

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/review"
)

// Application is what Argo CD asks for.
type Application struct {
	// Dir is the application's directory, where Argo CD starts the plugin.
	Dir string
	// Env looks up the environment that Argo CD gives.
	Env func(string) string
}

// The environment that Argo CD gives. It also has PARAM_<NAME> for each parameter, where two names may fall together; the JSON is
// the whole truth.
const (
	envParameters = "ARGOCD_APP_PARAMETERS"
	// envNamespace is the namespace to which the application's objects are applied if they name none.
	envNamespace = "ARGOCD_APP_NAMESPACE"
	// envPath is the application's path in the repository.
	envPath = "ARGOCD_APP_SOURCE_PATH"
)

// settings are the application's configuration, with what only Argo CD asks about.
type settings struct {
	*config.Config
	serverSideApply string
}

// configuration is the application's file with its parameters laid over it.
func (a Application) configuration() (*settings, error) {
	configured, err := a.file()
	if err != nil {
		return nil, err
	}
	values, err := parseParameters(a.Env(envParameters))
	if err != nil {
		return nil, err
	}
	s := &settings{Config: configured, serverSideApply: applyLarge}
	return s, s.take(values)
}

// file is the configuration in the application's directory, or that of nothing.
func (a Application) file() (*config.Config, error) {
	root, err := os.OpenRoot(a.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	text, err := root.ReadFile(config.FileName)
	if errors.Is(err, fs.ErrNotExist) {
		return new(config.Config), nil
	}
	if err != nil {
		return nil, err
	}
	return config.Parse(config.FileName, text)
}

// environment is where and for whom the application is rendered.
func (a Application) environment() review.Environment {
	return review.Environment{Dir: a.Dir, Root: a.root(), Namespace: a.Env(envNamespace)}
}

// root is the root of the repository's copy, which may have come without its .git: an overlay refers to its base beside it. "" is for a
// directory that does not end as Argo CD says it does.
func (a Application) root() string {
	directory, err := filepath.Abs(a.Dir)
	inside := filepath.Clean(filepath.FromSlash(a.Env(envPath)))
	if err != nil || inside == "." || !filepath.IsLocal(inside) {
		return ""
	}
	root, below := strings.CutSuffix(directory, string(filepath.Separator)+inside)
	if !below || root == "" {
		return ""
	}
	return root
}
