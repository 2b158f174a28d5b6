package certificate

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text is a text of any bytes. JSON has only UTF-8, and a request may hold any byte from 0x80.
type Text string

// encodedMark begins a text that is written in base64.
const encodedMark = "base64:"

// MarshalText writes UTF-8 as it is.
func (t Text) MarshalText() ([]byte, error) {
	if utf8.ValidString(string(t)) && !strings.HasPrefix(string(t), encodedMark) {
		return []byte(t), nil
	}
	return []byte(encodedMark + base64.StdEncoding.EncodeToString([]byte(t))), nil
}

// UnmarshalText reads what MarshalText writes.
func (t *Text) UnmarshalText(data []byte) error {
	encoded, marked := strings.CutPrefix(string(data), encodedMark)
	if !marked {
		*t = Text(data)
		return nil
	}
	decoded, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return fmt.Errorf("reading text %q: %w", data, err)
	}
	*t = Text(decoded)
	return nil
}
