package source

import (
	"io/fs"
	"path/filepath"

	"github.com/routedelta/routedelta/render/manifest"
)

// Rendered texts have no file in the tree; as compilers write it, what stands in angle brackets is none.
const commandOutput = "<render command>"

// command renders by the caller's command, run in a copy of the tree, in the directory that the caller named. Its text is the caller's
// or the base commit's: a program in PATH and its arguments, no shell. What it prints is all that is read. If it fails there is no answer:
// a tree without routes would look like one of which all routes are gone.
func (c *collector) command(name string) error {
	real, err := manifest.Real(c.tree, name)
	if err != nil {
		return &fs.PathError{Op: "open", Path: name, Err: err}
	}
	info, err := fs.Stat(c.tree, real)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		real = filepath.ToSlash(filepath.Dir(filepath.FromSlash(real)))
	}
	shop, err := c.copied()
	if err != nil {
		return err
	}
	text, err := shop.run(c.ctx, job{directory: filepath.Join(shop.tree(), filepath.FromSlash(real)), command: c.options.Sources.RenderCommand})
	if err != nil {
		return err
	}
	c.Texts = append(c.Texts, manifest.Source{Name: commandOutput, Data: text, Named: true})
	c.read(name, formCommand)
	return nil
}
