package manifest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// WalkFS collects the sources of a tree at a path and in all folders below it: the files that Select chooses, sorted by name. A path
// that is a file is that file, whatever its name. Symbolic links are followed as long as they stay in the tree; a file is
// read once, whatever number of links lead to it. Nothing outside the tree is ever opened.
//
// What cannot be read is a diagnostic, and the rest is read. The error is for a path that cannot be opened and a cancelled
// context.
func WalkFS(ctx context.Context, tree fs.FS, name string, limits Limits) ([]Source, diagnostic.List, error) {
	real, err := Real(tree, name)
	if err != nil {
		return nil, nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	info, err := fs.Stat(tree, real)
	if err != nil {
		return nil, nil, err
	}
	w := walker{ctx: ctx, tree: tree, limits: limits.withDefaults(), real: map[string]bool{}}
	if !info.IsDir() {
		data, err := w.file(real, w.limits.FileBytes)
		return []Source{{Name: name, Data: data, Named: true}}, nil, err
	}
	if err := w.folder(path.Clean(name), real); err != nil {
		return nil, nil, err
	}
	if err := w.follow(); err != nil {
		return nil, nil, err
	}
	for _, folder := range w.dots {
		w.seemsToHoldRoutes(folder)
	}
	sources, err := w.read()
	return sources, w.found, err
}

// walker collects first, then reads: which files are read depends on all names (Helm charts).
type walker struct {
	ctx    context.Context
	tree   fs.FS
	limits Limits
	files  []string
	// links that are not followed yet.
	links []string
	// real names of the files that were met and the folders that were listed, so that each is read once, and links cannot lead around in
	// circles.
	real  map[string]bool
	found diagnostic.List
	// dots are the folders whose names begin with a dot, dotFiles and dotBytes what was looked at in them.
	dots     []dotFolder
	dotFiles int
	dotBytes int64
}

// folder lists a folder and those below it, each by its name and its real name. Links are kept for later, so that a file goes by its
// real name.
func (w *walker) folder(name, real string) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if w.real[real] {
		return nil
	}
	w.real[real] = true
	entries, err := fs.ReadDir(w.tree, real)
	if err != nil {
		w.unreadable(name, err)
		return nil
	}
	for _, entry := range entries {
		child, realChild := path.Join(name, entry.Name()), path.Join(real, entry.Name())
		switch mode := entry.Type(); {
		case isDotFolder(entry.Name()) && mode.IsDir():
			w.dots = append(w.dots, dotFolder{child, realChild})
		case isDotFolder(entry.Name()) && !mode.IsRegular():
		case mode.IsDir():
			if err := w.folder(child, realChild); err != nil {
				return err
			}
		case mode&fs.ModeSymlink != 0:
			w.links = append(w.links, child)
		case mode.IsRegular():
			w.add(child, realChild)
		case hasManifestExtension(child):
			w.unreadable(child, errors.New("not a regular file"))
		}
	}
	return nil
}

// add notes a file, once.
func (w *walker) add(name, real string) {
	if isManifestName(name) && !w.real[real] {
		w.real[real] = true
		w.files = append(w.files, name)
	}
}

// follow resolves the links that were met; folders behind them may bring more.
func (w *walker) follow() error {
	for len(w.links) > 0 {
		link := w.links[0]
		w.links = w.links[1:]
		real, err := Real(w.tree, link)
		if err != nil {
			w.deadLink(link, err)
			continue
		}
		switch info, err := fs.Stat(w.tree, real); {
		case err != nil:
			w.deadLink(link, err)
		case info.IsDir():
			if err := w.folder(link, real); err != nil {
				return err
			}
		case info.Mode().IsRegular():
			w.add(link, real)
		}
	}
	return nil
}

// deadLink reports a link that cannot be followed, unless its name says that it is no manifest.
func (w *walker) deadLink(link string, err error) {
	if path.Ext(link) != "" && !hasManifestExtension(link) {
		return
	}
	w.unreadable(link, err)
}

// read reads the chosen files, up to the limit on their sum.
func (w *walker) read() ([]Source, error) {
	slices.Sort(w.files)
	if n := len(w.files); n > w.limits.Documents { // each is one document at least
		w.found = append(w.found, tooLarge(w.files[w.limits.Documents], fmt.Sprintf("%d files, the limit is %d", n, w.limits.Documents)))
		return nil, nil
	}
	chosen, charts := Select(w.files)
	for _, chart := range charts {
		w.found = append(w.found, TemplatesSkipped(chart))
	}
	var sources []Source
	left := w.limits.TotalBytes
	for _, name := range chosen {
		if err := w.ctx.Err(); err != nil {
			return nil, err
		}
		data, err := w.file(name, min(left, w.limits.FileBytes))
		switch {
		case errors.Is(err, ErrTooLarge) && left < w.limits.FileBytes:
			w.found = append(w.found, tooLarge(name, fmt.Sprintf("all files together have more than %d bytes", w.limits.TotalBytes)))
			return sources, nil
		case errors.Is(err, ErrTooLarge):
			w.found = append(w.found, tooLarge(name, err.Error()))
		case err != nil:
			w.unreadable(name, err)
		default:
			left -= int64(len(data))
			sources = append(sources, Source{Name: name, Data: data})
		}
	}
	return sources, nil
}

// file reads one file of the tree.
func (w *walker) file(name string, most int64) ([]byte, error) {
	file, err := w.tree.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readBounded(file, most)
}

// unreadable reports a file or folder that cannot be read.
func (w *walker) unreadable(name string, err error) {
	// The path in the error is one inside the tree: the position says it better.
	if inner, is := errors.AsType[*fs.PathError](err); is {
		err = inner.Err
	}
	found := diagnostic.Diagnostic{
		Code: diagnostic.Unreadable, Severity: diagnostic.Error, Position: diagnostic.Position{File: name},
		Message: "cannot be read: " + err.Error(), Hint: "correct its permissions, or move it out of the tree",
	}
	switch {
	case errors.Is(err, ErrOutside):
		found.Code = diagnostic.OutsideTree
		found.Message = err.Error() + " is not followed"
		found.Hint = "replace the link by the file that it leads to; an absolute link counts as leading out"
	case errors.Is(err, ErrDangling): // it holds no route that anybody could apply
		found.Severity = diagnostic.Warning
		found.Hint = "remove the link, or add what it leads to"
	}
	w.found = append(w.found, found)
}

// TemplatesSkipped is the diagnostic for a Helm chart whose templates Select has left out.
func TemplatesSkipped(chart string) diagnostic.Diagnostic {
	return diagnostic.Diagnostic{
		Code: diagnostic.TemplatesSkipped, Severity: diagnostic.Info, Position: diagnostic.Position{File: chart},
		Message: "the templates of this Helm chart are not read",
		Hint:    "to have its routes in the answer, give the output of helm template as well",
	}
}
