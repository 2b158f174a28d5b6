package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Bounds of the look into folders whose names begin with a dot: tools keep their things there, as many as they like.
const (
	mostDotFiles = 2000
	mostDotBytes = 16 << 20
)

var errSeen = errors.New("seen enough")

// dotFolder is one that is not read, with its real name.
type dotFolder struct{ name, real string }

// seemsToHoldRoutes says of a folder that is not read, since its name begins with a dot, that it seems to hold routes: what applies a folder
// with all below it (kubectl, Argo CD) does not mind the dot. What was read by a link is read; that of git itself is none of the tree's.
func (w *walker) seemsToHoldRoutes(folder dotFolder) {
	if path.Base(folder.name) == ".git" {
		return
	}
	_ = fs.WalkDir(w.tree, folder.real, func(file string, entry fs.DirEntry, err error) error {
		if w.dotFiles++; w.dotFiles > mostDotFiles || w.ctx.Err() != nil {
			return errSeen
		}
		if err != nil || !entry.Type().IsRegular() || !hasManifestExtension(file) || w.real[file] {
			return nil
		}
		data, err := w.file(file, min(w.limits.FileBytes, mostDotBytes-w.dotBytes))
		if w.dotBytes += int64(len(data)); err != nil || !MentionsRoutes(data) {
			return nil
		}
		w.found = append(w.found, diagnostic.Diagnostic{
			Code: diagnostic.PartNotRead, Severity: diagnostic.Warning,
			Position: diagnostic.Position{File: path.Join(folder.name, file[len(folder.real):]), Line: 1},
			Message:  fmt.Sprintf("the folder %q seems to hold routes, and is not read: its name begins with a dot", folder.name),
			Hint:     "kubectl and Argo CD would apply it with the folder above: move it, or name it itself",
		})
		return errSeen
	})
}
