package resourcelist

import (
	"bytes"
	"fmt"
	"regexp"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// block is a list in block style, as kustomize and kpt write it: each key of the list at the left edge, and each item behind a
// "- " that stands under the others.
type block struct {
	text     []byte
	sections []section
	// list is the index of the section of the items, -1 if there is none.
	list int
	// indent of the items' marks.
	indent int
	items  []span
}

// section is a key of the list with its value, up to the next key.
type section struct {
	key string
	span
}

// span is a part of the text, from its first byte to the one behind its last.
type span struct{ begin, end int }

func (b *block) at(s span) []byte { return b.text[s.begin:s.end] }

// parseBlock cuts a list in block style. It gives errOtherForm for a text that is not clearly one.
func parseBlock(text []byte) (*List, error) {
	b := &block{text: text, list: -1}
	if !isPlain(text) || !b.cutSections() || b.list >= 0 && !b.cutItems(b.sections[b.list]) {
		return nil, errOtherForm
	}
	list := &List{form: b}
	var apiVersion, kind string
	for i, s := range b.sections {
		if i == b.list {
			continue
		}
		if s.end-s.begin > mostParsed {
			return nil, fmt.Errorf("%w: %s has %d bytes, the limit is %d", ErrTooLarge, s.key, s.end-s.begin, mostParsed)
		}
		// Each is parsed by itself, so that what is open at its end, and would take the next one in, does not go unseen.
		node, err := parse(b.at(s.span))
		if err != nil || node == nil || len(node.Content) != 2 {
			return nil, errOtherForm
		}
		switch value := node.Content[1]; s.key {
		case "apiVersion":
			apiVersion = scalar(value)
		case "kind":
			kind = scalar(value)
		case "functionConfig":
			list.FunctionConfig = value
		case "results":
			list.Results = resultsOf(value)
		}
	}
	if !isList(apiVersion, kind) {
		return nil, ErrNoList
	}
	return list, nil
}

// isPlain tells whether a text has no characters that YAML does not allow, and no line breaks that are none to who looks for "\n": the
// parser takes a carriage return alone, and those of Unicode, for breaks as well (YAML 1.1, c-printable and b-break).
func isPlain(text []byte) bool {
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && size == 1 || r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r == 0xfffe || r == 0xffff {
				return false
			}
			i += size
			continue
		case c == '\r' && (i+1 == len(text) || text[i+1] != '\n'):
			return false
		case c < ' ' && c != '\n' && c != '\r' && c != '\t', c == 0x7f:
			return false
		}
		i++
	}
	return true
}

var topKey = regexp.MustCompile(`^([a-zA-Z]+):(?:[ \r\n]|$)`)

// cutSections cuts the text at the keys of the list. What stands above the first is part of none, and stays.
func (b *block) cutSections() bool {
	seen := map[string]bool{}
	for at := 0; at < len(b.text); {
		line := lineAt(b.text, at)
		key := topKey.FindSubmatch(line)
		switch {
		case key != nil && !seen[string(key[1])]:
			if name := string(key[1]); name == "items" {
				b.list = len(b.sections)
			}
			seen[string(key[1])] = true
			b.sections = append(b.sections, section{key: string(key[1]), span: span{begin: at}})
		case isBlank(line), line[0] == '#', len(b.sections) > 0 && (line[0] == ' ' || isMark(line)):
		case len(b.sections) == 0 && bytes.Equal(bytes.TrimSpace(line), []byte("---")):
		default:
			return false
		}
		at += len(line)
		if last := len(b.sections) - 1; last >= 0 {
			b.sections[last].end = at
		}
	}
	return len(b.sections) > 0
}

var noItems = regexp.MustCompile(`^items:[ ]*(\[\]|null|~)?[ ]*(#.*)?\r?\n?$`)

// cutItems cuts the section of the items at the lines that begin one.
func (b *block) cutItems(list section) bool {
	first := lineAt(b.text, list.begin)
	if key := noItems.FindSubmatch(first); key == nil {
		return false
	} else if len(key[1]) > 0 {
		return onlyComments(b.text[list.begin+len(first) : list.end])
	}
	for at := list.begin + len(first); at < list.end; {
		line := lineAt(b.text, at)
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		last := len(b.items) - 1
		switch {
		case isBlank(line), line[indent] == '#' && (last < 0 || indent <= b.indent):
			// Between two items, and replaced with neither: a block scalar stands further in.
		case isMark(line[indent:]) && (last < 0 || indent == b.indent):
			b.indent = indent
			b.items = append(b.items, span{at, at + len(line)})
		case last < 0 || indent <= b.indent:
			return false
		default:
			b.items[last].end = at + len(line)
		}
		at += len(line)
	}
	return true
}

func (b *block) Len() int { return len(b.items) }

// read is the text of an item with what stands between it and the next: blank lines may be part of its last scalar.
func (b *block) read(index int) []byte {
	end := b.sections[b.list].end
	if index+1 < len(b.items) {
		end = b.items[index+1].begin
	}
	return b.text[b.items[index].begin:end]
}

// Read parses an item as a document of its own, or its head alone.
func (b *block) Read(index int, whole func(apiVersion, kind string) bool) (Item, error) {
	text := b.read(index)
	if head := skim(text); head.closed && !whole(head.apiVersion, head.kind) {
		// What the parser makes of the head counts: a kind can be written with escapes.
		if node, err := parse(head.text); err == nil {
			if item := newItem(node); !whole(item.APIVersion, item.Kind) {
				return item, nil
			}
		}
	}
	// With a blank in place of its mark the item is a document that stands further in.
	document := bytes.Clone(text)
	document[bytes.IndexByte(document, '-')] = ' '
	node, err := parse(document)
	if err != nil {
		return Item{}, fmt.Errorf("items[%d]: %w: %w", index, ErrEntangled, err)
	}
	return asItem(index, node)
}

// asItem is an item with its node.
func asItem(index int, node *yaml.Node) (Item, error) {
	if node == nil || node.Kind != yaml.MappingNode {
		return Item{}, fmt.Errorf("items[%d] is no object", index)
	}
	item := newItem(node)
	item.Node = node
	return item, nil
}

// lineAt is the line that begins at an offset, with its end.
func lineAt(text []byte, at int) []byte {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return text[at : at+i+1]
	}
	return text[at:]
}

func isBlank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

// isMark tells whether a line without its indentation begins an item of a sequence.
func isMark(line []byte) bool {
	return line[0] == '-' && (len(line) == 1 || line[1] == ' ' || line[1] == '\n' || line[1] == '\r')
}

func onlyComments(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}
