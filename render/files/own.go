package files

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// OwnFiles lists the files of a rendering in the directory of a Gateway, sorted. What else is there (certs/) is somebody else's.
func OwnFiles(tree fs.FS) ([]string, error) {
	var own []string
	for _, pattern := range []string{"bootstrap.*", "lds.*", "cds.*", "rds/*", "eds/*", "sds/*", "secrets/.gitignore", "secrets/*.pem"} {
		found, err := fs.Glob(tree, pattern)
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			if slices.Contains(extensions, path.Ext(file)) || strings.HasPrefix(pattern, "secrets/") {
				own = append(own, file)
			}
		}
	}
	slices.Sort(own)
	return own, nil
}

// FormatOf tells in which format the files of a Gateway's directory are: that of its bootstrap, whose references have its extension.
// It is "" where there is no bootstrap.
func FormatOf(tree fs.FS) (Format, error) {
	bootstrap, err := findBootstrap(tree, ".")
	if err != nil || bootstrap == "" {
		return "", err
	}
	for _, format := range []Format{JSON, YAML, Binary} {
		if bootstrap == withExtension(BootstrapPath, "."+string(format)) {
			return format, nil
		}
	}
	return "", fmt.Errorf("%s is none of a rendering: want bootstrap.json, .yaml or .pb", bootstrap)
}
