package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	discoveryv3 "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// loader reads the files of one Envoy, starting at its bootstrap.
type loader struct {
	tree fs.FS
	// root is the tree's place on the disk, or "".
	root string
	// dir is the bootstrap's directory in the tree.
	dir       string
	bootstrap string
	set       *Set
	// read says for each path of our layout which file of the tree it was read from.
	read map[string]string
	// texts are the files as they are, for the checks that read them once more.
	texts    map[string][]byte
	problems diagnostic.List
	errors   []error
}

func newLoader(tree fs.FS, root, bootstrap string) *loader {
	return &loader{
		tree:      tree,
		root:      root,
		dir:       path.Dir(bootstrap),
		bootstrap: bootstrap,
		set:       &Set{},
		read:      map[string]string{BootstrapPath: bootstrap},
		texts:     map[string][]byte{},
	}
}

// load reads the bootstrap, then what it names, then what those name. The error is for a cancelled context only; all else
// is among the problems.
func (l *loader) load(ctx context.Context) error {
	l.set.Bootstrap = &bootstrapv3.Bootstrap{}
	if !l.decode(l.bootstrap, bootstrapKind, "", l.set.Bootstrap) {
		return nil
	}
	l.follow(l.set.Bootstrap)
	for _, listener := range l.set.Listeners {
		if err := ctx.Err(); err != nil {
			return err
		}
		l.follow(listener)
	}
	for _, cluster := range l.set.Clusters {
		if err := ctx.Err(); err != nil {
			return err
		}
		l.follow(cluster)
	}
	l.set.sort()
	return ctx.Err()
}

// follow reads every file that a message names, and makes the message name it by our layout.
func (l *loader) follow(message proto.Message) {
	eachReference(message, func(r reference) bool {
		named := r.file()
		if named == "" {
			return false
		}
		target := r.Kind.path(r.Name)
		if _, done := l.read[target]; !done {
			l.readResources(r, named, target)
		}
		r.setFile(SourcePath(target))
		return true
	})
}

// readResources reads one discovery file.
func (l *loader) readResources(r reference, named, target string) {
	file, err := l.inside(named)
	if err != nil {
		l.problem(l.bootstrap, r, diagnostic.DeadReference, err)
		return
	}
	l.read[target] = file
	response := &discoveryv3.DiscoveryResponse{}
	if !l.decode(file, r.Kind, r.Name, response) {
		return
	}
	var names []string
	for i, resource := range response.Resources {
		name, err := l.add(r.Kind, resource)
		if err != nil {
			l.problem(file, r, diagnostic.WrongSlotType, fmt.Errorf("resource %d: %w", i+1, err))
			continue
		}
		names = append(names, name)
	}
	l.expectOne(r, file, names)
}

// inside is a path that an Envoy file names as a path in the tree.
func (l *loader) inside(named string) (string, error) {
	if path.IsAbs(filepath.ToSlash(named)) {
		relative, err := filepath.Rel(l.root, named)
		if l.root == "" || err != nil || !filepath.IsLocal(relative) {
			return "", fmt.Errorf("%s is outside the directory: only files below it are read", named)
		}
		return filepath.ToSlash(relative), nil
	}
	joined := path.Join(l.dir, named)
	if !fs.ValidPath(joined) {
		return "", fmt.Errorf("%s leads out of the directory", named)
	}
	return joined, nil
}

// decode reads a file into a message; a problem is noted.
func (l *loader) decode(file string, k kind, name string, into proto.Message) bool {
	data, err := l.readFile(file)
	r := reference{Kind: k, Name: name}
	if err != nil {
		l.problem(file, r, diagnostic.DeadReference, err)
		return false
	}
	l.texts[file] = data
	if err := decode(file, data, into); err != nil {
		l.problem(file, r, diagnostic.BrokenResource, err)
		return false
	}
	return true
}

func (l *loader) readFile(file string) ([]byte, error) { return readTreeFile(l.tree, file) }

// readTreeFile reads a file of a tree, of bounded size.
func readTreeFile(tree fs.FS, file string) ([]byte, error) {
	f, err := tree.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s does not exist", file)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	if len(data) > maxFileSize {
		return nil, fmt.Errorf("%s has more than %d MB", file, maxFileSize>>20)
	}
	return data, nil
}

// readFull fills a buffer as far as the file goes.
func readFull(f io.Reader, buffer []byte) (int, error) {
	n, err := io.ReadFull(f, buffer)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n, err
}

// add unpacks a resource into the set and returns its name.
func (l *loader) add(k kind, resource *anypb.Any) (string, error) {
	if wrapped := new(discoveryv3.Resource); resource.MessageIs(wrapped) {
		if err := resource.UnmarshalTo(wrapped); err != nil {
			return "", errors.New("it cannot be unpacked")
		}
		resource = wrapped.Resource
	}
	switch k {
	case listenerKind:
		return addTo(&l.set.Listeners, resource, new(listenerv3.Listener))
	case clusterKind:
		return addTo(&l.set.Clusters, resource, new(clusterv3.Cluster))
	case routeKind:
		return addTo(&l.set.Routes, resource, new(routev3.RouteConfiguration))
	case endpointKind:
		return addTo(&l.set.Endpoints, resource, new(endpointv3.ClusterLoadAssignment))
	}
	return addTo(&l.set.Secrets, resource, new(tlsv3.Secret))
}

func addTo[M proto.Message](list *[]M, resource *anypb.Any, into M) (string, error) {
	if !resource.MessageIs(into) {
		return "", fmt.Errorf("%s is wanted, the file has %s", into.ProtoReflect().Descriptor().FullName(), resource.MessageName())
	}
	if err := resource.UnmarshalTo(into); err != nil {
		return "", errors.New("it cannot be unpacked")
	}
	*list = append(*list, into)
	return nameOf(into), nil
}

// expectOne holds a file to what Envoy demands of it: one resource, of the name that was asked for.
func (l *loader) expectOne(r reference, file string, names []string) {
	if r.Kind == listenerKind || r.Kind == clusterKind {
		return
	}
	if len(names) != 1 {
		l.problem(file, r, diagnostic.BrokenResource, fmt.Errorf("Envoy takes exactly one %s from a file, this one has %d", r.Kind, len(names)))
		return
	}
	if names[0] != r.Name {
		l.problem(file, r, diagnostic.DeadReference, fmt.Errorf("the %s is called %q, and %q is asked for", r.Kind, names[0], r.Name))
	}
}

// problem notes an error as a finding about a resource in a file.
func (l *loader) problem(file string, r reference, code diagnostic.Code, err error) {
	l.errors = append(l.errors, atFile(file, err))
	found := diagnostic.Diagnostic{
		Code:     code,
		Severity: diagnostic.Error,
		Object:   diagnostic.Object{Kind: string(r.Kind), Name: r.Name},
		Position: diagnostic.Position{File: file},
		Message:  err.Error(),
	}
	if broken := new(DecodeError); errors.As(err, &broken) {
		found.Position.Line = broken.Line
		found.Message = broken.Reason
	}
	l.problems = append(l.problems, found)
}

func atFile(file string, err error) error {
	if broken := new(DecodeError); errors.As(err, &broken) || strings.HasPrefix(err.Error(), file) {
		return err
	}
	return fmt.Errorf("%s: %w", file, err)
}

func (l *loader) firstProblem() error {
	if len(l.errors) == 0 {
		return nil
	}
	return l.errors[0]
}
