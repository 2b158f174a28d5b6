package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"unicode/utf16"
)

// splitJSON cuts a document that is a stream of JSON objects, as kubectl reads it, into one document each, and writes what
// YAML spells otherwise in its way. Anything else is given back as it is.
func splitJSON(whole document) []document {
	rest := bytes.TrimLeft(whole.text, " \t\r\n")
	if len(rest) == 0 || rest[0] != '{' {
		return []document{whole}
	}
	var documents []document
	decoder := json.NewDecoder(bytes.NewReader(rest))
	begin, line := 0, whole.before+bytes.Count(whole.text[:len(whole.text)-len(rest)], []byte("\n"))
	for decoder.More() {
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return []document{whole} // a flow mapping of YAML, or broken: the YAML parser will say where
		}
		end := int(decoder.InputOffset())
		documents = append(documents, document{source: whole.source, text: YAMLEscapes(rest[begin:end]), before: line})
		line += bytes.Count(rest[begin:end], []byte("\n"))
		begin = end
	}
	return documents
}

var jsonEscape = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\.`)

// YAMLEscapes writes the escapes of JSON that YAML does not have in its way: two for a character beyond 16 bits, and the
// escaped slash.
func YAMLEscapes(text []byte) []byte {
	if bytes.IndexByte(text, '\\') < 0 {
		return text
	}
	return jsonEscape.ReplaceAllFunc(text, func(escape []byte) []byte {
		switch {
		case len(escape) == 12:
			high, _ := strconv.ParseUint(string(escape[2:6]), 16, 32)
			low, _ := strconv.ParseUint(string(escape[8:12]), 16, 32)
			return fmt.Appendf(nil, `\U%08X`, utf16.DecodeRune(rune(high), rune(low)))
		case escape[1] == '/':
			return escape[1:]
		}
		return escape
	})
}
