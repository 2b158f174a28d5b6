package manifest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// decoder reads one node tree into one typed object. It goes on after an error, so that one run shows all of them.
type decoder struct {
	document document
	object   diagnostic.Object
	steps    []step
	places   []place
	found    diagnostic.List
	// variables that were met, each with the place of its first use.
	variables []variable
	met       map[string]bool
}

// step is one part of the path to the node at hand: a field, or an index or key in brackets.
type step struct {
	name  string
	index int // of a list item; -1 otherwise
	key   bool
}

// decode fills a struct from a mapping.
func (d *decoder) decode(root *yaml.Node, s *shape, into reflect.Value) { d.value(root, s, into) }

// value sets one value from one node.
func (d *decoder) value(n *yaml.Node, s *shape, into reflect.Value) {
	n = resolve(n)
	if s.kind == skipShape {
		return
	}
	if isNull(n) {
		d.null(n, s)
		return
	}
	for into.Kind() == reflect.Pointer {
		into.Set(reflect.New(into.Type().Elem()))
		into = into.Elem()
	}
	switch s.kind {
	case objectShape:
		d.fields(n, s, into)
	case listShape:
		d.list(n, s, into)
	case mapShape:
		d.entries(n, s, into)
	default:
		d.scalar(n, s, into)
	}
}

// null is an absent value, as in JSON; a list item cannot be absent.
func (d *decoder) null(n *yaml.Node, s *shape) {
	if len(d.steps) > 0 && d.steps[len(d.steps)-1].index >= 0 {
		d.wrongType(n, s)
	}
}

// fields sets the fields of a struct.
func (d *decoder) fields(n *yaml.Node, s *shape, into reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.wrongType(n, s)
		return
	}
	d.duplicateKeys(n)
	for _, p := range pairs(n) {
		field := s.fields[p.key.Value]
		if field == nil {
			if !s.open {
				d.unknownField(p.key, s)
			}
			continue
		}
		leave := d.enter(step{name: field.name, index: -1}, p.key)
		if field.index == nil {
			d.value(p.value, field.shape, reflect.Value{})
		} else {
			d.value(p.value, field.shape, into.FieldByIndex(field.index))
		}
		leave()
	}
}

// list sets a slice.
func (d *decoder) list(n *yaml.Node, s *shape, into reflect.Value) {
	if n.Kind != yaml.SequenceNode {
		d.wrongType(n, s)
		return
	}
	into.Set(reflect.MakeSlice(into.Type(), len(n.Content), len(n.Content)))
	for i, item := range n.Content {
		leave := d.enter(step{index: i}, item)
		d.value(item, s.elem, into.Index(i))
		leave()
	}
}

// entries sets a map.
func (d *decoder) entries(n *yaml.Node, s *shape, into reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.wrongType(n, s)
		return
	}
	d.duplicateKeys(n)
	into.Set(reflect.MakeMapWithSize(into.Type(), len(n.Content)/2))
	for _, p := range pairs(n) {
		leave := d.enter(step{name: p.key.Value, index: -1, key: true}, p.key)
		item := reflect.New(into.Type().Elem()).Elem()
		d.value(p.value, s.elem, item)
		into.SetMapIndex(reflect.ValueOf(p.key.Value).Convert(into.Type().Key()), item)
		leave()
	}
}

// scalar sets a value without parts.
func (d *decoder) scalar(n *yaml.Node, s *shape, into reflect.Value) {
	if n.Kind != yaml.ScalarNode {
		d.wrongType(n, s)
		return
	}
	switch s.kind {
	case stringShape:
		if typeName(n) != "string" {
			d.wrongType(n, s)
			return
		}
		into.SetString(d.substitute(n))
	case boolShape:
		value, is := isBoolean(n)
		if !is {
			d.wrongType(n, s)
			return
		}
		into.SetBool(value)
	case intShape:
		value, is := integer(n, d.substitute(n))
		if !is || into.OverflowInt(value) {
			d.wrongType(n, s)
			return
		}
		into.SetInt(value)
	case uintShape:
		value, is := integer(n, d.substitute(n))
		if !is || value < 0 || into.OverflowUint(uint64(value)) {
			d.wrongType(n, s)
			return
		}
		into.SetUint(uint64(value))
	case customShape:
		if err := json.Unmarshal(scalarJSON(n), into.Addr().Interface()); err != nil {
			d.report(n, diagnostic.WrongType, fmt.Sprintf("invalid value %q: %v", diagnostic.Clip(n.Value), err), "")
		}
	}
}

