package manifest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Walk collects the sources of a directory and all folders below it: the files that Select chooses, sorted by name, each
// under the name that a user would type for it. Symbolic links are followed as long as they stay in the tree; a
// file is read once, whatever number of links lead to it. Nothing outside the tree is ever opened.
//
// What cannot be read is a diagnostic, and the rest is read. The error is for a root that cannot be opened and a cancelled
// context.
func Walk(ctx context.Context, root string, limits Limits) ([]Source, diagnostic.List, error) {
	tree, err := os.OpenRoot(root)
	if err != nil {
		return nil, nil, err
	}
	defer tree.Close()
	w := walker{ctx: ctx, tree: tree, name: filepath.ToSlash(root), limits: limits.withDefaults()}
	if err := w.folder("."); err != nil {
		return nil, nil, err
	}
	if err := w.follow(); err != nil {
		return nil, nil, err
	}
	sources, err := w.read()
	return sources, w.found, err
}

// walker collects first, then reads: which files are read depends on all names (Helm charts).
type walker struct {
	ctx    context.Context
	tree   *os.Root
	name   string
	limits Limits
	// files by path in the tree; linked are those that only a link leads to.
	files, linked []string
	// links that are not followed yet.
	links []string
	// folders that were listed, so that links cannot lead around in circles.
	folders   []fs.FileInfo
	following bool
	found     diagnostic.List
}

// folder lists a folder and those below it. Links are kept for later, so that a file goes by its real name.
func (w *walker) folder(name string) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	entries, err := w.list(name)
	if err != nil {
		w.unreadable(name, err)
		return nil
	}
	for _, entry := range entries {
		child := path.Join(name, entry.Name())
		switch mode := entry.Type(); {
		case isDotFolder(entry.Name()) && !mode.IsRegular():
		case mode.IsDir():
			if err := w.folder(child); err != nil {
				return err
			}
		case mode&fs.ModeSymlink != 0:
			w.links = append(w.links, child)
		case mode.IsRegular():
			w.add(child)
		case hasManifestExtension(child):
			w.unreadable(child, errors.New("not a regular file"))
		}
	}
	return nil
}

// add notes a file.
func (w *walker) add(name string) {
	if w.following {
		w.linked = append(w.linked, name)
	} else {
		w.files = append(w.files, name)
	}
}

// list gives the entries of a folder, sorted; none if a link leads to one that was listed before.
func (w *walker) list(name string) ([]fs.DirEntry, error) {
	folder, err := w.tree.Open(name)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	info, err := folder.Stat()
	if err != nil {
		return nil, err
	}
	if w.following && isAmong(w.folders, info) {
		return nil, nil
	}
	w.folders = append(w.folders, info)
	entries, err := folder.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// isAmong tells whether a file is one of those known.
func isAmong(known []fs.FileInfo, info fs.FileInfo) bool {
	return slices.ContainsFunc(known, func(other fs.FileInfo) bool { return os.SameFile(other, info) })
}

// follow resolves the links that were met; folders behind them may bring more. It then leaves out each linked file that
// has another name in the tree.
func (w *walker) follow() error {
	w.following = true
	for len(w.links) > 0 {
		link := w.links[0]
		w.links = w.links[1:]
		info, err := w.tree.Stat(link)
		switch {
		case err != nil:
			w.deadLink(link, err)
		case info.IsDir():
			if err := w.folder(link); err != nil {
				return err
			}
		case info.Mode().IsRegular():
			w.add(link)
		}
	}
	w.addLinked()
	return nil
}

// addLinked adds the linked files to the others, each once.
func (w *walker) addLinked() {
	if len(w.linked) == 0 {
		return
	}
	var known []fs.FileInfo
	for _, name := range w.files {
		if info, err := w.tree.Stat(name); err == nil && isManifestName(name) {
			known = append(known, info)
		}
	}
	slices.Sort(w.linked)
	for _, name := range w.linked {
		if info, err := w.tree.Stat(name); err == nil && isManifestName(name) && !isAmong(known, info) {
			known = append(known, info)
			w.files = append(w.files, name)
		}
	}
}

// deadLink reports a link that cannot be followed, unless its name says that it is no manifest.
func (w *walker) deadLink(link string, err error) {
	if path.Ext(link) != "" && !hasManifestExtension(link) {
		return
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ELOOP) {
		w.unreadable(link, err)
		return
	}
	target, _ := w.tree.Readlink(link)
	w.found = append(w.found, diagnostic.Diagnostic{
		Code: diagnostic.OutsideTree, Severity: diagnostic.Error, Position: w.position(link),
		Message: fmt.Sprintf("symbolic link to %q leads out of the tree and is not followed", diagnostic.Clip(target)),
		Hint:    "name the folder that holds both, or copy the file; an absolute link counts as leading out",
	})
}

// read reads the chosen files, up to the limit on their sum.
func (w *walker) read() ([]Source, error) {
	slices.Sort(w.files)
	chosen, charts := Select(w.files)
	for _, chart := range charts {
		w.found = append(w.found, TemplatesSkipped(w.position(chart).File))
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
			w.found = append(w.found, tooLarge(w.position(name).File,
				fmt.Sprintf("all files together have more than %d bytes", w.limits.TotalBytes)))
			return sources, nil
		case errors.Is(err, ErrTooLarge):
			w.found = append(w.found, tooLarge(w.position(name).File, err.Error()))
		case err != nil:
			w.unreadable(name, err)
		default:
			left -= int64(len(data))
			sources = append(sources, Source{Name: w.position(name).File, Data: data})
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
	w.found = append(w.found, diagnostic.Diagnostic{
		Code: diagnostic.Unreadable, Severity: diagnostic.Error, Position: w.position(name),
		Message: "cannot be read: " + err.Error(), Hint: "correct its permissions, or move it out of the tree",
	})
}

// position names a path of the tree as the user would.
func (w *walker) position(name string) diagnostic.Position {
	return diagnostic.Position{File: path.Join(w.name, name)}
}

// TemplatesSkipped is the diagnostic for a Helm chart whose templates Select has left out.
func TemplatesSkipped(chart string) diagnostic.Diagnostic {
	return diagnostic.Diagnostic{
		Code: diagnostic.TemplatesSkipped, Severity: diagnostic.Info, Position: diagnostic.Position{File: chart},
		Message: "the templates of this Helm chart are not read",
		Hint:    "to have its routes in the answer, give the output of helm template as well",
	}
}
