package argocd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/routedelta/routedelta/plugin/config"
)

// Discover prints the name of the application's configuration if there is one: any output means that the application is ours. It looks
// at nothing else, since it is called for every application of every repository. A configuration that is wrong is ours too: its
// application then fails with what is wrong, and is not passed to another plugin.
func Discover(application Application, out io.Writer) error {
	root, err := os.OpenRoot(application.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	info, err := root.Stat(config.FileName)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, config.FileName)
	return err
}
