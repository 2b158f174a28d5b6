package files

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
)

// bareKey is a key that needs no quotes, unless it is one of the words below: the name of a field.
var bareKey = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// words are read as something else than text by one version of YAML or the other.
var words = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// yamlFromJSON writes JSON as block YAML in the order it has. Every string value is quoted: Envoy refuses a whole file for one
// bare "y", "on" or "007".
func yamlFromJSON(text []byte) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	w := &yamlWriter{decoder: decoder}
	if err := w.value("", "\n"); err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	return bytes.TrimLeft(w.b.Bytes(), "\n"), nil
}

// yamlWriter turns the tokens of a JSON text into lines.
type yamlWriter struct {
	decoder *json.Decoder
	b       bytes.Buffer
}

// value writes the next value. A scalar goes behind what is on the line; the lines of a collection start with indent, and
// the first of them with lead.
func (w *yamlWriter) value(indent, lead string) error {
	token, err := w.decoder.Token()
	if err != nil {
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		return err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return w.scalar(token)
	}
	if !w.decoder.More() {
		w.b.WriteString(map[json.Delim]string{'{': " {}\n", '[': " []\n"}[delim])
		_, err = w.decoder.Token()
		return err
	}
	w.b.WriteString(lead)
	if lead == "\n" {
		w.b.WriteString(indent)
	}
	if delim == '{' {
		err = w.object(indent)
	} else {
		err = w.array(indent)
	}
	if err != nil {
		return err
	}
	_, err = w.decoder.Token()
	return err
}

func (w *yamlWriter) object(indent string) error {
	for first := true; w.decoder.More(); first = false {
		key, err := w.decoder.Token()
		if err != nil {
			return err
		}
		if !first {
			w.b.WriteString(indent)
		}
		w.key(key.(string))
		w.b.WriteByte(':')
		if err := w.value(indent+"  ", "\n"); err != nil {
			return err
		}
	}
	return nil
}

func (w *yamlWriter) array(indent string) error {
	for first := true; w.decoder.More(); first = false {
		if !first {
			w.b.WriteString(indent)
		}
		w.b.WriteByte('-')
		if err := w.value(indent+"  ", " "); err != nil {
			return err
		}
	}
	return nil
}

func (w *yamlWriter) key(key string) {
	if bareKey.MatchString(key) && !slices.Contains(words, key) {
		w.b.WriteString(key)
		return
	}
	w.b.Write(quoted(key))
}

func (w *yamlWriter) scalar(token json.Token) error {
	w.b.WriteByte(' ')
	switch v := token.(type) {
	case string:
		w.b.Write(quoted(v))
	case nil:
		w.b.WriteString("null")
	default:
		fmt.Fprint(&w.b, v)
	}
	w.b.WriteByte('\n')
	return nil
}

// quoted is a string in JSON's quotes, which YAML reads alike. The few characters that JSON takes bare and YAML does not are
// escaped.
func quoted(text string) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	// A string has no error.
	_ = encoder.Encode(text)
	line := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	if !bytes.ContainsFunc(line, unprintable) {
		return line
	}
	var escaped bytes.Buffer
	for _, r := range string(line) {
		if unprintable(r) {
			fmt.Fprintf(&escaped, `\u%04x`, r)
			continue
		}
		escaped.WriteRune(r)
	}
	return escaped.Bytes()
}

// unprintable is what YAML 1.2, section 5.1, does not let stand in a file.
func unprintable(r rune) bool {
	return r >= 0x7f && r < 0xa0 || r == 0xfeff || r == 0xfffe || r == 0xffff
}
