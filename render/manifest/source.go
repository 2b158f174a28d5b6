package manifest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Source is a text that may hold manifests.
type Source struct {
	// Name is a slash path as a user would type it, or "-" for standard input. It becomes Position.File.
	Name string
	Data []byte
	// Named: the caller asked for this very text (a file argument, standard input), so that text that is not YAML is an
	// error. What is merely found in a directory may be a template of another tool.
	Named bool
	// Lines are where each line of Data comes from, if a renderer has made the text of others: what is said of it is said of these.
	// A line behind the last one, and one whose position has no file, stands for itself.
	Lines []diagnostic.Position
}

// position is where a line stands that people edit.
func (s *Source) position(line, column int) diagnostic.Position {
	if line <= len(s.Lines) && s.Lines[line-1].File != "" {
		return s.Lines[line-1]
	}
	return diagnostic.Position{File: s.Name, Line: line, Column: column}
}

// Rename gives the text, and the files that it was made of, other names.
func (s *Source) Rename(name func(string) string) {
	s.Name = name(s.Name)
	lines := make([]diagnostic.Position, len(s.Lines)) // whoever made the text may have kept them
	for i, at := range s.Lines {
		at.File = name(at.File)
		lines[i] = at
	}
	if s.Lines != nil {
		s.Lines = lines
	}
}

// ErrTooLarge is returned by File for a file over the limit.
var ErrTooLarge = errors.New("file is too large")

// File reads one file that the caller named. A pipe is read as well, up to the limit.
func File(name string, limits Limits) (Source, error) {
	file, err := os.Open(name)
	if err != nil {
		return Source{}, err
	}
	defer file.Close()
	data, err := readBounded(file, limits.withDefaults().FileBytes)
	if err != nil {
		return Source{}, fmt.Errorf("reading %q: %w", name, err)
	}
	return Source{Name: filepath.ToSlash(name), Data: data, Named: true}, nil
}

// Stream reads what a caller pipes in, under a name that stands for it ("-"), up to the limit of a file.
func Stream(name string, reader io.Reader, limits Limits) (Source, error) {
	data, err := readAtMost(reader, limits.withDefaults().FileBytes)
	if err != nil {
		return Source{}, err
	}
	return Source{Name: name, Data: data, Named: true}, nil
}

// readBounded reads a file that has at most max bytes. A regular file that is larger is refused by its size, before any of it
// is in memory; what has no size is read no further than the limit.
func readBounded(file fs.File, most int64) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() && info.Size() > most {
		return nil, fmt.Errorf("%w: %d bytes, the limit is %d", ErrTooLarge, info.Size(), most)
	}
	return readAtMost(file, most)
}

func readAtMost(reader io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(reader, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("%w: the limit is %d bytes", ErrTooLarge, most)
	}
	return data, nil
}

// Select chooses from the slash paths of a tree those that may be manifests: *.yaml, *.yml and *.json outside of folders
// whose name begins with a dot. The templates of Helm charts are not YAML before Helm has run; charts lists the folders
// of the charts whose templates were left out. It is for every reader of trees, a directory as well as a commit.
func Select(paths []string) (chosen, charts []string) {
	templates := map[string]bool{}
	for _, p := range paths {
		if path.Base(p) == "Chart.yaml" {
			templates[path.Join(path.Dir(p), "templates")] = true
		}
	}
	skipped := map[string]bool{}
	for _, p := range paths {
		if !isManifestName(p) {
			continue
		}
		if folder := folderAmong(p, templates); folder != "" {
			if chart := path.Dir(folder); !skipped[chart] {
				skipped[chart] = true
				charts = append(charts, chart)
			}
			continue
		}
		chosen = append(chosen, p)
	}
	return chosen, charts
}

// Candidate tells whether a file of a tree may be read, by its name alone: it has the extension of a manifest, or it says that
// there is a Helm chart around it. Select chooses among the candidates.
func Candidate(name string) bool { return isManifestName(name) }

// isManifestName tells by its name whether a file is read.
func isManifestName(name string) bool {
	for folder := range strings.SplitSeq(path.Dir(name), "/") {
		if isDotFolder(folder) {
			return false
		}
	}
	return hasManifestExtension(name)
}

func isDotFolder(name string) bool {
	return strings.HasPrefix(name, ".") && name != "." && name != ".."
}

func hasManifestExtension(name string) bool {
	switch path.Ext(name) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// folderAmong is the folder above a path that is in the set, or "".
func folderAmong(p string, set map[string]bool) string {
	for folder := path.Dir(p); folder != "." && folder != "/"; folder = path.Dir(folder) {
		if set[folder] {
			return folder
		}
	}
	return ""
}
