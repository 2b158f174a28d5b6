package resourcelist

import (
	"bytes"
)

// skimmed is what can be told of an item without parsing it.
type skimmed struct {
	// closed: nothing is open at the end of the item, so that it ends where its lines do. Where this is false, the rest is not known.
	closed           bool
	apiVersion, kind string
	// text is the head of the item as a document: apiVersion, kind and metadata.
	text []byte
}

// skim goes over the lines of an item in block style. It knows the plain ways to write a line: a key, a key with a scalar or a
// collection that ends on the line, a scalar behind a mark; and the header of a block scalar, whose lines it passes over. Of any other
// line it does not know what may go on behind it, and does not claim to.
func skim(text []byte) skimmed {
	s := skimmer{column: -1}
	for line := range bytes.Lines(text) {
		if !s.line(bytes.TrimSuffix(line, []byte("\n"))) {
			return skimmed{}
		}
	}
	s.head.closed = true
	return s.head
}

type skimmer struct {
	head skimmed
	// column of the item's own keys, -1 before the first.
	column int
	// inHead: the lines belong to the head.
	inHead bool
	// scalar is the block scalar that the lines belong to.
	scalar blockScalar
}

// blockScalar is one whose parent stands at a column, and whose text at another, 0 before its first line.
type blockScalar struct {
	open         bool
	parent, text int
}

// line takes in a line and tells whether it is one of the plain ways.
func (s *skimmer) line(line []byte) bool {
	indent := len(line) - len(bytes.TrimLeft(line, " "))
	content := line[indent:]
	if len(content) == 0 {
		s.keep(line)
		return true
	}
	if s.scalar.open && indent > s.scalar.parent {
		if s.scalar.text == 0 {
			s.scalar.text = indent
		}
		s.keep(line)
		return indent >= s.scalar.text
	}
	s.scalar.open = false
	if bytes.IndexByte(line, '\t') >= 0 || bytes.IndexByte(line, '\r') >= 0 {
		return false
	}
	if content[0] == '#' {
		s.keep(line)
		return true
	}
	mark, column := -1, indent // of the innermost mark, and of what stands behind it
	for len(content) > 1 && content[0] == '-' && content[1] == ' ' {
		mark = column
		rest := bytes.TrimLeft(content[1:], " ")
		column += len(content) - len(rest)
		content = rest
	}
	if len(content) == 0 {
		return false
	}
	if s.column < 0 { // the item's own mark
		if mark < 0 {
			return false
		}
		s.column = column
		line = append(bytes.Repeat([]byte(" "), column), content...)
	}
	return s.content(line, content, mark, column)
}

// content takes in what stands behind the marks of a line.
func (s *skimmer) content(line, content []byte, mark, column int) bool {
	key, value, isEntry := entry(content)
	if column == s.column {
		if !isEntry {
			return false
		}
		s.top(string(key), value)
	}
	s.keep(line)
	switch {
	case isEntry && isBlockHeader(value):
		s.scalar = blockScalar{open: true, parent: column}
	case isEntry:
		return ends(value)
	case mark < 0:
		return false // more of a scalar that began above
	case isBlockHeader(content):
		s.scalar = blockScalar{open: true, parent: mark}
	default:
		return ends(content)
	}
	return true
}

// top takes in a key of the item itself.
func (s *skimmer) top(key string, value []byte) {
	s.inHead = key == "apiVersion" || key == "kind" || key == "metadata"
	switch key {
	case "apiVersion":
		s.head.apiVersion = unquoted(value)
	case "kind":
		s.head.kind = unquoted(value)
	}
}

func (s *skimmer) keep(line []byte) {
	if s.inHead {
		s.head.text = append(append(s.head.text, line...), '\n')
	}
}

// entry cuts "key: value" where the key is a plain scalar or a simple quoted one.
func entry(content []byte) (key, value []byte, is bool) {
	var rest []byte
	switch first := content[0]; {
	case first == '"' || first == '\'':
		end := bytes.IndexByte(content[1:], first)
		if end < 0 || bytes.IndexByte(content[1:1+end], '\\') >= 0 {
			return nil, nil, false
		}
		key, rest = content[1:1+end], content[2+end:]
	case isLetterOrDigit(first), bytes.IndexByte([]byte("_./$~"), first) >= 0:
		end := bytes.IndexByte(content, ':')
		if end < 0 || bytes.IndexByte(content[:end], '#') >= 0 {
			return nil, nil, false
		}
		key, rest = content[:end], content[end:]
	}
	if len(rest) == 0 || rest[0] != ':' || len(rest) > 1 && rest[1] != ' ' {
		return nil, nil, false
	}
	return key, bytes.Trim(rest[1:], " "), true
}

func isLetterOrDigit(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// isBlockHeader tells whether a value is the header of a block scalar whose indentation is that of its first line.
func isBlockHeader(value []byte) bool {
	if len(value) == 0 || value[0] != '|' && value[0] != '>' {
		return false
	}
	value = value[1:]
	if len(value) > 0 && (value[0] == '-' || value[0] == '+') {
		value = value[1:]
	}
	return isEnd(value)
}

// ends tells whether a value, in front of which nothing is open, is known to end with its line.
func ends(value []byte) bool {
	if isEnd(value) || value[0] == '#' {
		return true
	}
	switch first := value[0]; first {
	case '"', '\'':
		return endsQuoted(value[1:], first)
	case '{', '[':
		return endsFlow(value)
	case '-', '?', ':':
		if len(value) == 1 || value[1] == ' ' {
			return false
		}
	case ',', ']', '}', '#', '&', '*', '!', '|', '>', '%', '@', '`':
		return false
	}
	if i := bytes.Index(value, []byte(" #")); i >= 0 {
		value = value[:i]
	}
	return !bytes.Contains(value, []byte(": ")) && value[len(value)-1] != ':'
}

// endsQuoted tells whether a quoted scalar ends on its line; value is what stands behind its first quote.
func endsQuoted(value []byte, quote byte) bool {
	for i := 0; i < len(value); i++ {
		switch {
		case value[i] == '\\' && quote == '"':
			i++
		case value[i] != quote:
		case quote == '\'' && i+1 < len(value) && value[i+1] == quote:
			i++
		default:
			return isEnd(value[i+1:])
		}
	}
	return false
}

// endsFlow tells whether a flow collection ends on its line. In one that holds no quotes and no comments, every bracket is one.
func endsFlow(value []byte) bool {
	depth := 0
	for i, c := range value {
		switch c {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return isEnd(value[i+1:])
			}
		case '"', '\'', '#', '&', '*', '!', '|', '>', '%', '@', '`':
			return false
		}
	}
	return false
}

// isEnd tells whether there is nothing but blanks and a comment.
func isEnd(value []byte) bool {
	trimmed := bytes.TrimLeft(value, " ")
	return len(trimmed) == 0 || trimmed[0] == '#' && len(trimmed) < len(value)
}

// unquoted is the text of a simple scalar, for a first look at it.
func unquoted(value []byte) string {
	if i := bytes.Index(value, []byte(" #")); i >= 0 {
		value = value[:i]
	}
	return string(bytes.Trim(value, ` "'`))
}
