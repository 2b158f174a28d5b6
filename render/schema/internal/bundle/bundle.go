// Package bundle is the file in which the definitions of the Gateway API's kinds are embedded: in comes its bytes, out go the kinds
// of a channel, their schemas, and the rules of schemas compiled to expressions. It is a zip archive, so that one kind can be read
// without the others.
//
//	channels.json      the kinds of each channel with their versions; each version names its schema
//	schemas/<digest>   an OpenAPI schema as a CustomResourceDefinition has it, without descriptions
//	rules/<digest>     the CEL rules of one schema node, checked: a google.api.expr.v1alpha1.CheckedExpr
package bundle

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// ChannelsFile, SchemasFolder and RulesFolder are names in the archive.
const (
	ChannelsFile  = "channels.json"
	SchemasFolder = "schemas/"
	RulesFolder   = "rules/"
)

// Kind is one kind of a channel.
type Kind struct {
	Group, Kind string
	Namespaced  bool
	Versions    []Version
}

// Version is one version of a kind.
type Version struct {
	Name            string
	Served, Storage bool
	// Warning of a deprecated version, as the API server gives it.
	Warning string `json:",omitempty"`
	// Status: what a client writes into the field "status" is dropped (the status subresource).
	Status bool
	// Schema is the name of the schema in the archive.
	Schema string
}

// Archive is an open bundle. It is safe for use side by side.
type Archive struct{ files *zip.Reader }

// Open opens a bundle.
func Open(data []byte) (Archive, error) {
	files, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return Archive{}, fmt.Errorf("opening the definitions: %w", err)
	}
	return Archive{files}, nil
}

// Kinds lists the kinds of a channel.
func (a Archive) Kinds(channel string) ([]Kind, error) {
	data, err := a.Read(ChannelsFile)
	if err != nil {
		return nil, err
	}
	var channels map[string][]Kind
	if err := json.Unmarshal(data, &channels); err != nil {
		return nil, fmt.Errorf("reading %s: %w", ChannelsFile, err)
	}
	kinds, known := channels[channel]
	if !known {
		return nil, fmt.Errorf("there is no channel %q", channel)
	}
	return kinds, nil
}

// Names lists the files, sorted.
func (a Archive) Names() []string {
	names := make([]string, len(a.files.File))
	for i, file := range a.files.File {
		names[i] = file.Name
	}
	slices.Sort(names)
	return names
}

// Read gives one file.
func (a Archive) Read(name string) ([]byte, error) {
	file, err := a.files.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	defer file.Close()
	return io.ReadAll(file)
}

// RulesName is where the rules with these texts stand.
func RulesName(texts []string) string {
	data, _ := json.Marshal(texts) // strings always marshal
	return RulesFolder + Digest(data)
}

// Digest names a content.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
