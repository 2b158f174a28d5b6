package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/routedelta/routedelta/plugin/git"
)

// Bounds of what is brought.
const (
	maxReferences = 100
	maxFile       = 16 << 20
	maxWait       = 2 * time.Minute
)

// ErrTooMany says that more is named on the network than anybody needs.
var ErrTooMany = fmt.Errorf("more than %d references to the network", maxReferences)

// Place is where something stands that was brought: below Name, which is no name of a file, as Tree has it.
type Place struct {
	Name string
	Tree fs.FS
	// Directory in the tree that the reference names.
	Directory string
}

// Network brings what is named on it. Close removes it again.
type Network struct {
	// mutex: one at a time.
	mutex  sync.Mutex
	places map[string]Place
	failed map[string]error
	// clones in temporary directories, by address and revision.
	clones      map[[2]string]fs.FS
	directories []string
	open        []io.Closer
	// names that were given, by what has them.
	names  map[string][2]string
	client *http.Client
}

// New makes a network of which nothing was asked yet.
func New() *Network {
	return &Network{
		places: map[string]Place{}, failed: map[string]error{}, clones: map[[2]string]fs.FS{}, names: map[string][2]string{},
		client: &http.Client{Timeout: maxWait},
	}
}

// Get brings what a reference names, once: later answers are the first one.
func (n *Network) Get(ctx context.Context, reference string) (Place, error) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if place, known := n.places[reference]; known {
		return place, nil
	}
	if err := n.failed[reference]; err != nil {
		return Place{}, err
	}
	if len(n.places)+len(n.failed) >= maxReferences {
		return Place{}, ErrTooMany
	}
	place, err := n.bring(ctx, reference)
	switch {
	case ctx.Err() != nil:
		return Place{}, context.Cause(ctx)
	case err != nil:
		n.failed[reference] = err
		return Place{}, err
	}
	n.places[reference] = place
	return place, nil
}

func (n *Network) bring(ctx context.Context, reference string) (Place, error) {
	ctx, stop := context.WithTimeout(ctx, maxWait)
	defer stop()
	var asFile error
	if isFile(reference) {
		place, err := n.file(ctx, reference)
		if err == nil {
			return place, nil
		}
		asFile = err
	}
	r, err := parseRepository(reference)
	if err != nil || asFile != nil && r.directory == "" {
		return Place{}, errors.Join(asFile, err)
	}
	tree, err := n.clone(ctx, r)
	if err != nil {
		return Place{}, errors.Join(asFile, err)
	}
	return Place{Name: n.name(r.address, r.revision), Tree: tree, Directory: path.Join(".", r.directory)}, nil
}

// name gives a name to one thing only.
func (n *Network) name(address, revision string) string {
	name, of := called(address, revision), [2]string{address, revision}
	for taken, is := n.names[name]; is && taken != of; taken, is = n.names[name] {
		name = strings.TrimSuffix(name, ">") + "+>"
	}
	n.names[name] = of
	return name
}

// file gets a file, as the one resource of a kustomization, since kustomize reads no file from beside its directory.
func (n *Network) file(ctx context.Context, reference string) (Place, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, reference, nil)
	if err != nil {
		return Place{}, err
	}
	response, err := n.client.Do(request)
	if err != nil {
		return Place{}, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return Place{}, fmt.Errorf("getting %q: %d", reference, response.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxFile+1))
	switch {
	case err != nil:
		return Place{}, fmt.Errorf("getting %q: %w", reference, err)
	case len(text) > maxFile:
		return Place{}, fmt.Errorf("getting %q: it has more than %d bytes", reference, maxFile)
	}
	u, err := url.Parse(reference)
	if err != nil {
		return Place{}, err
	}
	tree, err := n.directoryOf("file"+path.Ext(u.Path), text)
	return Place{Name: n.name(u.Scheme+"://"+u.Host+u.Path, u.RawQuery), Tree: tree, Directory: "."}, err
}

// directoryOf is a directory with a file and a kustomization of it.
func (n *Network) directoryOf(name string, text []byte) (fs.FS, error) {
	directory, err := n.temporary()
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(directory)
	if err != nil {
		return nil, err
	}
	n.open = append(n.open, root)
	err = errors.Join(root.WriteFile(name, text, 0o600), root.WriteFile("kustomization.yaml", []byte("resources: ["+name+"]\n"), 0o600))
	return root.FS(), err
}

func (n *Network) temporary() (string, error) {
	directory, err := os.MkdirTemp("", "routedelta-fetched-")
	if err == nil {
		n.directories = append(n.directories, directory)
	}
	return directory, err
}

// clone opens a commit of a repository, which is brought where it is not there yet.
func (n *Network) clone(ctx context.Context, r repository) (fs.FS, error) {
	key := [2]string{r.address, r.revision}
	if tree, known := n.clones[key]; known {
		return tree, nil
	}
	directory, err := n.temporary()
	if err != nil {
		return nil, err
	}
	fetched, commit, err := git.Clone(ctx, directory, r.address, r.revision)
	if err != nil {
		return nil, err
	}
	// The answers of a tree end with its context, and it is asked after the fetch is over.
	tree, err := fetched.Tree(context.WithoutCancel(ctx), commit, git.Limits{})
	if err != nil {
		return nil, err
	}
	n.open = append(n.open, tree)
	n.clones[key] = tree
	return tree, nil
}

// Close ends what is open and removes all that was brought.
func (n *Network) Close() error {
	var failed []error
	for _, tree := range n.open {
		failed = append(failed, tree.Close())
	}
	for _, directory := range n.directories {
		failed = append(failed, os.RemoveAll(directory))
	}
	return errors.Join(failed...)
}
