package source

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io/fs"
	"regexp"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Bounds of what is read for the digests of a tree. That something is beyond them is told (UnreadBeyond).
const (
	maxDigestFiles = 50_000
	maxDigestBytes = 128 << 20
)

// digest of files of the tree, and of what is said of them.
type digest struct {
	c    *collector
	hash hash.Hash
	// routes: a text seems to be of routes, or of values that a chart makes routes of.
	routes bool
}

func (c *collector) newDigest() *digest { return &digest{c: c, hash: sha256.New()} }

// add takes in values.
func (d *digest) add(values ...any) { fmt.Fprintf(d.hash, "%#v\n", values) }

// ofRoutes is what a text about routes says somewhere.
var ofRoutes = regexp.MustCompile(`gateway\.networking\.|parentRefs|(HTTP|GRPC|TLS|TCP|UDP)Route|ListenerSet`)

// text takes in a text, and looks whether it is about routes.
func (d *digest) text(text []byte) {
	d.add(len(text))
	d.hash.Write(text)
	d.routes = d.routes || ofRoutes.Match(text)
}

// node takes in what a node says; a missing one says nothing.
func (d *digest) node(n *yaml.Node) {
	if n == nil {
		return
	}
	text, err := yaml.NewRNode(n).String()
	if err != nil {
		text = err.Error() // an alias to what stands elsewhere
	}
	d.text([]byte(text))
}

// file takes in a file, or all below a directory; what is not in the tree has no content.
func (d *digest) file(name string) {
	if !fs.ValidPath(name) {
		return
	}
	c := d.c
	c.digested = append(c.digested, name)
	_ = fs.WalkDir(c.tree, name, func(name string, entry fs.DirEntry, err error) error {
		c.UnreadBeyond = c.UnreadBeyond || c.digestedFiles >= maxDigestFiles
		if err != nil || c.ctx.Err() != nil || c.UnreadBeyond {
			return fs.SkipAll
		}
		c.digestedFiles++
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		if c.digestedBytes+info.Size() > maxDigestBytes {
			c.UnreadBeyond = true
			return fs.SkipAll
		}
		c.digestedBytes += info.Size()
		text, err := fs.ReadFile(c.tree, name)
		if err == nil {
			d.add(name)
			d.text(text)
		}
		return nil
	})
}
