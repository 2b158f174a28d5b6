package files

import (
	"bytes"
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/reflect/protoregistry"
)

// wrapUnknownTypes keeps packed messages whose type is not linked in (contrib extensions, other people's filters): each is
// rewritten as the TypedStruct that says the same, so that the rest of the file can be read and nothing of it is lost. Values
// stay on their lines. It returns nil where there is none.
func wrapUnknownTypes(text []byte) []byte { return rewritten(text, &placedWriter{line: 1}) }

// rewritten is a text with what a writer changes in it, or nil where there is nothing to change.
func rewritten(text []byte, w *placedWriter) []byte {
	root, err := parsePlaced(text)
	if err != nil {
		return nil
	}
	w.value(root)
	if !w.wrapped {
		return nil
	}
	return w.b.Bytes()
}

// unknownType is the type of a packed message that is not linked in, or "".
func unknownType(v placed) string {
	url := v.field("@type")
	if url == "" {
		return ""
	}
	if _, err := protoregistry.GlobalTypes.FindMessageByURL(url); err == nil {
		return ""
	}
	return url
}

type placedWriter struct {
	b       bytes.Buffer
	line    int
	wrapped bool
	// durations are rewritten too.
	durations bool
}

func (w *placedWriter) value(v placed) {
	for w.line < v.line {
		w.b.WriteByte('\n')
		w.line++
	}
	if text := durationText(v); w.durations && text != "" {
		w.wrapped = true
		w.b.Write(quoted(text))
		return
	}
	url := unknownType(v)
	if url == "" {
		w.plain(v)
		return
	}
	w.wrapped = true
	fmt.Fprintf(&w.b, `{"@type":"type.googleapis.com/xds.type.v3.TypedStruct","type_url":%s,"value":`, quoted(url))
	rest := placed{line: v.line, kind: v.kind}
	for i, name := range v.names {
		if name != "@type" {
			rest.names = append(rest.names, name)
			rest.values = append(rest.values, v.values[i])
		}
	}
	w.plain(rest)
	w.b.WriteByte('}')
}

// plain writes a value without looking at its own type.
func (w *placedWriter) plain(v placed) {
	if v.kind == 0 {
		w.scalar(v.scalar)
		return
	}
	w.b.WriteByte(byte(v.kind))
	for i, inner := range v.values {
		if i > 0 {
			w.b.WriteByte(',')
		}
		if v.object() {
			w.b.Write(quoted(v.names[i]))
			w.b.WriteByte(':')
		}
		w.value(inner)
	}
	w.b.WriteByte(map[json.Delim]byte{'{': '}', '[': ']'}[v.kind])
}

func (w *placedWriter) scalar(token json.Token) {
	switch s := token.(type) {
	case string:
		w.b.Write(quoted(s))
	case nil:
		w.b.WriteString("null")
	default:
		fmt.Fprint(&w.b, s)
	}
}
