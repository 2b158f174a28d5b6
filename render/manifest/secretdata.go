package manifest

import (
	"encoding/base64"
	"strings"
)

// secretData are the entries of a Secret that are read.
type secretData struct{ data, stringData map[string]any }

func newSecretData(value map[string]any) secretData {
	data, _ := value["data"].(map[string]any)
	stringData, _ := value["stringData"].(map[string]any)
	return secretData{data, stringData}
}

// entryState says what there is of an entry.
type entryState int

const (
	entryMissing entryState = iota
	entryRead
	// entryMalformed: no base64, or no text at all.
	entryMalformed
	// entryUnknown: encrypted (SOPS), or a variable that something later replaces.
	entryUnknown
)

// entry gives one entry. What stands in stringData wins over data, as in the API.
func (s secretData) entry(name string) ([]byte, entryState) {
	if value, set := s.stringData[name]; set {
		text, is := value.(string)
		return textEntry(text, is, func(text string) ([]byte, error) { return []byte(text), nil })
	}
	value, set := s.data[name]
	if !set {
		return nil, entryMissing
	}
	text, is := value.(string)
	return textEntry(text, is, func(text string) ([]byte, error) {
		// Line breaks in base64 are skipped, as the API server does.
		return base64.StdEncoding.DecodeString(text)
	})
}

func textEntry(text string, is bool, decode func(string) ([]byte, error)) ([]byte, entryState) {
	switch {
	case !is:
		return nil, entryMalformed
	case strings.HasPrefix(text, "ENC[") || strings.Contains(text, "${") || strings.Contains(text, "{{") || strings.HasPrefix(text, "<"):
		return nil, entryUnknown // <path:...#key> is what argocd-vault-plugin replaces
	case strings.TrimSpace(text) == "":
		return nil, entryMissing
	}
	decoded, err := decode(text)
	if err != nil {
		return nil, entryMalformed
	}
	return decoded, entryRead
}