// duplicateKeys reports keys that stand twice in one mapping: JSON readers take the last, YAML forbids it, and whoever
// reads the file may take either for the meant one.
func (d *decoder) duplicateKeys(n *yaml.Node) {
	first := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if line, twice := first[key.Value]; twice {
			message := fmt.Sprintf("key %q stands twice in this mapping", diagnostic.Clip(key.Value))
			if line > 0 {
				message += fmt.Sprintf(", first in line %d", line)
			}
			d.report(key, diagnostic.DuplicateKey, message, "keep one of the two")
			continue
		}
		first[key.Value] = d.document.position(key.Line, 0).Line
	}
}

// enter goes one step down the path and notes its place; the function that it returns goes up again.
func (d *decoder) enter(s step, at *yaml.Node) (leave func()) {
	d.steps = append(d.steps, s)
	i := len(d.places)
	position := d.document.position(at.Line, at.Column)
	d.places = append(d.places, place{name: s.name, line: int32(position.Line), column: int32(position.Column)})
	return func() {
		d.steps = d.steps[:len(d.steps)-1]
		d.places[i].end = int32(len(d.places))
	}
}

func (d *decoder) unknownField(key *yaml.Node, s *shape) {
	hint := "remove the field or correct its name"
	if near := diagnostic.Nearest(key.Value, s.names); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	} else if len(s.names) <= 12 {
		hint = "fields here are: " + strings.Join(s.names, ", ")
	}
	d.steps = append(d.steps, step{name: key.Value, index: -1})
	d.report(key, diagnostic.UnknownField, fmt.Sprintf("unknown field %q", diagnostic.Clip(key.Value)), hint)
	d.steps = d.steps[:len(d.steps)-1]
}

func (d *decoder) wrongType(n *yaml.Node, s *shape) {
	has, hint := typeName(n), ""
	whole := s.kind == intShape || s.kind == uintShape
	switch {
	case s.kind == stringShape && n.Kind == yaml.ScalarNode && has != "null":
		hint = fmt.Sprintf("put quotes around it: %q", diagnostic.Clip(n.Value))
	case whole && strings.Contains(n.Value, "${"):
		hint = "the variable has no value here: give the manifests as they are after substitution"
	case whole && has == "integer":
		has = "one out of its range"
	case whole && has == "string" && n.Style != 0:
		hint = "remove the quotes"
	case s.kind == listShape:
		hint = "write a list: put \"- \" in front of each item"
	}
	d.report(n, diagnostic.WrongType, fmt.Sprintf("must be of type %s, not %s", s.kind, has), hint)
}

// mostFindings of one object are kept: a hostile one could have a million.
const mostFindings = 100

func (d *decoder) report(n *yaml.Node, code diagnostic.Code, message, hint string) {
	if len(d.found) == mostFindings {
		d.found[mostFindings-1].Hint = "more findings in this object are not shown: correct these first"
		return
	}
	d.found = append(d.found, diagnostic.Diagnostic{
		Code: code, Severity: diagnostic.Error, Object: d.object, Field: d.path(),
		Position: d.document.position(n.Line, n.Column), Message: message, Hint: hint,
	})
}

// path is the way to the node at hand, as the API server writes it.
func (d *decoder) path() string {
	var b strings.Builder
	for _, s := range d.steps {
		switch {
		case s.index >= 0:
			fmt.Fprintf(&b, "[%d]", s.index)
		case s.key:
			fmt.Fprintf(&b, "[%s]", visible(s.name))
		case b.Len() > 0:
			b.WriteString("." + visible(s.name))
		default:
			b.WriteString(visible(s.name))
		}
	}
	return b.String()
}
