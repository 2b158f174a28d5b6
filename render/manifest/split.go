package manifest

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
)

// document is a part of a source that is parsed by itself.
type document struct {
	source *Source
	text   []byte
	// before is the number of lines of the source before the text, begin its offset where it is a whole document.
	before, begin int
	// list is set if the text is a sequence of items of this list.
	list *list
	// unplaced: the lines of the nodes are not lines of the source.
	unplaced bool
}

// toUTF8 drops a byte order mark. One of UTF-16 (PowerShell writes it) has the text converted.
func toUTF8(data []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		order = binary.BigEndian
	default:
		return bytes.TrimPrefix(data, []byte("\ufeff"))
	}
	units := make([]uint16, 0, len(data)/2)
	for rest := data[2:]; len(rest) > 1; rest = rest[2:] {
		units = append(units, order.Uint16(rest))
	}
	return []byte(string(utf16.Decode(units)))
}

// split cuts a source at its document markers and leaves out documents of nothing but comments. It is done on the text,
// before parsing, so that documents can be parsed side by side, and so that a bad one leaves the others readable. YAML allows
// this: a line that begins with a marker is no content anywhere, not even inside a block or a quoted scalar.
func split(source *Source) []document {
	data := toUTF8(source.Data)
	var documents []document
	begin, beginLine := 0, 0
	cut := func(end, next, nextLine int) {
		if text := data[begin:end]; !isComment(text) {
			for _, value := range splitJSON(document{source: source, text: text, before: beginLine, begin: begin}) {
				documents = append(documents, splitList(value)...)
			}
		}
		begin, beginLine = next, nextLine
	}
	line := 0
	for at := 0; at < len(data); line++ {
		end := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		switch text := data[at:end]; {
		case isMarker(text, "---"):
			// What stands before the marker is a document of its own, unless it is a %YAML directive, which belongs to
			// the document that the marker opens.
			if !hasDirective(data[begin:at]) {
				cut(at, at, line)
			}
		case isMarker(text, "..."):
			cut(at, end, line+1)
		}
		at = end
	}
	cut(len(data), len(data), line)
	return documents
}

// isMarker tells whether a line is a document marker, with or without content behind it.
func isMarker(line []byte, marker string) bool {
	rest, found := bytes.CutPrefix(line, []byte(marker))
	return found && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}

// isComment tells whether a text has nothing but blanks, comments and an opening marker.
func isComment(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if isMarker(line, "---") {
			line = bytes.TrimSpace(line[3:])
		}
		if len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

// hasDirective tells whether a text has nothing but directives (%YAML 1.1) and comments.
func hasDirective(text []byte) bool {
	found := false
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 || line[0] == '#':
		case line[0] == '%':
			found = true
		default:
			return false
		}
	}
	return found
}
