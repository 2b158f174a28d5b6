package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// document is one message in a file that other people's tools wrote, not yet decoded.
type document struct {
	file string
	// line on which text begins.
	line int
	// gateway is the keys above it, joined by "/": `egctl x translate` writes xds: {namespace/name: {...}}, and
	// `egctl config envoy-proxy` {namespace: {pod: {...}}}.
	gateway string
	// kind of a message that stands without "@type"; "" for one that says its type.
	kind kind
	text []byte
}

// ErrForeign is the error for a text that holds no Envoy configuration.
var ErrForeign = errors.New("there is no Envoy configuration in it: want a bootstrap, a /config_dump, the output of `egctl x translate`, or resources with their \"@type\"")

// maxGatewayDepth is how many keys may stand above a document: xds and namespace/name, or namespace and pod.
const maxGatewayDepth = 2

// maxDocumentDepth bounds the lists and objects around a document: a list of DiscoveryResponses under a Gateway under "xds" is
// the deepest that anybody writes.
const maxDocumentDepth = 8

// findDocuments finds the messages in a JSON or YAML text. It knows these forms, by their keys:
//
//	{"configs": [...]}                         /config_dump, whole or ?resource=
//	{"resources": [...]}                       a DiscoveryResponse, or Kuma's list of {name, resource}
//	[...]                                      a list of any of these
//	{"@type": ...}                             one section of a dump, or one resource
//	{"virtual_hosts": ...} and the like        one resource or bootstrap that does not say its type
//	{"xds": {...}}, {"name": {...}}            the forms above under the name of a Gateway
//
// A text with anything else in it is none of ours, and the error is ErrForeign. Empty lists and objects are no documents.
func findDocuments(file string, data []byte) ([]document, error) {
	text, err := documentText(file, data)
	if err != nil {
		return nil, err
	}
	f := &finder{file: file}
	if err := f.value(text, 1, nil); err != nil {
		return nil, err
	}
	return f.found, nil
}

// documentText is a file as JSON. What begins as JSON is read as JSON, whatever its name says: dumps are often saved under
// any name, and the YAML reader takes ten times as long.
func documentText(file string, data []byte) ([]byte, error) {
	start := bytes.TrimLeft(data, " \t\r\n")
	if len(start) == 0 {
		return []byte("{}"), nil
	}
	if (start[0] == '{' || start[0] == '[') && json.Valid(data) {
		return data, nil
	}
	if !strings.HasSuffix(file, ".yaml") && !strings.HasSuffix(file, ".yml") && (start[0] == '{' || start[0] == '[') {
		return nil, jsonSyntaxError(file, data)
	}
	if isStream(data) {
		return nil, ErrForeign
	}
	return jsonFromYAML(file, data)
}

// isStream tells whether a YAML text has a second document. Envoy's files have one, and of several the YAML reader would take
// the first in silence.
func isStream(data []byte) bool {
	content, border := false, false
	for line := range bytes.Lines(data) {
		trimmed := bytes.TrimSpace(line)
		switch {
		case len(trimmed) == 0 || trimmed[0] == '#' || line[0] == '%':
		case bytes.HasPrefix(line, []byte("---")):
			border = content
		case border:
			return true
		default:
			content = true
		}
	}
	return false
}

func jsonSyntaxError(file string, data []byte) error {
	_, err := parsePlaced(data)
	decoded := &DecodeError{File: file, Reason: "it is not valid JSON"}
	if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
		decoded.Line = 1 + bytes.Count(data[:min(syntax.Offset, int64(len(data)))], []byte("\n"))
		decoded.Reason = syntax.Error()
	}
	return decoded
}

// finder gathers the documents of one file.
type finder struct {
	file  string
	found []document
	depth int
}

// value looks at one value, which begins on the line and stands under the keys.
func (f *finder) value(text []byte, line int, above []string) error {
	if f.depth++; f.depth > maxDocumentDepth {
		return ErrForeign
	}
	defer func() { f.depth-- }()
	skipped := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	line += bytes.Count(text[:skipped], []byte("\n"))
	text = text[skipped:]
	parts, err := partsOf(text, line)
	if err != nil {
		return ErrForeign
	}
	if text[0] == '[' {
		return f.list(parts, above)
	}
	return f.object(parts, document{file: f.file, line: line, gateway: strings.Join(above, "/"), text: text}, above)
}

// list looks at each item of a list.
func (f *finder) list(items []part, above []string) error {
	for _, item := range items {
		if err := f.value(item.text, item.line, above); err != nil {
			return err
		}
	}
	return nil
}

// object looks at an object by its keys.
func (f *finder) object(parts []part, whole document, above []string) error {
	keys := keysOf(parts)
	switch {
	case len(parts) == 0:
		return nil
	case keys["apiVersion"] != nil:
		return ErrForeign // a manifest of Kubernetes
	case keys["@type"] != nil:
		f.found = append(f.found, whole)
		return nil
	case keys["configs"] != nil:
		return f.under(keys["configs"], above)
	case keys["resources"] != nil:
		return f.under(keys["resources"], above)
	case keys["resource"] != nil && keys["resource"].text[0] == '{':
		return f.under(keys["resource"], above)
	}
	if whole.kind = untypedKind(keys); whole.kind != "" {
		f.found = append(f.found, whole)
		return nil
	}
	if xds := keys["xds"]; xds != nil && len(above) == 0 {
		// Beside it `egctl x translate` may print the Gateway API objects, and its own form of them.
		return f.under(xds, nil)
	}
	return f.gateways(parts, above)
}

// under looks at the value of a key that says what it holds, which is thus no manifest's.
func (f *finder) under(p *part, above []string) error { return f.value(p.text, p.line, above) }

// gateways looks at an object whose keys are names, or say what is below them as in {"listeners": [...], "routes": [...]}.
func (f *finder) gateways(parts []part, above []string) error {
	if len(above) >= maxGatewayDepth {
		return ErrForeign
	}
	for _, p := range parts {
		below := above
		if !contentWord.MatchString(p.key) {
			below = append(above[:len(above):len(above)], p.key)
		}
		if err := f.value(p.text, p.line, below); err != nil {
			return err
		}
	}
	return nil
}

// part is an item of a list or a field of an object.
type part struct {
	key  string
	line int
	text []byte
}

func keysOf(parts []part) map[string]*part {
	keys := make(map[string]*part, len(parts))
	for i := range parts {
		keys[parts[i].key] = &parts[i]
	}
	return keys
}

// partsOf cuts a JSON object or list into its parts; any other value is an error.
func partsOf(text []byte, line int) ([]part, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	open, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	if open != json.Delim('{') && open != json.Delim('[') {
		return nil, fmt.Errorf("%v is neither an object nor a list", open)
	}
	var parts []part
	counted := int64(0)
	for decoder.More() {
		var p part
		if open == json.Delim('{') {
			key, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			p.key, _ = key.(string)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		start := decoder.InputOffset() - int64(len(value))
		line += bytes.Count(text[counted:start], []byte("\n"))
		counted = start
		p.line, p.text = line, text[start:decoder.InputOffset()]
		parts = append(parts, p)
	}
	return parts, nil
}
