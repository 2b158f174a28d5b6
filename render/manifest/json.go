package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"unicode/utf16"
)

// splitJSON cuts a document that is a stream of JSON objects, as kubectl reads it, into one document each, and writes the one
// thing in them that YAML reads otherwise. Anything else is given back as it is.
func splitJSON(whole document) []document {
	rest := bytes.TrimLeft(whole.text, " \t\r\n")
	if len(rest) == 0 || rest[0] != '{' {
		return []document{whole}
	}
	var documents []document
	at := len(whole.text) - len(rest)
	decoder := json.NewDecoder(bytes.NewReader(rest))
	begin := int64(0)
	for decoder.More() {
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return []document{whole} // a flow mapping of YAML, or broken: the YAML parser will say where
		}
		end := decoder.InputOffset()
		documents = append(documents, document{
			source: whole.source,
			text:   joinSurrogates(whole.text[at+int(begin) : at+int(end)]),
			before: whole.before + bytes.Count(whole.text[:at+int(begin)], []byte("\n")),
		})
		begin = end
	}
	return documents
}

var surrogates = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}`)

// joinSurrogates writes the two escapes with which JSON spells a character beyond 16 bits as the one escape of YAML.
func joinSurrogates(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\u`)) {
		return text
	}
	return surrogates.ReplaceAllFunc(text, func(pair []byte) []byte {
		high, _ := strconv.ParseUint(string(pair[2:6]), 16, 32)
		low, _ := strconv.ParseUint(string(pair[8:12]), 16, 32)
		return fmt.Appendf(nil, `\U%08X`, utf16.DecodeRune(rune(high), rune(low)))
	})
}
