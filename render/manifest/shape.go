package manifest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// shape is what a Go type takes from a manifest: worked out once from its JSON tags, so that decoding a node is one walk that
// knows the path and the line at every step. encoding/json stops at the first unknown field and knows neither.
type shape struct {
	kind shapeKind
	elem *shape // of lists and maps
	// fields of objects by name; names are sorted, for hints.
	fields map[string]*fieldShape
	names  []string
	// open: fields that are not known pass in silence.
	open bool
	// duration: a text that says how long.
	duration bool
}

type fieldShape struct {
	name  string
	index []int
	shape *shape
}

type shapeKind int

const (
	skipShape   shapeKind = iota // read over, whatever it holds
	objectShape                  // struct
	listShape                    // slice
	mapShape                     // map with string keys
	stringShape
	boolShape
	intShape
	uintShape
	customShape // a type that reads its own JSON, from a scalar
)

// String is the name of the type in the words of the API server.
func (k shapeKind) String() string {
	return [...]string{"anything", "object", "array", "object", "string", "boolean", "integer", "integer", "string"}[k]
}

// shapes memoises, so that a type is worked out once.
type shapes map[reflect.Type]*shape

// of is the shape of an object kind: status is ignored and metadata is open.
func (s shapes) of(t reflect.Type) *shape {
	root := s.shape(t)
	if status := root.fields["status"]; status != nil {
		status.shape = &shape{}
	}
	if metadata := root.fields["metadata"]; metadata != nil {
		metadata.shape.open = true
		metadata.shape.fields["managedFields"].shape = &shape{}
	}
	return root
}

// without is a copy of an object's shape that reads over some fields.
func (s *shape) without(names ...string) *shape {
	reduced := *s
	reduced.fields = map[string]*fieldShape{}
	for name, field := range s.fields {
		if slices.Contains(names, name) {
			field = &fieldShape{name: name, shape: &shape{}}
		}
		reduced.fields[name] = field
	}
	return &reduced
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

func (s shapes) shape(t reflect.Type) *shape {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if known := s[t]; known != nil {
		return known
	}
	made := &shape{}
	s[t] = made // before its fields: types may contain themselves
	switch {
	case reflect.PointerTo(t).Implements(unmarshaler):
		made.kind = customShape
	case t.Kind() == reflect.Struct:
		made.kind, made.fields = objectShape, map[string]*fieldShape{}
		s.addFields(made, t, nil)
		for name := range made.fields {
			made.names = append(made.names, name)
		}
		slices.Sort(made.names)
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		made.kind, made.elem = listShape, s.shape(t.Elem())
	case t.Kind() == reflect.Map:
		made.kind, made.elem = mapShape, s.shape(t.Elem())
	case t.Kind() == reflect.String:
		made.kind, made.duration = stringShape, t == reflect.TypeFor[gatewayv1.Duration]()
	case t.Kind() == reflect.Bool:
		made.kind = boolShape
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		made.kind = intShape
	case t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uint64:
		made.kind = uintShape
	}
	return made
}

// addFields adds the fields of a struct by the rules of encoding/json; embedded structs without a name are inlined.
func (s shapes) addFields(into *shape, t reflect.Type, above []int) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		index := append(slices.Clone(above), i)
		switch {
		case name == "" && field.Anonymous:
			s.addFields(into, field.Type, index)
		case name != "" && name != "-" && field.IsExported():
			into.fields[name] = &fieldShape{name: name, index: index, shape: s.shape(field.Type)}
		}
	}
}
