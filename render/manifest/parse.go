package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// parse turns the text of a document into its node, nil for an empty one. Aliases in it are not unfolded.
func parse(d document) (root *yaml.Node, problem *diagnostic.Diagnostic) {
	// The parser is somebody else's code on a hostile text: what it does not expect costs one document, not the run.
	defer func() {
		if failure := recover(); failure != nil {
			root, problem = nil, d.notYAML(0, fmt.Sprintf("the YAML parser gave up: %v", failure))
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(d.text))
	var node yaml.Node
	err := decoder.Decode(&node)
	if err == nil {
		// A document that ends before its text does is broken: {a: 1} b: 2.
		if err = decoder.Decode(new(yaml.Node)); err == nil {
			return nil, d.notYAML(0, "text stands behind the end of the document")
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		line, message := cutLine(err)
		return nil, d.notYAML(line, message)
	}
	if node.Kind != yaml.DocumentNode || len(node.Content) == 0 {
		return nil, nil
	}
	return node.Content[0], nil
}

var (
	yamlError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)
	// grammarError are the errors whose line the parser counts from 0; those of its scanner count from 1
	// (go.yaml.in/yaml/v3, decode.go, parser.fail).
	grammarError = regexp.MustCompile(`^did not find expected (',' or '[]}]'|key|node content|'-' indicator|<.*>)$`)
)

// blockError are the errors whose line is the one where a block of keys or items begins, however far below it the fault is. Of the block
// that is the whole document it is the line behind the fault.
var blockError = regexp.MustCompile(`^did not find expected (key|'-' indicator)$`)

// anchorName is the only part of the text that the parser puts into its errors. A password that begins with "*" or "&" and is not quoted
// is one.
var anchorName = regexp.MustCompile(`anchor '.*' `)

// WithoutText is an error of the YAML parser without the text that it is about, which may be that of a Secret.
func WithoutText(err error) error {
	return errors.New(anchorName.ReplaceAllString(err.Error(), "anchor "))
}

// YAMLError splits an error of the YAML parser into its line in the text, 0 if it is not known, and what is wrong, without the text.
func YAMLError(err error) (line int, message string) { return cutLine(err) }

// cutLine takes the line out of an error of the YAML parser, which has it in its text only.
func cutLine(err error) (line int, message string) {
	err = WithoutText(err)
	parts := yamlError.FindStringSubmatch(err.Error())
	if parts == nil {
		return 0, err.Error()
	}
	line, _ = strconv.Atoi(parts[1])
	if grammarError.MatchString(parts[2]) {
		line++
	}
	return line, parts[2]
}

// notYAML is the diagnostic for a document that does not parse. line counts from 1 within the document; 0 is unknown.
//
// It stops the run if the text could hold an object that is read here, or if the caller named it. Trees hold much else that
// is no YAML, such as templates: those are worth a warning.
func (d document) notYAML(line int, message string) *diagnostic.Diagnostic {
	found := &diagnostic.Diagnostic{
		Code:     diagnostic.NotYAML,
		Severity: diagnostic.Warning,
		Position: d.position(max(line, 1), 0),
		Message:  "not YAML or JSON: " + message,
		Hint:     "the document is left out; correct its syntax if it is to be read",
	}
	switch template := bytes.Contains(d.text, []byte("{{")); {
	case template:
		found.Hint = "this looks like a template: render it first and give the result"
		if d.source.Named {
			found.Severity = diagnostic.Error
		}
	case d.source.Named || mentionsKind(d.text):
		found.Severity = diagnostic.Error
		found.Hint = "correct the syntax at or above this line; indentation and unquoted colons are the usual causes"
		if blockError.MatchString(message) {
			found.Hint = "correct the syntax in the block that begins at this line, mostly below it, or right above; indentation and unquoted colons are the usual causes"
		}
		if !utf8.Valid(d.text) {
			found.Hint = "this looks like binary data: save the file as UTF-8 text"
		}
	}
	return found
}

// position places a line of the document in its source.
func (d document) position(line, column int) diagnostic.Position {
	if d.unplaced {
		return diagnostic.Position{File: d.source.Name}
	}
	return d.source.position(d.before+line, column)
}

var kindLine = regexp.MustCompile(`(?m)^[\s"'-]*kind["']?\s*:\s*["']?(\w+)`)

// MentionsRoutes tells whether a text seems to hold objects of the Gateway API.
func MentionsRoutes(text []byte) bool { return bytes.Contains(text, []byte(gatewayGroup)) }

// mentionsKind tells whether a text that cannot be parsed seems to hold an object of a kind that is read.
func mentionsKind(text []byte) bool {
	if MentionsRoutes(text) {
		return true
	}
	for _, found := range kindLine.FindAllSubmatch(text, -1) {
		name := strings.TrimSuffix(string(found[1]), "List")
		for id := range kinds {
			if id.kind == name {
				return true
			}
		}
	}
	return false
}
