package krm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Marshal writes a ConfigMap as one YAML document. Strings that YAML 1.1 would read as something else ("y", "on") come out quoted,
// files as literal blocks where they can be.
func (c ConfigMap) Marshal() ([]byte, error) {
	var text bytes.Buffer
	if err := encodeTo(&text, c.head()); err != nil {
		return nil, fmt.Errorf("writing ConfigMap %s/%s: %w", c.Namespace, c.Name, err)
	}
	text.WriteString("data:\n")
	for _, key := range c.Keys() {
		if err := writeEntry(&text, key, c.Data[key]); err != nil {
			return nil, fmt.Errorf("writing ConfigMap %s/%s: %w", c.Namespace, c.Name, err)
		}
	}
	return text.Bytes(), nil
}

// MarshalJSON writes a ConfigMap as JSON.
func (c ConfigMap) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		head
		Data map[string]string `json:"data"`
	}{c.head(), c.Data})
}

// head is a ConfigMap without its data, with the keys in the order in which people read them.
type head struct {
	APIVersion string   `yaml:"apiVersion" json:"apiVersion"`
	Kind       string   `yaml:"kind" json:"kind"`
	Metadata   metadata `yaml:"metadata" json:"metadata"`
}

type metadata struct {
	Name        string            `yaml:"name" json:"name"`
	Namespace   string            `yaml:"namespace,omitempty" json:"namespace,omitempty"`
	Labels      map[string]string `yaml:"labels,omitempty" json:"labels,omitempty"`
	Annotations map[string]string `yaml:"annotations,omitempty" json:"annotations,omitempty"`
}

func (c ConfigMap) head() head {
	return head{"v1", "ConfigMap", metadata{c.Name, c.Namespace, c.Labels, c.Annotations}}
}

var plainKey = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]*\.[a-zA-Z][a-zA-Z0-9._-]*$`)

// writeEntry writes a file as an entry of data. The YAML emitter keeps an event of 300 bytes for every scalar and takes its time over
// each character; what can stand in a literal block as it is needs none of it.
func writeEntry(text *bytes.Buffer, key, value string) error {
	if !plainKey.MatchString(key) || !isLiteral(value) {
		node := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: value, Style: yaml.DoubleQuotedStyle}
		var entry bytes.Buffer
		if err := encodeTo(&entry, map[string]*yaml.Node{key: node}); err != nil {
			return err
		}
		indent(text, entry.String(), "  ")
		return nil
	}
	text.WriteString("  " + key + ": |")
	if !strings.HasSuffix(value, "\n") {
		text.WriteByte('-')
		value += "\n"
	}
	text.WriteByte('\n')
	indent(text, value, "    ")
	return nil
}

// isLiteral tells whether a text can stand in a literal block as it is, and end in one line break or none.
func isLiteral(value string) bool {
	if value == "" || value[0] == ' ' || value[0] == '\n' || strings.HasSuffix(value, "\n\n") || strings.Contains(value, " \n") || !utf8.ValidString(value) {
		return false
	}
	for _, r := range value {
		switch {
		case r == '\n':
		case r < ' ', r >= 0x7f && r < 0xa0, r == '\u2028', r == '\u2029', r == '\ufeff', r >= 0xfffe:
			return false
		}
	}
	return true
}

// indent writes lines further in; empty ones stay empty.
func indent(text *bytes.Buffer, lines, margin string) {
	for line := range strings.Lines(lines) {
		if line != "\n" {
			text.WriteString(margin)
		}
		text.WriteString(line)
	}
}

func encodeTo(text *bytes.Buffer, value any) error {
	encoder := yaml.NewEncoder(text)
	encoder.SetIndent(2)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	return encoder.Close()
}
