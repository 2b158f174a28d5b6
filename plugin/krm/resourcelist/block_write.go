package resourcelist

import (
	"bytes"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// pieces are the text with the changed items and results between what stays.
func (b *block) pieces(edit Edit) ([][]byte, error) {
	results, err := blockResults(edit.Results)
	if err != nil {
		return nil, err
	}
	var pieces [][]byte
	written := 0
	keepTo := func(end int) {
		pieces = append(pieces, ended(b.text[written:end]))
		written = end
	}
	for i, s := range b.sections {
		switch {
		case i == b.list:
			keepTo(s.begin)
			list, err := b.editedItems(s, edit)
			if err != nil {
				return nil, err
			}
			pieces, written = append(pieces, list...), s.end
		case s.key == "results" && edit.Results != nil:
			keepTo(s.begin)
			pieces, written, results = append(pieces, results), s.end, nil
		}
	}
	keepTo(len(b.text))
	if b.list < 0 {
		list, err := b.editedItems(section{}, edit)
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, list...)
	}
	return append(pieces, results), nil
}

// ended is a text that ends with its last line.
func ended(text []byte) []byte {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		return append(bytes.Clone(text), '\n')
	}
	return text
}

// editedItems is the section of the items.
func (b *block) editedItems(list section, edit Edit) ([][]byte, error) {
	kept := len(b.items) - removed(edit.Replaced)
	switch {
	case kept+len(edit.Added) == 0 && len(b.items) > 0, b.list < 0 && len(edit.Added) == 0:
		return [][]byte{[]byte("items: []\n")}, nil
	case len(b.items) == 0 && len(edit.Added) == 0:
		return [][]byte{ended(b.at(list.span))}, nil
	}
	var pieces [][]byte
	written := list.begin
	if len(b.items) == 0 {
		pieces, written = append(pieces, []byte("items:\n")), list.end
	}
	for i, s := range b.items {
		object, replaced := edit.Replaced[i]
		if !replaced {
			continue
		}
		text, err := b.item(object)
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, b.text[written:s.begin], text)
		written = s.end
	}
	pieces = append(pieces, ended(b.text[written:list.end]))
	for _, object := range edit.Added {
		text, err := b.item(object)
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, text)
	}
	return pieces, nil
}

func removed(items map[int]Object) int {
	count := 0
	for _, object := range items {
		if object == nil {
			count++
		}
	}
	return count
}

// item is an object as an item of this list, nothing for none.
func (b *block) item(object Object) ([]byte, error) {
	if object == nil {
		return nil, nil
	}
	document, err := object.Marshal()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	appendItem(&text, document, b.indent)
	return text.Bytes(), nil
}

// appendItem makes a document an item of a list. Comments above it stand above the item; empty lines stay empty, as in a literal
// block they are part of a text.
func appendItem(text *bytes.Buffer, document []byte, indent int) {
	margin := string(bytes.Repeat([]byte(" "), indent))
	mark := margin + "- "
	for line := range bytes.Lines(document) {
		above := len(mark) > len(margin)+1 && mark[indent] == '-' && line[0] == '#'
		switch {
		case above:
			text.WriteString(margin)
		case len(line) > 1:
			text.WriteString(mark)
			mark = margin + "  "
		}
		text.Write(line)
	}
}

// blockResults is the section of the results, nothing for none. Each is encoded by itself: the YAML emitter keeps an event of 300 bytes
// for every scalar until a document ends.
func blockResults(results []any) ([]byte, error) {
	if len(results) == 0 {
		return nil, nil
	}
	text := bytes.NewBufferString("results:\n")
	for _, result := range results {
		var one bytes.Buffer
		if err := encode(&one, result); err != nil {
			return nil, fmt.Errorf("results: %w", err)
		}
		appendItem(text, one.Bytes(), 0)
	}
	return text.Bytes(), nil
}

func encode(text *bytes.Buffer, value any) error {
	encoder := yaml.NewEncoder(text)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	return encoder.Close()
}
