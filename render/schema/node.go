package schema

import (
	"maps"
	"regexp"
	"slices"
	"sync"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// node is a node of a schema, made ready to see quickly that a value is right. What it does not understand makes it unsure, and
// the library decides.
type node struct {
	of         string // the type: object, array, string, integer, boolean
	properties map[string]*node
	values     *node // of a map
	items      *node
	required   []string
	defaults   []preset
	// least and most bound the number of characters, items or entries; most is -1 without bound.
	least, most      int
	minimum, maximum *float64
	// narrow numbers have 32 bits.
	narrow  bool
	enum    []any
	pattern *pattern
	// keys are those of a list of type map; a list of type set has unique items.
	keys []string
	set  bool
	// rules of this node, nil without.
	rules *rules
	// ruled: the node or one below it has rules. preset: one below it has defaults.
	ruled, unsure bool
}

// preset is the default of a property.
type preset struct {
	name  string
	value any
}

// newNode makes a schema ready.
func (v *Validator) newNode(s *structuralschema.Structural, root bool) *node {
	n := &node{of: s.Type, most: -1, unsure: !understood(s) || root && len(s.XValidations) > 0}
	n.bounds(s.ValueValidation)
	if s.ValueValidation != nil && s.ValueValidation.Pattern != "" {
		n.pattern = v.patterns.of(s.ValueValidation.Pattern)
	}
	n.lists(s)
	if len(s.XValidations) > 0 {
		n.rules, n.ruled = v.rules.of(s, root), true
	}
	if len(s.Properties) > 0 {
		n.properties = make(map[string]*node, len(s.Properties))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		n.properties[name] = v.newNode(&property, false)
		n.ruled = n.ruled || n.properties[name].ruled
		if property.Default.Object != nil {
			n.defaults = append(n.defaults, preset{name, property.Default.Object})
		}
	}
	if s.Items != nil {
		n.items = v.newNode(s.Items, false)
		n.ruled = n.ruled || n.items.ruled
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
		n.values = v.newNode(s.AdditionalProperties.Structural, false)
		n.ruled = n.ruled || n.values.ruled
	}
	return n
}

// drop takes a property away, so that a value that has it is not understood.
func (n *node) drop(name string) {
	delete(n.properties, name)
	n.defaults = slices.DeleteFunc(n.defaults, func(p preset) bool { return p.name == name })
}

// understood tells whether a node says nothing that is not looked at here.
func understood(s *structuralschema.Structural) bool {
	if s.Nullable || s.XPreserveUnknownFields || s.XEmbeddedResource || s.XIntOrString ||
		s.AdditionalProperties != nil && s.AdditionalProperties.Structural == nil {
		return false
	}
	if items := s.Items; items != nil && items.Default.Object != nil {
		return false
	}
	of := s.ValueValidation
	if of == nil {
		return true
	}
	switch of.Format {
	case "", "int32", "int64":
	default:
		return false
	}
	return !of.ExclusiveMaximum && !of.ExclusiveMinimum && of.MultipleOf == nil && !of.UniqueItems &&
		len(of.AllOf)+len(of.AnyOf)+len(of.OneOf) == 0 && of.Not == nil
}

// bounds notes what a value may be.
func (n *node) bounds(of *structuralschema.ValueValidation) {
	if of == nil {
		return
	}
	least, most := of.MinLength, of.MaxLength
	switch n.of {
	case "array":
		least, most = of.MinItems, of.MaxItems
	case "object":
		least, most = of.MinProperties, of.MaxProperties
	}
	if least != nil {
		n.least = int(*least)
	}
	if most != nil {
		n.most = int(*most)
	}
	n.minimum, n.maximum, n.required = of.Minimum, of.Maximum, of.Required
	n.narrow = of.Format == "int32"
	for _, value := range of.Enum {
		n.enum = append(n.enum, value.Object)
	}
}

// lists notes the type of a list.
func (n *node) lists(s *structuralschema.Structural) {
	if s.XListType == nil {
		return
	}
	switch *s.XListType {
	case "map":
		n.keys = s.XListMapKeys
	case "set":
		n.set = true
	}
}

// pattern is a regular expression that is compiled when it is first asked.
type pattern struct{ compile func() *regexp.Regexp }

// matches is false as well for a pattern that does not compile: the library says so.
func (p *pattern) matches(value string) bool {
	compiled := p.compile()
	return compiled != nil && compiled.MatchString(value)
}

// patterns are the patterns of all schemas by their text: a few stand hundreds of times.
type patterns struct{ known sync.Map }

func (p *patterns) of(text string) *pattern {
	known, _ := p.known.LoadOrStore(text, &pattern{compile: sync.OnceValue(func() *regexp.Regexp {
		compiled, err := regexp.Compile(text)
		if err != nil {
			return nil
		}
		return compiled
	})})
	return known.(*pattern)
}
