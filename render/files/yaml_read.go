package files

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// maxNesting bounds the depth of values.
const maxNesting = 1000

// maxUnfolding bounds what aliases may make of a YAML file, as a multiple of its size.
const maxUnfolding = 16

// jsonFromYAML writes a YAML file as JSON with each scalar on the line on which it stands in the file, so that an error about
// the JSON has the right line.
func jsonFromYAML(file string, data []byte) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, yamlError(file, err)
	}
	if document.Kind == 0 {
		return nil, &DecodeError{File: file, Reason: "the file is empty"}
	}
	w := &jsonWriter{line: 1, limit: maxUnfolding*len(data) + 1<<16}
	if err := w.node(&document, 0); err != nil {
		return nil, &DecodeError{File: file, Line: w.line, Reason: err.Error()}
	}
	return w.b.Bytes(), nil
}

var yamlPlace = regexp.MustCompile(`line (\d+): `)

func yamlError(file string, err error) *DecodeError {
	decoded := &DecodeError{File: file, Reason: err.Error()}
	if place := yamlPlace.FindStringSubmatch(decoded.Reason); place != nil {
		decoded.Line, _ = strconv.Atoi(place[1])
	}
	return decoded
}

// jsonWriter writes YAML nodes as JSON and keeps to their lines.
type jsonWriter struct {
	b     bytes.Buffer
	line  int
	limit int
}

var (
	errUnfolds = errors.New("aliases unfold to far more than the file holds")
	errDepth   = errors.New("values are nested too deep")
)

func (w *jsonWriter) node(node *yaml.Node, depth int) error {
	if w.b.Len() > w.limit {
		return errUnfolds
	}
	if depth > maxNesting {
		return errDepth
	}
	for w.line < node.Line {
		w.b.WriteByte('\n')
		w.line++
	}
	switch node.Kind {
	case yaml.DocumentNode:
		return w.node(node.Content[0], depth+1)
	case yaml.AliasNode:
		return w.node(node.Alias, depth+1)
	case yaml.MappingNode:
		return w.mapping(node, depth)
	case yaml.SequenceNode:
		return w.sequence(node, depth)
	}
	w.scalar(node)
	return nil
}

func (w *jsonWriter) mapping(node *yaml.Node, depth int) error {
	w.b.WriteByte('{')
	for i := 0; i+1 < len(node.Content); i += 2 {
		if i > 0 {
			w.b.WriteByte(',')
		}
		key := node.Content[i]
		if key.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: a key is no text", key.Line)
		}
		if err := w.node(&yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: key.Value, Line: key.Line}, depth+1); err != nil {
			return err
		}
		w.b.WriteByte(':')
		if err := w.node(node.Content[i+1], depth+1); err != nil {
			return err
		}
	}
	w.b.WriteByte('}')
	return nil
}

func (w *jsonWriter) sequence(node *yaml.Node, depth int) error {
	w.b.WriteByte('[')
	for i, item := range node.Content {
		if i > 0 {
			w.b.WriteByte(',')
		}
		if err := w.node(item, depth+1); err != nil {
			return err
		}
	}
	w.b.WriteByte(']')
	return nil
}

// scalar follows Envoy's reader: booleans and whole numbers are what they are, everything else is text. The JSON form of
// protobuf takes a fraction in quotes too.
func (w *jsonWriter) scalar(node *yaml.Node) {
	switch node.ShortTag() {
	case yaml.NodeTagNull:
		w.b.WriteString("null")
		return
	case yaml.NodeTagBool:
		var value bool
		if node.Decode(&value) == nil {
			w.b.WriteString(strconv.FormatBool(value))
			return
		}
	case yaml.NodeTagInt:
		var signed int64
		var unsigned uint64
		if node.Decode(&signed) == nil {
			w.b.WriteString(strconv.FormatInt(signed, 10))
			return
		}
		if node.Decode(&unsigned) == nil {
			w.b.WriteString(strconv.FormatUint(unsigned, 10))
			return
		}
	}
	w.b.Write(quoted(node.Value))
}
