package manifest

import (
	"bytes"
)

// list is what is said about the items of a list before they begin.
type list struct{ apiVersion, kind string }

// largeList is the size from which a list is worth cutting.
const largeList = 256 << 10

// splitList cuts a large list (kubectl get -o yaml, the ResourceList of a KRM function) into its items, each a document with
// a sequence of one. The node tree of a whole list of 20 MB would take half a gigabyte, and one processor.
//
// The cut is made by indentation: a line that begins an item stands exactly under the first one, where YAML allows no
// content of another item. A list with anchors stays whole, since they may lead from item to item. Anything that is not
// clearly such a list is given back as it is.
func splitList(whole document) []document {
	if len(whole.text) < largeList || bytes.Contains(whole.text, []byte(" &")) {
		return []document{whole}
	}
	begin, end, ok := findItems(whole.text)
	if !ok {
		return []document{whole}
	}
	head, problem := parse(document{source: whole.source, text: append(bytes.Clone(whole.text[:begin]), whole.text[end:]...)})
	if problem != nil || head == nil {
		return []document{whole}
	}
	of := &list{apiVersion: text(get(head, "apiVersion")), kind: text(get(head, "kind"))}
	if !isList(of.apiVersion, of.kind) || get(head, "items") != nil && !isNull(get(head, "items")) {
		return []document{whole}
	}
	return cutItems(whole, of, begin, end)
}

// findItems finds the lines of the sequence under a top-level key "items".
func findItems(text []byte) (begin, end int, ok bool) {
	indent := -1
	for at, next := 0, 0; at < len(text); at = next {
		line := lineAt(text, at)
		next = at + len(line)
		trimmed := bytes.TrimLeft(line, " ")
		switch content := bytes.TrimSpace(trimmed); {
		case begin == 0:
			if bytes.HasPrefix(line, []byte("items:")) && len(bytes.TrimSpace(line)) == len("items:") {
				begin = next
			}
		case len(content) == 0:
		case content[0] == '#' && (indent < 0 || len(line)-len(trimmed) <= indent): // further in, it may be text of a block scalar
		case indent < 0:
			if !isItem(trimmed) {
				return 0, 0, false
			}
			indent, begin, end = len(line)-len(trimmed), at, next
		case len(line)-len(trimmed) < indent || len(line)-len(trimmed) == indent && !isItem(trimmed):
			return begin, end, true
		default:
			end = next
		}
	}
	return begin, end, indent >= 0
}

// cutItems cuts a sequence at the lines that stand under its first one.
func cutItems(whole document, of *list, begin, end int) []document {
	text := whole.text[:end]
	indent := len(lineAt(text, begin)) - len(bytes.TrimLeft(lineAt(text, begin), " "))
	var items []document
	before := whole.before + bytes.Count(text[:begin], []byte("\n"))
	start, startLine := begin, before
	for at := begin; at < end; before++ {
		line := lineAt(text, at)
		if at > start && len(line) > indent && len(line)-len(bytes.TrimLeft(line, " ")) == indent && isItem(line[indent:]) {
			items = append(items, document{source: whole.source, text: text[start:at], before: startLine, list: of})
			start, startLine = at, before
		}
		at += len(line)
	}
	return append(items, document{source: whole.source, text: text[start:end], before: startLine, list: of})
}

// lineAt is the line that begins at an offset, with its end.
func lineAt(text []byte, at int) []byte {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return text[at : at+i+1]
	}
	return text[at:]
}

// isItem tells whether a line without its indentation begins a list item.
func isItem(line []byte) bool { return isMarker(line, "-") }
