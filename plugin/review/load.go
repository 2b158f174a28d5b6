package review

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/fetch"
	"github.com/routedelta/routedelta/plugin/git"
	"github.com/routedelta/routedelta/plugin/source"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
)

// input is one side on its way: texts, then objects, then a rendering; or sets from the start.
type input struct {
	source Source
	side   report.Side
	// absent: the path of a Relative source is not there.
	absent bool
	// repository and commit of a side that is a revision.
	repository *git.Repository
	commit     git.Commit

	// network is the caller's.
	network *fetch.Network
	// keepKeys: the keys of Secrets are wanted.
	keepKeys bool
	// alone: nothing is wanted but the rendering. The texts and objects, which are half of all memory, go as soon as they are used.
	alone bool
	// namespace is that of objects without one, "" if nobody knows.
	namespace string

	texts []manifest.Source
	// parts of a tree that were read, or that were not.
	parts []report.Source
	// opened are the files of a work tree that were opened, nil for any other source.
	opened *opened
	// unread are those of them of which a digest is known.
	unread   []source.Unread
	pointers []source.Pointer
	missing  []source.Missing
	// unreadBeyond: more is not read than unread has digests of.
	unreadBeyond bool
	// kustomizations are the files of those that were read.
	kustomizations map[string]bool
	// rendered are objects of which what they point to is in the texts.
	rendered  []diagnostic.Object
	objects   *manifest.Objects
	rendering *render.Rendering
	sets      []*files.Set
	// bytes are what the sets were read from; texts have their own.
	bytes bytesRead
	// diagnostics of collecting the texts, parsed those of reading them.
	diagnostics, parsed diagnostic.List
}

// read brings the texts of a source in, or its sets where it is a rendering. sources say how a tree becomes manifests.
func (e Environment) read(ctx context.Context, source Source, sources config.Sources) (*input, error) {
	in := &input{source: source, side: report.Side{Source: source.String()}, network: e.Network}
	if len(sources.RenderCommand) > 0 && !e.RunCommands && source.Kind != Stdin {
		return nil, &CommandRefusedError{Program: sources.RenderCommand[0]}
	}
	switch source.Kind {
	case Stdin:
		return in, e.readStdin(ctx, in)
	case Revision:
		return in, e.readRevision(ctx, in, sources)
	}
	return in, e.readPath(ctx, in, sources)
}

func (e Environment) readStdin(ctx context.Context, in *input) error {
	if e.Stdin == nil {
		return errors.New("standard input is not available here")
	}
	text, err := manifest.Stream("-", e.Stdin, manifest.Limits{})
	if err != nil {
		return fmt.Errorf("reading standard input: %w", err)
	}
	if files.Recognise(text.Name, text.Data) {
		in.bytes.add(text.Data)
		in.sets, err = files.Parse(ctx, text.Name, text.Data)
		return err
	}
	in.texts = append(in.texts, text)
	return nil
}

// place is where a directory or file is on this machine.
func (e Environment) place(source Source) string {
	if filepath.IsAbs(source.Path) {
		return source.Path
	}
	return filepath.Join(e.Dir, source.Path)
}

func (e Environment) readPath(ctx context.Context, in *input, sources config.Sources) error {
	name := e.place(in.source)
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) && in.source.Relative {
		in.absent = true
		return nil
	}
	if err != nil {
		return e.notRead(ctx, in.source, err)
	}
	if files.IsRendering(name) {
		in.sets, err = files.LoadNoting(ctx, name, in.bytes.note)
		return err
	}
	if !info.IsDir() && !info.Mode().IsRegular() { // a pipe has no place in a tree
		text, err := manifest.File(name, manifest.Limits{})
		if err != nil {
			return err
		}
		text.Name = filepath.ToSlash(in.source.Path)
		in.texts = append(in.texts, text)
		return nil
	}
	return in.readDirectory(ctx, name, e.Root, sources)
}

func (e Environment) readRevision(ctx context.Context, in *input, sources config.Sources) error {
	var err error
	if in.repository, err = git.Open(ctx, e.Dir); err != nil {
		return err
	}
	if in.commit, err = in.repository.Resolve(ctx, in.source.Revision); err != nil {
		return err
	}
	path := in.source.Path
	if in.source.Relative {
		if path, err = e.inside(in.repository, path); err != nil {
			return err
		}
	}
	in.side.Revision = in.commit.Hash
	in.side.Label = in.commit.Label
	return in.readCommit(ctx, path, sources)
}

// inside is the path in the repository of a path on disk, which need not be there any more.
func (e Environment) inside(repository *git.Repository, name string) (string, error) {
	place := e.place(Source{Path: name})
	if _, err := os.Stat(place); err == nil || filepath.IsAbs(name) {
		return repository.Inside(place)
	}
	here, err := repository.Inside(e.Dir)
	if err != nil {
		return "", err
	}
	return path.Join(here, filepath.ToSlash(name)), nil
}

// parse reads the objects out of the texts. A rendering takes the objects over, so another one needs another parse.
func (in *input) parse(ctx context.Context) {
	in.objects, in.parsed = manifest.Reader{KeepKeys: in.keepKeys, Namespace: in.namespace}.Read(ctx, in.texts)
}

// render renders the objects; what reading them had to say is among the rendering's diagnostics.
func (in *input) render(ctx context.Context, options render.Options) (*render.Rendering, error) {
	objects := in.objects
	if in.alone {
		in.texts, in.objects = nil, nil
	}
	rendering, err := render.Render(ctx, objects, options)
	if err != nil {
		return nil, err
	}
	rendering.Diagnostics = withoutEmptiness(slices.Concat(in.diagnostics, in.parsed, rendering.Diagnostics)).Sort()
	in.takeRendering(rendering)
	return rendering, nil
}

func (in *input) takeRendering(rendering *render.Rendering) {
	in.rendering = rendering
	in.side.Order = rendering.Dialect
	in.sets = nil
	for _, gateway := range rendering.Gateways {
		in.sets = append(in.sets, gateway.Files)
	}
}
