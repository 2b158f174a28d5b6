package manifest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// converter turns the node of one object into the value that its JSON has, as k8s.io/apimachinery/pkg/util/json decodes it, and
// notes where each field stands. Types are as written: whether they are right is not known here.
type converter struct {
	document document
	// home is the file that the object begins in.
	home   string
	object diagnostic.Object
	// left are the fields whose entries are left out, but for those named: no more of them is read.
	left  map[string][]string
	steps []step
	// mappings are those around the node at hand.
	mappings []*yaml.Node
	places   []place
	files    []string
	found    diagnostic.List
	// bytes is about how large the JSON of the object is.
	bytes int
	// variables that were met, each with the place of its first use.
	variables []variable
	met       map[string]bool
	// standing are the places where a stand-in is, since the variable has no value.
	standing map[diagnostic.Position]bool
}

// step is one part of the path to the node at hand: a field, or an index.
type step struct {
	name  string
	index int // of a list item; -1 otherwise
}

// objectBytes is the largest object that an API server takes (apiserver, RequestBodyLimit: 3 MiB).
const objectBytes = 3 << 20

// convert gives the value of an object.
func (c *converter) convert(root *yaml.Node) map[string]any {
	value, _ := c.value(root).(map[string]any) // who calls has seen a mapping
	return value
}

func (c *converter) value(n *yaml.Node) any {
	n = resolve(n)
	c.bytes += len(n.Value) + len(`"",`)
	switch n.Kind {
	case yaml.MappingNode:
		return c.mapping(n)
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			at := c.enter(step{index: i}, item)
			list[i] = c.value(item)
			c.leave(at)
		}
		return list
	}
	return c.scalar(n)
}

func (c *converter) mapping(n *yaml.Node) map[string]any {
	c.duplicateKeys(n)
	c.mappings = append(c.mappings, n)
	defer func() { c.mappings = c.mappings[:len(c.mappings)-1] }()
	value := make(map[string]any, len(n.Content)/2)
	for p := range pairs(n) {
		if c.leavesOut(p.key.Value) {
			continue
		}
		c.bytes += len(p.key.Value) + len(`"":`)
		at := c.enter(step{name: p.key.Value, index: -1}, p.key)
		value[p.key.Value] = c.value(p.value)
		c.leave(at)
	}
	return value
}

// leavesOut tells whether a field of the mapping at hand is not read: what a controller wrote, and what may be secret or large.
func (c *converter) leavesOut(name string) bool {
	switch len(c.steps) {
	case 0:
		return name == "status"
	case 1:
		wanted, few := c.left[c.steps[0].name]
		return few && !slices.Contains(wanted, name) || c.steps[0].name == "metadata" && name == "managedFields"
	}
	return false
}

// scalar is a value without parts. A plain text with variables is read once they are replaced, as YAML would be.
func (c *converter) scalar(n *yaml.Node) any {
	switch typeName(n) {
	case "null":
		return nil
	case "boolean":
		value, _ := isBoolean(n)
		return value
	case "integer", "number":
		return number(n.Value)
	}
	text := c.substitute(n)
	if n.Style == 0 && text != n.Value {
		if value := number(text); value != any(text) {
			return value
		}
	}
	return text
}

// number reads a number as Kubernetes does: hexadecimal, octal, underscores, and a float without a fraction as a whole one, since
// the way to the API server is JSON, which has one kind of number. A text that is no number stays a text.
func number(text string) any {
	plain := strings.ReplaceAll(text, "_", "")
	if whole, err := strconv.ParseInt(plain, 0, 64); err == nil {
		return whole
	}
	float, err := strconv.ParseFloat(plain, 64)
	switch {
	case err != nil || math.IsInf(float, 0) || math.IsNaN(float):
		return text
	case float == math.Trunc(float) && math.Abs(float) <= 1<<53:
		return int64(float)
	}
	return float
}

// duplicateKeys reports keys that stand twice in one mapping: JSON readers take the last, YAML forbids it, and whoever
// reads the file may take either for the meant one.
func (c *converter) duplicateKeys(n *yaml.Node) {
	if distinct(n) {
		return
	}
	first := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if line, twice := first[key.Value]; twice {
			message := fmt.Sprintf("key %q stands twice in this mapping", diagnostic.Clip(key.Value))
			if line > 0 {
				message += fmt.Sprintf(", first in line %d", line)
			}
			if len(c.found) > mostFindings {
				return
			}
			c.found = append(c.found, diagnostic.Diagnostic{
				Code: diagnostic.DuplicateKey, Severity: diagnostic.Error, Object: c.object, Field: c.path(),
				Position: c.document.position(key.Line, key.Column), Message: message, Hint: "keep one of the two",
			})
			continue
		}
		first[key.Value] = c.document.position(key.Line, 0).Line
	}
}

// distinct tells of a small mapping, as most are, that no key stands twice.
func distinct(n *yaml.Node) bool {
	const small = 16
	if len(n.Content) > 2*small {
		return false
	}
	for i := 2; i < len(n.Content); i += 2 {
		for j := 0; j < i; j += 2 {
			if n.Content[i].Value == n.Content[j].Value {
				return false
			}
		}
	}
	return true
}

// enter goes one step down the path and notes its place; leave, with what it gives, goes up again.
func (c *converter) enter(s step, at *yaml.Node) int {
	c.steps = append(c.steps, s)
	position := c.document.position(at.Line, at.Column)
	entered := place{name: s.name, line: int32(position.Line), column: int32(position.Column), file: c.file(position.File)}
	c.places = append(c.places, entered)
	return len(c.places) - 1
}

// file is the number that places have for a file.
func (c *converter) file(name string) int32 {
	if name == c.home {
		return 0
	}
	at := slices.Index(c.files, name)
	if at < 0 {
		at = len(c.files)
		c.files = append(c.files, name)
	}
	return int32(at + 1)
}

func (c *converter) leave(at int) {
	c.steps = c.steps[:len(c.steps)-1]
	c.places[at].end = int32(len(c.places))
}

// path is the way to the node at hand, as the API server writes it.
func (c *converter) path() string {
	var b strings.Builder
	for _, s := range c.steps {
		switch {
		case s.index >= 0:
			fmt.Fprintf(&b, "[%d]", s.index)
		case b.Len() > 0:
			b.WriteString("." + visible(s.name))
		default:
			b.WriteString(visible(s.name))
		}
	}
	return b.String()
}
