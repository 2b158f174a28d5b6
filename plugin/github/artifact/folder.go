package artifact

import (
	"fmt"
	"io"
	"os"
)

// inFolder lists a folder. A file is opened through the folder, so that no link leads out of it, and only if it is one: opening a
// pipe would wait for ever.
func inFolder(path string) ([]file, io.Closer, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the artifact: %w", err)
	}
	folder, err := root.Open(".")
	if err != nil {
		root.Close()
		return nil, nil, fmt.Errorf("reading the artifact: %w", err)
	}
	defer folder.Close()
	entries, err := folder.ReadDir(maxFiles + 1)
	if err != nil && len(entries) == 0 && err != io.EOF {
		root.Close()
		return nil, nil, fmt.Errorf("reading the artifact: %w", err)
	}
	var files []file
	for _, entry := range entries {
		if !entry.Type().IsRegular() || len(entries) > maxFiles {
			root.Close()
			return nil, nil, wrong("%q is no plain file, or there are more than %d", clipped(entry.Name()), maxFiles)
		}
		name := entry.Name()
		files = append(files, file{name, func() (io.ReadCloser, error) { return root.Open(name) }})
	}
	return files, root, nil
}
