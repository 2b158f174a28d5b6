package files

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	discoveryv3 "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
)

// Format is how a message is written. Envoy picks its parser by the extension.
type Format string

const (
	// JSON has one field a line. Envoy loads it three times faster than YAML, and it has no scalar that reads as another type.
	JSON Format = "json"
	YAML Format = "yaml"
	// Binary is the wire form, for huge tables.
	Binary Format = "pb"
)

// Form is how many files there are.
type Form string

const (
	// Dynamic is a bootstrap and the files that Envoy watches.
	Dynamic Form = "dynamic"
	// Static is one bootstrap that holds everything.
	Static Form = "static"
)

// Options of Encode and Write. The zero value is JSON, Dynamic.
type Options struct {
	Format Format
	Form   Form
}

// File is one file; Path is relative to the Gateway's directory, with slashes.
type File struct {
	Path string
	Data []byte
	// Private: only its owner may read it.
	Private bool
	// Resource is the name of the one resource in a file of routes, endpoints or secrets.
	Resource string
	// Version is the version_info: an Envoy that has taken the file says so by it. A bootstrap has none.
	Version string
}

// Encode turns a set into its files, the bootstrap first. Equal sets give equal bytes, on every machine and by every build.
func Encode(set *Set, options Options) ([]File, error) {
	format := options.Format
	if format == "" {
		format = JSON
	}
	if options.Form == Static {
		merged, err := Merge(set)
		if err != nil {
			return nil, err
		}
		set = &Set{Name: set.Name, Bootstrap: merged}
	}
	encoder := &encoder{format: format, taken: map[string]string{}, writer: newWriter()}
	encoder.set(withFormat(set, format))
	return encoder.files, encoder.err
}

// withFormat makes the messages name files with the extension of a format.
func withFormat(set *Set, format Format) *Set {
	if format == JSON {
		return set
	}
	return withPaths(set, func(path string) string { return withExtension(path, "."+string(format)) })
}

// withPaths is the set with other paths in its references; the messages that hold none are shared.
func withPaths(set *Set, rename func(string) string) *Set {
	changed := *set
	changed.Bootstrap = proto.CloneOf(set.Bootstrap)
	changed.Listeners = cloneAll(set.Listeners)
	changed.Clusters = cloneAll(set.Clusters)
	edit := func(r reference) bool {
		if r.file() == "" {
			return false
		}
		r.setFile(rename(r.file()))
		return true
	}
	if changed.Bootstrap != nil {
		eachReference(changed.Bootstrap, edit)
	}
	for _, listener := range changed.Listeners {
		eachReference(listener, edit)
	}
	for _, cluster := range changed.Clusters {
		eachReference(cluster, edit)
	}
	return &changed
}

// encoder gathers files and keeps the first error.
type encoder struct {
	format Format
	files  []File
	// taken says which resource has which path.
	taken map[string]string
	// text is the room for one message after the other, as they are before they are laid out.
	text   []byte
	writer *writer
	err    error
}

func (e *encoder) set(set *Set) {
	e.add(BootstrapPath, "the bootstrap", func() ([]byte, error) { return e.message(set.Bootstrap) })
	dynamic := set.Bootstrap.GetDynamicResources()
	if len(set.Listeners) > 0 || dynamic.GetLdsConfig() != nil {
		addDiscovery(e, ListenersPath, "the listeners", set.Listeners)
	}
	if len(set.Clusters) > 0 || dynamic.GetCdsConfig() != nil {
		addDiscovery(e, ClustersPath, "the clusters", set.Clusters)
	}
	for _, r := range set.Routes {
		addDiscovery(e, RoutesPath(r.Name), fmt.Sprintf("route configuration %q", r.Name), []proto.Message{r})
	}
	for _, r := range set.Endpoints {
		addDiscovery(e, EndpointsPath(r.ClusterName), fmt.Sprintf("load assignment %q", r.ClusterName), []proto.Message{r})
	}
	for _, r := range set.Secrets {
		addDiscovery(e, SecretPath(r.Name), fmt.Sprintf("secret %q", r.Name), []proto.Message{r})
	}
}

func (e *encoder) add(path, what string, encode func() ([]byte, error)) {
	if e.err != nil {
		return
	}
	path = withExtension(path, "."+string(e.format))
	if other, ok := e.taken[path]; ok {
		e.err = fmt.Errorf("encoding %s: its file %s is already that of %s", what, path, other)
		return
	}
	e.taken[path] = what
	data, err := encode()
	if err != nil {
		e.err = fmt.Errorf("encoding %s: %w", what, err)
		return
	}
	e.files = append(e.files, File{Path: path, Data: data})
}

// message writes a message that is a file by itself.
func (e *encoder) message(message proto.Message) ([]byte, error) {
	if e.format == Binary {
		return proto.MarshalOptions{Deterministic: true}.Marshal(message)
	}
	text, err := e.writer.appendMessage(e.text[:0], message)
	if err != nil {
		return nil, err
	}
	e.text = text
	return layOut(text, e.format)
}

func addDiscovery[M proto.Message](e *encoder, path, what string, resources []M) {
	var version string
	e.add(path, what, func() (data []byte, err error) {
		var text []byte
		if text, version, err = appendDiscovery(e.writer, e.text[:0], resources); err != nil {
			return nil, err
		}
		e.text = text
		if e.format == Binary {
			return binaryDiscovery(version, resources)
		}
		return layOut(text, e.format)
	})
	if e.err != nil {
		return
	}
	made := &e.files[len(e.files)-1]
	made.Version = version
	if strings.Contains(path, "/") {
		made.Resource = nameOf(resources[0])
	}
}

func binaryDiscovery[M proto.Message](version string, resources []M) ([]byte, error) {
	response := &discoveryv3.DiscoveryResponse{VersionInfo: version}
	for _, r := range resources {
		packed := &anypb.Any{}
		if err := anypb.MarshalFrom(packed, r, proto.MarshalOptions{Deterministic: true}); err != nil {
			return nil, err
		}
		response.Resources = append(response.Resources, packed)
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(response)
}

// Digest identifies what a set says, in whatever format it is written.
func Digest(set *Set) string {
	encoded, err := Encode(set, Options{})
	hash := sha256.New()
	if err != nil {
		// A set that cannot be written has no digest that could equal another's.
		fmt.Fprintf(hash, "not encodable: %s", set.Name)
	}
	for _, file := range encoded {
		fmt.Fprintf(hash, "%s %d\n", file.Path, len(file.Data))
		hash.Write(file.Data)
	}
	return "sha256:" + hex.EncodeToString(hash.Sum(nil))
}
