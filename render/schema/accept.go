package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// The library that the API server is made of takes milliseconds for an object, most of it for what costs nothing to see: that a
// value has its type. accepts sees that an object is right. It does not say what is wrong: where it does not see that all is
// right, the library looks at the object and finds the words, or finds that it is right after all.

// accepts fills in the defaults of an object and tells whether the server takes it for sure, its metadata apart. If not, the
// object may have some of its defaults.
func (d *version) accepts(value map[string]any) bool {
	a := acceptance{budget: celconfig.RuntimeCELCostBudget}
	_, right := a.object(d.root, value, true)
	return right
}

// acceptance is one look at one object.
type acceptance struct {
	// budget is what is left of the cost that rules may have in one object.
	budget int64
	// room is what rules write the keys of values into, one after the other.
	room []byte
}

// extent is how large a value is, for the cost of rules on it.
type extent struct{ longestText, longestList int }

func (e *extent) include(inner extent) {
	e.longestText, e.longestList = max(e.longestText, inner.longestText), max(e.longestList, inner.longestList)
}

// value looks at one value.
func (a *acceptance) value(n *node, value any) (extent, bool) {
	if n.unsure {
		return extent{}, false
	}
	var size extent
	right := false
	switch value := value.(type) {
	case map[string]any:
		size, right = a.object(n, value, false)
		return size, right // its rules were asked
	case []any:
		size, right = a.list(n, value)
	case string:
		size, right = extent{longestText: len(value)}, n.of == "string" && n.text(value)
	case int64:
		right = n.of == "integer" && n.number(value)
	case bool:
		right = n.of == "boolean" && len(n.enum) == 0
	}
	return size, right && a.rules(n, value, size)
}

// object looks at an object or a map.
func (a *acceptance) object(n *node, value map[string]any, root bool) (size extent, right bool) {
	if n.of != "object" || n.unsure || len(n.enum) > 0 {
		return size, false
	}
	for _, preset := range n.defaults {
		if _, set := value[preset.name]; !set {
			value[preset.name] = runtime.DeepCopyJSONValue(preset.value)
		}
	}
	if n.least > 0 && len(value) < n.least || n.most >= 0 && len(value) > n.most {
		return size, false
	}
	for _, name := range n.required {
		if _, set := value[name]; !set {
			return size, false
		}
	}
	for name, item := range value {
		if root && name == "metadata" {
			continue
		}
		inner := n.values
		if n.properties != nil {
			inner = n.properties[name]
		}
		if inner == nil {
			return size, false
		}
		measured, right := a.value(inner, item)
		if !right {
			return size, false
		}
		size.include(measured)
		size.include(extent{longestText: len(name)})
	}
	if n.values != nil {
		size.include(extent{longestList: len(value)})
	}
	return size, a.rules(n, value, size)
}

// list looks at a list.
func (a *acceptance) list(n *node, value []any) (size extent, right bool) {
	if n.of != "array" || n.items == nil || len(n.enum) > 0 || len(value) < n.least || n.most >= 0 && len(value) > n.most {
		return size, false
	}
	for _, item := range value {
		measured, right := a.value(n.items, item)
		if !right {
			return size, false
		}
		size.include(measured)
	}
	size.include(extent{longestList: len(value)})
	return size, n.unique(value)
}

// unique tells whether a list of type set or map has no item twice.
func (n *node) unique(value []any) bool {
	if len(value) < 2 || n.keys == nil && !n.set {
		return true
	}
	seen := make(map[string]bool, len(value))
	for _, item := range value {
		key, known := n.key(item)
		if !known || seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}

// key is a text that is equal for items with equal keys, only for those. It is not known where a key is no string.
func (n *node) key(item any) (string, bool) {
	if n.set {
		text, is := item.(string)
		return text, is
	}
	object, is := item.(map[string]any)
	if !is {
		return "", false
	}
	var b strings.Builder
	for _, name := range n.keys {
		text, is := object[name].(string)
		if !is {
			return "", false
		}
		b.WriteString(strconv.Itoa(len(text)) + ":" + text)
	}
	return b.String(), true
}

// text looks at a string.
func (n *node) text(value string) bool {
	if n.least > 0 || n.most >= 0 {
		if length := utf8.RuneCountInString(value); length < n.least || n.most >= 0 && length > n.most {
			return false
		}
	}
	return (n.pattern == nil || n.pattern.matches(value)) && (len(n.enum) == 0 || slices.Contains(n.enum, any(value)))
}

// number looks at a whole number.
func (n *node) number(value int64) bool {
	return (!n.narrow || value == int64(int32(value))) && (n.minimum == nil || float64(value) >= *n.minimum) && (n.maximum == nil || float64(value) <= *n.maximum) &&
		(len(n.enum) == 0 || slices.Contains(n.enum, any(value)))
}

// rules asks the rules of a node.
func (a *acceptance) rules(n *node, value any, size extent) bool {
	if n.rules == nil {
		return true
	}
	cost, hold := n.rules.hold(value, size, &a.room)
	a.budget -= cost
	return hold && a.budget >= 0
}
