package files

import "bytes"

// indent is a JSON text without white space with one field a line, two blanks deeper at each level: what json.Indent makes of
// it, without its checks. Take it for texts that were written here.
func indent(text []byte) []byte {
	// A table of many rules has no room for growing by copies: a first pass counts.
	in := indenter{lines: make([]byte, 0, indentedLength(text))}
	for len(text) > 0 {
		text = text[in.next(text):]
	}
	return append(in.lines, '\n')
}

// indentedLength is that of the indented text, with its last line end.
func indentedLength(text []byte) int {
	length, depth := len(text)+1, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i += stringLength(text[i:]) - 1
		case ':':
			length++
		case ',':
			length += lineStart(depth)
		case '{', '[':
			if !closes(text, i+1) {
				depth++
				length += lineStart(depth)
			}
		case '}', ']':
			if !opens(text, i-1) {
				depth--
				length += lineStart(depth)
			}
		}
	}
	return length
}

// lineStart is the length of a line end and the indentation behind it.
func lineStart(depth int) int { return 1 + 2*depth }

// opens and closes tell what a bracket stands beside: an empty object or list stays on its line.
func opens(text []byte, i int) bool  { return i >= 0 && (text[i] == '{' || text[i] == '[') }
func closes(text []byte, i int) bool { return i < len(text) && (text[i] == '}' || text[i] == ']') }

// indenter appends a text.
type indenter struct {
	lines []byte
	depth int
}

// next writes what a text begins with and gives its length: a bracket, a comma, a colon or a scalar.
func (in *indenter) next(text []byte) int {
	switch text[0] {
	case '{', '[':
		if closes(text, 1) {
			in.lines = append(in.lines, text[:2]...)
			return 2
		}
		in.lines = append(in.lines, text[0])
		in.depth++
		in.line()
	case '}', ']':
		in.depth--
		in.line()
		in.lines = append(in.lines, text[0])
	case ',':
		in.lines = append(in.lines, ',')
		in.line()
	case ':':
		in.lines = append(in.lines, ": "...)
	default:
		length := scalarLength(text)
		in.lines = append(in.lines, text[:length]...)
		return length
	}
	return 1
}

// line begins a line.
func (in *indenter) line() {
	in.lines = append(in.lines, '\n')
	for left := in.depth; left > 0; left -= len(indentation) / 2 {
		in.lines = append(in.lines, indentation[:2*min(left, len(indentation)/2)]...)
	}
}

// indentation is that of as many levels as a rendering has, and more.
const indentation = "                                                                "

// scalarLength is the length of the string, number or word that a text begins with.
func scalarLength(text []byte) int {
	if text[0] == '"' {
		return stringLength(text)
	}
	for i, c := range text {
		if c == ',' || c == ']' || c == '}' {
			return i
		}
	}
	return len(text)
}

func stringLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		end := bytes.IndexByte(text[i:], '"')
		if end < 0 {
			break
		}
		escape := bytes.IndexByte(text[i:i+end], '\\')
		if escape < 0 {
			return i + end + 1
		}
		i += escape + 1 // what is escaped does not end the string
	}
	return len(text)
}
