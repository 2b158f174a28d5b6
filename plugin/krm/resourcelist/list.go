// Package resourcelist is the stream of KRM functions as text: a ResourceList comes in and is cut at its items; the same text goes out
// with some items replaced or taken out, others behind them, and other results. All the rest goes through as bytes.
//
// A tree of YAML nodes takes about 150 times the memory of its text, so only the items that a caller asks for are parsed, one at a
// time. The cut is made in the text, and holds because each part that it gives is complete by itself: no quote, flow collection or
// block scalar is open at its end (skim.go looks at what is not parsed). What is written in an unusual way is parsed as a whole, and
// has to be small for that.
package resourcelist

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/manifest"
)

var (
	// ErrNoList says that a text is no ResourceList.
	ErrNoList = errors.New("the text is no ResourceList (config.kubernetes.io/v1)")
	// ErrEntangled says that an item cannot be read without the others: they share anchors. ParseWhole reads such a list.
	ErrEntangled = errors.New("an item cannot be read by itself")
	// ErrTooLarge says that a list is too large to be parsed as a whole.
	ErrTooLarge = errors.New("the ResourceList is written in a way that is read as a whole only, and too large for that")
)

// mostParsed bounds what is parsed as one tree, in bytes.
const mostParsed = 4 << 20

// List is a ResourceList.
type List struct {
	// FunctionConfig is nil where the list has none.
	FunctionConfig *yaml.Node
	// Results are those that functions before this one have left.
	Results []Result
	form
}

// form is how a list is written: in block style, as JSON, or otherwise.
type form interface {
	// Len is the number of items.
	Len() int
	// Read reads an item. It has a node if whole says so of its apiVersion and kind, or if its end cannot be told without parsing it.
	// Read may be called from several goroutines.
	Read(index int, whole func(apiVersion, kind string) bool) (Item, error)
	// pieces are the text after an edit.
	pieces(Edit) ([][]byte, error)
}

// Item is what is known of an item.
type Item struct {
	APIVersion, Kind, Namespace, Name string
	Labels, Annotations               map[string]string
	// Node is nil where only the head was read.
	Node *yaml.Node
}

// Result is an entry of a list's results.
type Result struct {
	Tags  map[string]string
	value any // *yaml.Node or json.RawMessage, as the list is written
}

// MarshalYAML gives the entry as it came.
func (r Result) MarshalYAML() (any, error) { return r.value, nil }

// MarshalJSON gives the entry as it came.
func (r Result) MarshalJSON() ([]byte, error) { return json.Marshal(r.value) }

// Object is an item that is added to a list, in either form that a list can have.
type Object interface {
	// Marshal gives a YAML document in block style.
	Marshal() ([]byte, error)
	json.Marshaler
}

// Edit is what is to be changed.
type Edit struct {
	// Replaced are items by their index; nil takes one out.
	Replaced map[int]Object
	// Added come behind all others.
	Added []Object
	// Results take the place of those of the list, unless they are nil. They have tags for YAML and for JSON.
	Results []any
}

// Parse cuts a text at its items.
func Parse(text []byte) (*List, error) {
	if list, err := parseJSON(text); err == nil || !errors.Is(err, errOtherForm) {
		return list, err
	}
	if list, err := parseBlock(text); err == nil || !errors.Is(err, errOtherForm) {
		return list, err
	}
	return ParseWhole(text)
}

// errOtherForm says that a text is not written in the form that was tried.
var errOtherForm = errors.New("the list is written in another form")

// Write writes the list with an edit.
func (l *List) Write(out io.Writer, edit Edit) error {
	pieces, err := l.pieces(edit)
	if err != nil {
		return fmt.Errorf("writing the ResourceList: %w", err)
	}
	for _, piece := range pieces {
		if _, err := out.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

// served are the versions of the format; they differ in nothing that is used here.
var served = regexp.MustCompile(`^config\.kubernetes\.io/(v1|v1beta1|v1alpha1)$`)

// isList tells whether apiVersion and kind are those of a ResourceList.
func isList(apiVersion, kind string) bool {
	return kind == "ResourceList" && served.MatchString(apiVersion)
}

// parse is the root of a YAML document, nil for an empty one. The parser is somebody else's code on a hostile text: where it panics,
// the text is not readable.
func parse(text []byte) (root *yaml.Node, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			root, err = nil, fmt.Errorf("the YAML parser gave up: %v", failure)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, manifest.WithoutText(err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one document")
	}
	if len(document.Content) == 0 {
		return nil, nil
	}
	return document.Content[0], nil
}
