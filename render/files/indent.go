package files

// indent is a JSON text without white space with one field a line, two blanks deeper at each level: what json.Indent makes of
// it, without its checks. Take it for texts that were written here.
func indent(text []byte) []byte {
	// A table of many rules has no room for growing by copies: a first pass counts.
	counted := indenter{onlyCount: true}
	counted.all(text)
	made := indenter{lines: make([]byte, 0, counted.size+1)}
	made.all(text)
	return append(made.lines, '\n')
}

// indenter writes a text, or counts what it would write.
type indenter struct {
	onlyCount bool
	size      int
	lines     []byte
	depth     int
	// opened: an object or a list was opened last, whose end goes on the same line if it comes next.
	opened bool
}

func (in *indenter) all(text []byte) {
	for len(text) > 0 {
		length := 1
		switch text[0] {
		case '{', '[':
			in.item(text[:1])
			in.depth++
			in.opened = true
		case '}', ']':
			in.end(text[:1])
		case ',':
			in.write(text[:1])
			in.line()
		case ':':
			in.write(colon)
		default:
			length = scalarLength(text)
			in.item(text[:length])
		}
		text = text[length:]
	}
}

var colon = []byte(": ")

// item writes a scalar, or what opens a collection. The first one in a collection begins a line.
func (in *indenter) item(text []byte) {
	if in.opened {
		in.line()
		in.opened = false
	}
	in.write(text)
}

// end closes a collection.
func (in *indenter) end(bracket []byte) {
	in.depth--
	if !in.opened {
		in.line()
	}
	in.opened = false
	in.write(bracket)
}

// line begins a line.
func (in *indenter) line() {
	if in.onlyCount {
		in.size += 1 + 2*in.depth
		return
	}
	in.lines = append(in.lines, '\n')
	for range in.depth {
		in.lines = append(in.lines, ' ', ' ')
	}
}

func (in *indenter) write(text []byte) {
	if in.onlyCount {
		in.size += len(text)
		return
	}
	in.lines = append(in.lines, text...)
}

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
		switch text[i] {
		case '\\':
			i++ // what is escaped does not end the string
		case '"':
			return i + 1
		}
	}
	return len(text)
}
