package artifact

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const goodAbout = `{"version":"routedelta.dev/artifact/v1alpha1","number":7,"head":"abc","base":"def"}`

// entry is one of a ZIP file that is made.
type entry struct {
	name, text string
	mode       os.FileMode
}

func good() []entry {
	return []entry{{name: ReportName, text: "{}"}, {name: AboutName, text: goodAbout}}
}

func makeZIP(t *testing.T, entries []entry) string {
	t.Helper()
	var text bytes.Buffer
	archive := zip.NewWriter(&text)
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		header.SetMode(e.mode)
		w, err := archive.CreateHeader(header)
		if err == nil {
			_, err = io.WriteString(w, e.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return writeFile(t, t.TempDir(), "artifact.zip", text.Bytes())
}

func writeFile(t *testing.T, dir, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func makeFolder(t *testing.T, entries []entry) string {
	t.Helper()
	dir := t.TempDir()
	for _, e := range entries {
		writeFile(t, dir, e.name, []byte(e.text))
	}
	return dir
}

func TestWrittenIsRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "artifact")
	want := Artifact{Report: []byte("{}\n"), About: About{Number: 7, Head: "abc", Base: "def"}}
	if err := Write(dir, want); err != nil {
		t.Fatal(err)
	}
	got, err := Read(dir)
	if err != nil || string(got.Report) != "{}\n" || got.About.Number != 7 || got.About.Head != "abc" || got.About.Version != Version {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestForms(t *testing.T) {
	withMore := append(good(), entry{name: "report.md", text: "# for people"})
	for name, path := range map[string]string{"folder": makeFolder(t, withMore), "ZIP": makeZIP(t, withMore)} {
		if a, err := Read(path); err != nil || string(a.Report) != "{}" || a.About.Number != 7 {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}

// TestHostile: whatever a stranger left, it is refused with the reason, within bounds.
func TestHostile(t *testing.T) {
	report, about := good()[0], good()[1]
	for name, test := range map[string]struct {
		entries []entry
		says    string
	}{
		"nothing":          {nil, "there is no report.json"},
		"no about":         {[]entry{report}, "there is no about.json"},
		"an unknown file":  {append(good(), entry{name: "run.sh", text: "touch x"}), `"run.sh" is no file of one`},
		"about, misspelt":  {[]entry{report, {name: AboutName, text: `{"nummer":7}`}}, "unknown field"},
		"about, twice":     {[]entry{report, {name: AboutName, text: goodAbout + goodAbout}}, "more behind its value"},
		"about, a text":    {[]entry{report, {name: AboutName, text: `{"version":"routedelta.dev/artifact/v1alpha1","number":"7"}`}}, "number"},
		"about, version":   {[]entry{report, {name: AboutName, text: `{"version":"2"}`}}, `version "2"`},
		"about, no number": {[]entry{report, {name: AboutName, text: `{"version":"routedelta.dev/artifact/v1alpha1","head":"x"}`}}, "no pull request"},
		"about, no head":   {[]entry{report, {name: AboutName, text: `{"version":"routedelta.dev/artifact/v1alpha1","number":1}`}}, "no head"},
		"about, large":     {[]entry{report, {name: AboutName, text: strings.Repeat(" ", maxAbout+1)}}, "larger than"},
		"a large report":   {[]entry{{name: ReportName, text: strings.Repeat(" ", maxReport+1)}, about}, "larger than"},
	} {
		for form, path := range map[string]string{"folder": makeFolder(t, test.entries), "ZIP": makeZIP(t, test.entries)} {
			t.Run(name+" in a "+form, func(t *testing.T) { requireRefused(t, path, test.says) })
		}
	}
	for name, test := range map[string]struct {
		entries []entry
		says    string
	}{
		"out of the folder": {append(good(), entry{name: "../../.bashrc", text: "x"}), "is no file of one"},
		"an absolute name":  {append(good(), entry{name: "/etc/passwd", text: "x"}), "is no file of one"},
		"backslashes":       {append(good(), entry{name: `..\report.json`, text: "x"}), "is no file of one"},
		"a folder":          {append(good(), entry{name: "report.md/", mode: os.ModeDir | 0o755}), "no plain file"},
		"a link":            {[]entry{{name: ReportName, text: "/etc/passwd", mode: os.ModeSymlink | 0o777}, about}, "no plain file"},
		"a pipe":            {[]entry{{name: ReportName, mode: os.ModeNamedPipe | 0o644}, about}, "no plain file"},
		"twice":             {append(good(), entry{name: ReportName, text: "other"}), "report.json is there twice"},
		"many files":        {many(), "more than 16"},
	} {
		t.Run(name+" in a ZIP", func(t *testing.T) { requireRefused(t, makeZIP(t, test.entries), test.says) })
	}
}

func many() []entry {
	var all []entry
	for i := range 1000 {
		all = append(all, entry{name: fmt.Sprintf("report.%d", i)})
	}
	return all
}

func requireRefused(t *testing.T, path, says string) {
	t.Helper()
	_, err := Read(path)
	var wrong *Error
	if !errors.As(err, &wrong) || !strings.Contains(err.Error(), says) || wrong.Hint() == "" {
		t.Errorf("error %v, want %q", err, says)
	}
}

func TestHostileFolders(t *testing.T) {
	secret := writeFile(t, t.TempDir(), "secret", []byte("open sesame"))
	t.Run("a link", func(t *testing.T) {
		dir := makeFolder(t, good()[1:])
		if err := os.Symlink(secret, filepath.Join(dir, ReportName)); err != nil {
			t.Fatal(err)
		}
		requireRefused(t, dir, "no plain file")
	})
	t.Run("a folder in it", func(t *testing.T) {
		dir := makeFolder(t, good()[1:])
		if err := os.Mkdir(filepath.Join(dir, ReportName), 0o755); err != nil {
			t.Fatal(err)
		}
		requireRefused(t, dir, "no plain file")
	})
	t.Run("many files", func(t *testing.T) { requireRefused(t, makeFolder(t, many()), "more than 16") })
	t.Run("none", func(t *testing.T) {
		if _, err := Read(filepath.Join(t.TempDir(), "x")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v", err)
		}
	})
}

// TestBombs: a file that unpacks to gigabytes is read to its bound, whatever it says of its size, and what is no ZIP file is said to be none.
func TestBombs(t *testing.T) {
	var text bytes.Buffer
	archive := zip.NewWriter(&text)
	w, err := archive.CreateHeader(&zip.FileHeader{Name: ReportName, Method: zip.Deflate})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 * maxReport >> 20 {
		if _, err := w.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	about, err := archive.Create(AboutName)
	if err == nil {
		_, err = io.WriteString(about, goodAbout)
	}
	if err = errors.Join(err, archive.Close()); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	requireRefused(t, writeFile(t, t.TempDir(), "bomb.zip", text.Bytes()), "larger than")
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 8*maxReport {
		t.Errorf("%d bytes for a report of at most %d", grown, maxReport)
	}
	requireRefused(t, writeFile(t, t.TempDir(), "x.zip", []byte("PK\x03\x04 no ZIP file")), "not a valid zip file")
	requireRefused(t, writeFile(t, t.TempDir(), "x.zip", make([]byte, maxZIP+1)), "at most")
	requireRefused(t, writeFile(t, t.TempDir(), "cut.zip", text.Bytes()[:text.Len()/2]), "not a valid zip file")
}
