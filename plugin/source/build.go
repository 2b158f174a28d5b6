package source

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/kustomize"
	"github.com/routedelta/routedelta/plugin/trace"
	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// building is a directory that kustomize builds, with what somebody else lays over it.
type building struct {
	form string
	// directory from the root of the tree.
	directory string
	// by is what asked for it (a Flux Kustomization): what it says of the objects is told with its lines. Nil is nobody.
	by *object
	// says is the part of it that reads like a kustomization.
	says *yaml.Node
	// over changes the kustomization before it is built; nil leaves it as it is.
	over func(*types.Kustomization)
	// anyFile lets it read files outside of its directory.
	anyFile bool
	// each changes an object that was built; nil leaves it.
	each func(*yaml.Node)
	// values of variables.
	values map[string]string
	// keepVariables tells of an object that its variables are text.
	keepVariables func(*yaml.Node) bool
}

// mostCost bounds what all the kustomizations of a tree together may cost: that of ten of the largest that one may be, or of many thousands
// of the usual size.
const mostCost = 60_000_000

var errTooMuch = errors.New("the kustomizations of the tree are too large, or too many, to be built together: name a part of it")

// name is what the texts of a building are called where a line has no other place.
func (b building) name(file string) string {
	if b.by != nil {
		return b.by.at.File
	}
	return file
}

// build builds a directory and takes its objects in.
func (c *collector) build(b building) error {
	file := kustomize.FileIn(c.tree, b.directory)
	options := kustomize.Options{AnyFile: b.anyFile, Limits: kustomize.Limits{Manifests: c.options.Limits}}
	if c.options.Network != nil {
		options.Fetch = c.fetch
	}
	if b.over != nil || file == "" {
		name, text, err := c.kustomizationText(b, file)
		if err != nil {
			return c.notBuilt(b, file, nil, err)
		}
		options.Replaced = map[string][]byte{name: text}
		file = name
		if options.Fetch != nil {
			options.Fetch = func(ctx context.Context, reference string, at diagnostic.Position) (string, error) {
				return c.fetch(ctx, reference, c.placeIn(options.Replaced, at, reference))
			}
		}
	}
	if c.cost > mostCost {
		return c.notBuilt(b, file, nil, errTooMuch)
	}
	built, err := kustomize.Build(c.ctx, c.tree, b.directory, options)
	c.cost += built.Cost
	for _, read := range built.Files {
		c.visited[read.Name] = true
		if kustomize.IsFile(read.Name) {
			c.Kustomizations[read.Name] = true
		}
	}
	if err != nil {
		return c.notBuilt(b, file, built, err)
	}
	c.placeLeftOut(options.Replaced, built.LeftOut)
	for _, left := range built.LeftOut {
		c.leftOut(b, left)
	}
	c.withoutLeftOut(b, built)
	c.missing(built.LeftOut)
	c.read(b.directory, b.form)
	return c.emit(b, b.name(file), built)
}

// kustomizationText is the file of a kustomization with what lies over it, and its name. Where there is none it is made, as Flux makes it.
func (c *collector) kustomizationText(b building, file string) (string, []byte, error) {
	var k types.Kustomization
	if file == "" {
		file = path.Join(b.directory, "kustomization.yaml")
		resources, err := c.resourcesBelow(b.directory)
		if err != nil {
			return file, nil, err
		}
		k.Resources = resources
	} else {
		text, err := c.readFile(file)
		if err == nil {
			err = k.Unmarshal(text)
		}
		if err != nil {
			return file, nil, err
		}
	}
	k.FixKustomization()
	if b.over != nil {
		b.over(&k)
	}
	text, err := yaml.Marshal(k)
	return file, text, err
}

// emit takes the objects of a building in, as one text.
func (c *collector) emit(b building, name string, built *kustomize.Result) error {
	tracer := trace.New(c.documents(b, built))
	var text bytes.Buffer
	var lines []diagnostic.Position
	for _, node := range built.Objects {
		if b.each != nil {
			b.each(node)
		}
		data, places, err := tracer.Text(node)
		if err != nil {
			return err
		}
		if b.keepVariables != nil && b.keepVariables(node) {
			data = bytes.ReplaceAll(data, []byte("${"), []byte("$${"))
		} else {
			data, places = substitute(data, places, b.values)
			c.withoutExpressions(name, data, b.values)
		}
		if c.again(node, data) {
			continue
		}
		fmt.Fprintln(&text, "---")
		lines = append(lines, diagnostic.Position{})
		text.Write(data)
		lines = append(lines, places...)
		c.seen(data, places)
	}
	if text.Len() > 0 {
		c.Texts = append(c.Texts, manifest.Source{Name: name, Data: text.Bytes(), Lines: lines})
	}
	return nil
}

// again tells whether the very same object was made before: two parts of a repository may both bring along what they need. If they differ,
// reading them says so.
func (c *collector) again(node *yaml.Node, data []byte) bool {
	o := object{node: node}
	key := fmt.Sprintf("%v %s %s", o.groupKind(), o.namespace(), o.name())
	sum := sha256.Sum256(data)
	if c.made[key] == sum {
		return true
	}
	c.made[key] = sum
	return false
}

// documents are those that a building has read, as people edit them: not with what was laid over them.
func (c *collector) documents(b building, built *kustomize.Result) []trace.Document {
	var all []trace.Document
	if b.says != nil {
		all = append(all, trace.Document{File: b.by.at.File, Root: b.says, Kustomization: true, Lines: b.by.lines})
	}
	for _, file := range built.Files {
		roots := file.Documents
		if path.Dir(file.Name) == b.directory && kustomize.IsFile(file.Name) {
			data, err := c.readFile(file.Name)
			if err != nil {
				continue // it was made
			}
			roots, _ = yamlnode.Documents(data)
		}
		var lines []diagnostic.Position
		if fetched, is := c.tree.placeOf(file.Name); is { // people edit the line that names it
			lines = slices.Repeat([]diagnostic.Position{fetched.at}, bytes.Count(file.Data, []byte("\n"))+1)
		}
		for _, root := range roots {
			all = append(all, trace.Document{File: file.Name, Root: root, Kustomization: kustomize.IsFile(file.Name), Lines: lines})
		}
	}
	return all
}

// readFile reads a file of the tree, up to the limit.
func (c *collector) readFile(name string) ([]byte, error) {
	real, err := manifest.Real(c.tree, name)
	if err != nil {
		return nil, err
	}
	info, err := fs.Stat(c.tree, real)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("not a regular file")}
	case info.Size() > cmp.Or(c.options.Limits.FileBytes, 32<<20):
		return nil, fmt.Errorf("%s: %w", name, manifest.ErrTooLarge)
	}
	return fs.ReadFile(c.tree, real)
}
