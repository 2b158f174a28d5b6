package files

import (
	"bytes"
	"encoding/json"
	"errors"
)

// placed is a JSON value with the line it begins on.
type placed struct {
	line int
	// kind is '{' or '[', or 0 for a scalar.
	kind   json.Delim
	scalar json.Token
	names  []string // of the fields of an object
	values []placed // of an object or an array
}

func (v placed) object() bool { return v.kind == '{' }

// field is the value of a field of an object, as text.
func (v placed) field(name string) string {
	for i, have := range v.names {
		if have == name {
			text, _ := v.values[i].scalar.(string)
			return text
		}
	}
	return ""
}

// parsePlaced reads a JSON text.
func parsePlaced(text []byte) (placed, error) {
	p := &placedParser{decoder: json.NewDecoder(bytes.NewReader(text)), text: text, line: 1}
	p.decoder.UseNumber()
	return p.value(0)
}

type placedParser struct {
	decoder *json.Decoder
	text    []byte
	counted int64
	line    int
}

// token is the next token; line is then the line on which it ends.
func (p *placedParser) token() (json.Token, error) {
	token, err := p.decoder.Token()
	offset := p.decoder.InputOffset()
	p.line += bytes.Count(p.text[p.counted:offset], []byte("\n"))
	p.counted = offset
	return token, err
}

func (p *placedParser) value(depth int) (placed, error) {
	token, err := p.token()
	if err != nil {
		return placed{}, err
	}
	v := placed{line: p.line}
	delim, ok := token.(json.Delim)
	if !ok {
		v.scalar = token
		return v, nil
	}
	if depth > maxNesting {
		return v, errors.New("values are nested too deep")
	}
	v.kind = delim
	for p.decoder.More() {
		if v.object() {
			name, err := p.token()
			if err != nil {
				return v, err
			}
			v.names = append(v.names, name.(string))
		}
		inner, err := p.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.values = append(v.values, inner)
	}
	_, err = p.token()
	return v, err
}
