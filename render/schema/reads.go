package schema

import (
	"maps"
	"slices"
	"strconv"

	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
)

// reads is what an expression reads of a value. Two values that are equal in it have the same answer: of the names of a thousand
// backends, a rule about ports reads none, and needs to be asked once.
type reads struct {
	// whole: the value itself counts, with all in it.
	whole bool
	// fields are read by name; items are those of a list, whose number counts always.
	fields map[string]*reads
	items  *reads
	// names are those of the fields, sorted.
	names []string
}

func (r *reads) field(name string) *reads {
	if r.fields == nil {
		r.fields = map[string]*reads{}
	}
	if r.fields[name] == nil {
		r.fields[name] = &reads{}
		r.names = slices.Sorted(maps.Keys(r.fields))
	}
	return r.fields[name]
}

func (r *reads) item() *reads {
	if r.items == nil {
		r.items = &reads{}
	}
	return r.items
}

// use marks values that count as a whole.
func use(values ...*reads) {
	for _, value := range values {
		if value != nil {
			value.whole = true
		}
	}
}

// readsOf finds what an expression reads of its variable.
func readsOf(e celast.Expr) *reads {
	root := &reads{}
	use(reading{schemacel.ScopedVarName: root}.of(e))
	return root
}

// reading knows what the variables in sight stand for; nil is a computed value.
type reading map[string]*reads

// of goes through an expression and gives the part of the value that it stands for, or nil if it is computed.
func (r reading) of(e celast.Expr) *reads {
	switch e.Kind() {
	case celast.IdentKind:
		return r[e.AsIdent()]
	case celast.SelectKind:
		return r.selected(e.AsSelect())
	case celast.CallKind:
		return r.call(e.AsCall())
	case celast.ListKind:
		for _, element := range e.AsList().Elements() {
			use(r.of(element))
		}
	case celast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			use(r.of(entry.AsMapEntry().Key()), r.of(entry.AsMapEntry().Value()))
		}
	case celast.ComprehensionKind:
		r.comprehension(e.AsComprehension())
	}
	return nil
}

func (r reading) selected(e celast.SelectExpr) *reads {
	operand := r.of(e.Operand())
	if operand == nil {
		return nil
	}
	field := operand.field(e.FieldName())
	if e.IsTestOnly() { // that it is there counts, whatever it is
		return nil
	}
	return field
}

func (r reading) call(e celast.CallExpr) *reads {
	if e.FunctionName() == operators.Index {
		list := r.of(e.Args()[0])
		use(r.of(e.Args()[1]))
		if list == nil {
			return nil
		}
		return list.item()
	}
	var arguments []*reads
	if e.IsMemberFunction() {
		arguments = append(arguments, r.of(e.Target()))
	}
	for _, argument := range e.Args() {
		arguments = append(arguments, r.of(argument))
	}
	if e.FunctionName() == "size" && len(arguments) == 1 && arguments[0] != nil {
		arguments[0].item() // the number of items counts; of a text, all of it does
		return nil
	}
	use(arguments...)
	return nil
}

func (r reading) comprehension(e celast.ComprehensionExpr) {
	list := r.of(e.IterRange())
	use(r.of(e.AccuInit()))
	inner := maps.Clone(r)
	inner[e.AccuVar()], inner[e.IterVar()] = nil, nil
	if list != nil {
		inner[e.IterVar()] = list.item()
	}
	if e.HasIterVar2() { // the key or index and the item
		inner[e.IterVar2()] = nil
		use(list)
	}
	use(inner.of(e.LoopCondition()), inner.of(e.LoopStep()), inner.of(e.Result()))
}

// append writes what is read of a value; equal bytes are equal answers.
func (r *reads) append(key []byte, value any) []byte {
	switch value := value.(type) {
	case map[string]any:
		if r.whole || r.items != nil { // iterated, it gives its keys
			return appendObject(key, value)
		}
		key = append(key, '{')
		for _, name := range r.names {
			if item, set := value[name]; set {
				key = r.fields[name].append(append(key, '+'), item)
			} else {
				key = append(key, '-')
			}
		}
		return append(key, '}')
	case []any:
		key = strconv.AppendInt(append(key, '['), int64(len(value)), 10)
		for _, item := range value {
			switch {
			case r.whole:
				key = whole.append(key, item)
			case r.items != nil:
				key = r.items.append(key, item)
			}
		}
		return append(key, ']')
	}
	if !r.whole && r.items == nil && r.fields == nil {
		return append(key, '.')
	}
	return appendScalar(key, value)
}

// whole reads all of a value.
var whole = &reads{whole: true}

func appendObject(key []byte, value map[string]any) []byte {
	key = strconv.AppendInt(append(key, '{'), int64(len(value)), 10)
	for _, name := range slices.Sorted(maps.Keys(value)) {
		key = whole.append(appendScalar(key, name), value[name])
	}
	return append(key, '}')
}

func appendScalar(key []byte, value any) []byte {
	switch value := value.(type) {
	case string:
		key = strconv.AppendInt(append(key, '"'), int64(len(value)), 10)
		return append(append(key, ':'), value...)
	case int64:
		return append(strconv.AppendInt(append(key, 'i'), value, 10), ';')
	case bool:
		return strconv.AppendBool(append(key, 'b'), value)
	case float64:
		return append(strconv.AppendFloat(append(key, 'f'), value, 'g', -1, 64), ';')
	}
	return append(key, '0')
}
