package manifest

import (
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Places knows where the fields of one object stand.
//
// Every rule of every route asks for a place, so it is kept for all fields; as a map of path strings it would be larger than
// the text. It is the tree in preorder instead: each entry names its step and where its subtree ends.
type Places struct {
	// Document is where the object begins.
	Document diagnostic.Position
	entries  []place
	// files that fields are in, where a renderer has made one object of several; an entry without is in the document's.
	files []string
}

// place is one field, list item or map key. The name of a list item is empty: it is counted.
type place struct {
	name         string
	line, column int32
	file         int32 // its number among the files, counted from 1; 0 is the document's
	end          int32 // index of the first entry behind its subtree
}

// At is the place of a field, or of the nearest field above it that is known, or of the document. The field is written as the
// API server does: spec.rules[0].matches[1].path.value, metadata.labels[app.kubernetes.io/name].
func (p *Places) At(field string) diagnostic.Position {
	if p == nil {
		return diagnostic.Position{}
	}
	found := p.Document
	first, end := 0, len(p.entries)
	for field != "" {
		var step string
		step, field = nextStep(field)
		i := p.child(first, end, step)
		if i < 0 {
			break
		}
		if entry := p.entries[i]; entry.line > 0 {
			found = entry.position(p.Document.File, p.files)
		}
		first, end = i+1, int(p.entries[i].end)
	}
	return found
}

// position is where an entry stands, given the file of its document and the others.
func (e place) position(document string, files []string) diagnostic.Position {
	found := diagnostic.Position{File: document, Line: int(e.line), Column: int(e.column)}
	if e.file > 0 {
		found.File = files[e.file-1]
	}
	return found
}

// child finds a step among the entries of one level, or -1.
func (p *Places) child(first, end int, step string) int {
	nth, counted := 0, false
	if step != "" && step[0] <= '9' { // of a name no error need be made
		number, err := strconv.Atoi(step)
		nth, counted = number, err == nil
	}
	for i := first; i < end; i = int(p.entries[i].end) {
		switch name := p.entries[i].name; {
		case name == "" && counted && nth == 0, name != "" && name == step:
			return i
		case name == "":
			nth--
		}
	}
	return -1
}

// nextStep cuts the first step off a field path.
func nextStep(field string) (step, rest string) {
	if strings.HasPrefix(field, "[") {
		step, rest, _ = strings.Cut(field[1:], "]")
		return step, strings.TrimPrefix(rest, ".")
	}
	i := strings.IndexAny(field, ".[")
	if i < 0 {
		return field, ""
	}
	return field[:i], strings.TrimPrefix(field[i:], ".")
}
