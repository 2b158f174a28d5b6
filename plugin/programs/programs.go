// Package programs finds programs of this machine, while the current directory may be a stranger's.
//
// In comes the name of a program, out goes its absolute path, or an error that is exec.ErrNotFound. Places of PATH that depend on the
// directory that one stands in ("", ".", "bin") are left out: a pull request may bring a program with any name.
package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Path is the PATH of this process without the places that depend on the current directory.
func Path() string { return Absolute(os.Getenv("PATH")) }

// Absolute is a PATH without the places that depend on the current directory.
func Absolute(path string) string {
	var places []string
	for _, place := range filepath.SplitList(path) {
		if filepath.IsAbs(place) {
			places = append(places, place)
		}
	}
	return strings.Join(places, string(os.PathListSeparator))
}

// Find finds a program by its name.
func Find(name string) (string, error) {
	for _, place := range filepath.SplitList(Path()) {
		if found, err := exec.LookPath(filepath.Join(place, name)); err == nil {
			return found, nil
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}
