package artifact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Names of the files.
const (
	ReportName = "report.json"
	AboutName  = "about.json"
)

// Shown are files that an artifact may have for people; they are not read.
var shown = []string{"report.md", "report.txt", "report.html", "report.sarif", "annotations.json"}

// Bounds of an artifact.
const (
	maxFiles  = 16
	maxReport = 32 << 20
	maxAbout  = 4 << 10
	maxZIP    = 16 << 20
)

// Version of About.
const Version = "routedelta.dev/artifact/v1alpha1"

// Artifact is what was left. The report is as it was found, to be decoded strictly.
type Artifact struct {
	Report []byte
	About  About
}

// About is what the run says it was about. It is a claim.
type About struct {
	Version string `json:"version"`
	// Number of the pull request.
	Number int `json:"number"`
	// Head is the commit of the pull request, Base what it was compared with.
	Head string `json:"head"`
	Base string `json:"base"`
}

// Error says what is wrong with an artifact.
type Error struct{ Message string }

func (e *Error) Error() string { return "the artifact: " + e.Message }

// Hint says what to do.
func (e *Error) Hint() string {
	return "an artifact is the folder that routedelta report writes, or a ZIP file of it"
}

func wrong(form string, arguments ...any) error { return &Error{fmt.Sprintf(form, arguments...)} }

// Write puts an artifact into a folder, which it makes.
func Write(dir string, a Artifact) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("writing the artifact: %w", err)
	}
	a.About.Version = Version
	about, err := json.MarshalIndent(a.About, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the artifact: %w", err)
	}
	err = errors.Join(os.WriteFile(filepath.Join(dir, ReportName), a.Report, 0o644),
		os.WriteFile(filepath.Join(dir, AboutName), append(about, '\n'), 0o644))
	if err != nil {
		return fmt.Errorf("writing the artifact: %w", err)
	}
	return nil
}

// Read reads an artifact from a folder or a ZIP file.
func Read(path string) (Artifact, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Artifact{}, fmt.Errorf("reading the artifact: %w", err)
	}
	var files []file
	var done io.Closer
	switch {
	case info.IsDir():
		files, done, err = inFolder(path)
	case info.Mode().IsRegular() && info.Size() <= maxZIP:
		files, done, err = inZIP(path)
	default:
		err = wrong("%s is neither a folder nor a ZIP file of at most %d bytes", filepath.Base(path), maxZIP)
	}
	if err != nil {
		return Artifact{}, err
	}
	defer done.Close()
	return assemble(files)
}

// file is one of an artifact, not read yet.
type file struct {
	name string
	open func() (io.ReadCloser, error)
}

// assemble reads the files that count, once it is known that there are no others.
func assemble(files []file) (Artifact, error) {
	seen := map[string]file{}
	for _, f := range files {
		if f.name != ReportName && f.name != AboutName && !slices.Contains(shown, f.name) {
			return Artifact{}, wrong("%q is no file of one", clipped(f.name))
		}
		if _, twice := seen[f.name]; twice {
			return Artifact{}, wrong("%s is there twice", f.name)
		}
		seen[f.name] = f
	}
	report, err := read(seen, ReportName, maxReport)
	if err != nil {
		return Artifact{}, err
	}
	about, err := read(seen, AboutName, maxAbout)
	if err != nil {
		return Artifact{}, err
	}
	a := Artifact{Report: report}
	a.About, err = decodeAbout(about)
	return a, err
}

// clipped keeps a name from filling a log.
func clipped(name string) string { return name[:min(len(name), 100)] }

// read reads one file to its end, or to its bound: what a ZIP file says of its sizes is a claim too.
func read(files map[string]file, name string, limit int64) ([]byte, error) {
	f, there := files[name]
	if !there {
		return nil, wrong("there is no %s", name)
	}
	reader, err := f.open()
	if err != nil {
		return nil, wrong("%s: %v", name, err)
	}
	defer reader.Close()
	text, err := io.ReadAll(io.LimitReader(reader, limit+1))
	switch {
	case err != nil:
		return nil, wrong("%s: %v", name, err)
	case int64(len(text)) > limit:
		return nil, wrong("%s is larger than %d bytes", name, limit)
	}
	return text, nil
}

func decodeAbout(text []byte) (About, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var about About
	if err := decoder.Decode(&about); err != nil {
		return About{}, wrong("%s: %v", AboutName, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return About{}, wrong("%s: there is more behind its value", AboutName)
	}
	switch {
	case about.Version != Version:
		return About{}, wrong("%s: version %q, want %q", AboutName, clipped(about.Version), Version)
	case about.Number <= 0:
		return About{}, wrong("%s: it names no pull request", AboutName)
	case strings.TrimSpace(about.Head) == "":
		return About{}, wrong("%s: it names no head", AboutName)
	}
	return about, nil
}
