package files

import (
	"errors"
	"math"
	"strconv"
	"unicode/utf8"
)

var errNotUTF8 = errors.New("a string is not valid UTF-8")

// string writes a text in quotes.
func (w *writer) string(s string) error {
	if !utf8.ValidString(s) {
		return errNotUTF8
	}
	w.text = append(w.text, '"')
	plain := 0
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			w.text = append(w.text, s[plain:i]...)
			w.escape(c)
			plain = i + 1
		}
	}
	w.text = append(w.text, s[plain:]...)
	w.text = append(w.text, '"')
	return nil
}

// escape writes one of the characters that JSON does not let stand in a string, in its shortest form.
func (w *writer) escape(c byte) {
	const hex = "0123456789abcdef"
	switch c {
	case '\b':
		c = 'b'
	case '\f':
		c = 'f'
	case '\n':
		c = 'n'
	case '\r':
		c = 'r'
	case '\t':
		c = 't'
	case '"', '\\':
	default:
		w.text = append(w.text, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
		return
	}
	w.text = append(w.text, '\\', c)
}

// quoted writes a text that needs no escapes.
func (w *writer) quoted(s string) {
	w.text = append(w.text, '"')
	w.text = append(w.text, s...)
	w.text = append(w.text, '"')
}

// float writes a number as JavaScript does, and the values that JSON has no number for as strings.
func (w *writer) float(n float64, bits int) {
	switch {
	case math.IsNaN(n):
		w.quoted("NaN")
	case math.IsInf(n, 1):
		w.quoted("Infinity")
	case math.IsInf(n, -1):
		w.quoted("-Infinity")
	default:
		w.number(n, bits)
	}
}

// number writes a finite number: with an exponent where ECMAScript does, 1e-07 as 1e-7 (encoding/json, floatEncoder).
func (w *writer) number(n float64, bits int) {
	small, large := 1e-6, 1e21
	if bits == 32 {
		small, large = float64(float32(small)), float64(float32(large))
	}
	abs := math.Abs(n)
	if abs == 0 || abs >= small && abs < large {
		w.text = strconv.AppendFloat(w.text, n, 'f', -1, bits)
		return
	}
	w.text = strconv.AppendFloat(w.text, n, 'e', -1, bits)
	if last := len(w.text) - 1; w.text[last-1] == '0' && w.text[last-2] == '-' && w.text[last-3] == 'e' {
		w.text[last-1] = w.text[last]
		w.text = w.text[:last]
	}
}
