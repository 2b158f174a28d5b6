package review

import (
	"reflect"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// admitted finds the edit by which something else becomes of a route that is the same on both sides: of the Gateway or of a ListenerSet that
// admits it, of the labels of its namespace, or of a grant. Where several were edited it is the first of these; a grant decides nothing
// about hosts, and comes first for all else.
func (r resolver) admitted(at *diff.RuleAt, origin model.Origin, hosts bool) (diagnostic.Position, bool) {
	gateway := r.side(at.Side).modelOf(at.Gateway)
	was, existed := routeIn(r.earlier, origin)
	is, left := routeIn(r.later, origin)
	if gateway == nil || !existed || !left || !reflect.DeepEqual(was.Spec, is.Spec) {
		return diagnostic.Position{}, false
	}
	places := []func() (diagnostic.Position, bool){
		func() (diagnostic.Position, bool) { return r.listenerEdit(gateway.Name, fieldsOf(is.Spec)) },
		func() (diagnostic.Position, bool) {
			isNamespace := func(o written) bool { return o.name.Name == origin.Namespace }
			return editIn(writtenOf(r.earlier.objects.Namespaces), writtenOf(r.later.objects.Namespaces), isNamespace, "metadata", "labels")
		},
	}
	if !hosts {
		places = append([]func() (diagnostic.Position, bool){func() (diagnostic.Position, bool) {
			all := func(written) bool { return true }
			return editIn(writtenOf(r.earlier.objects.ReferenceGrants), writtenOf(r.later.objects.ReferenceGrants), all, "spec")
		}}, places...)
	}
	for _, find := range places {
		if place, found := find(); found {
			return lineOnly(place), true
		}
	}
	return diagnostic.Position{}, false
}

// listenerEdit is the place of the first edit of a listener that a route with a spec names, of a Gateway or of ListenerSets for it; all of
// them where a parent names none.
func (r resolver) listenerEdit(gateway model.Name, spec map[string]any) (diagnostic.Position, bool) {
	var sections []string
	parents, _ := spec["parentRefs"].([]any)
	for _, parent := range parents {
		fields, _ := parent.(map[string]any)
		section, _ := fields["sectionName"].(string)
		sections = append(sections, section)
	}
	named := func(l listenerAt) bool { return slices.Contains(sections, "") || slices.Contains(sections, l.name) }
	before := r.earlier.listeners(gateway)
	after := r.later.listeners(gateway)
	same := func(a, b listenerAt) bool { return a.owner == b.owner && a.name == b.name }
	for _, is := range after {
		i := slices.IndexFunc(before, func(was listenerAt) bool { return same(was, is) })
		switch {
		case i < 0:
			return is.at(""), true // it may take what another one took
		case !named(is):
		default:
			if edited := differing("", fieldsOf(is.spec), fieldsOf(before[i].spec)); edited != "" || !reflect.DeepEqual(is.spec, before[i].spec) {
				return is.at(edited), true
			}
		}
	}
	for _, was := range before {
		if named(was) && !slices.ContainsFunc(after, func(is listenerAt) bool { return same(was, is) }) {
			return was.at(""), true
		}
	}
	return diagnostic.Position{}, false
}

// written is an object with its fields by their names in manifests.
type written struct {
	name   model.Name
	fields map[string]any
	places *manifest.Places
}

func writtenOf[T object](list []manifest.Located[T]) []written {
	all := make([]written, len(list))
	for i, one := range list {
		all[i] = written{model.Name{Namespace: one.Object.GetNamespace(), Name: one.Object.GetName()}, fieldsOf(one.Object), one.Places}
	}
	return all
}

// field is what stands below keys, nil for nothing.
func (o written) field(keys []string) any {
	var value any = o.fields
	for _, key := range keys {
		fields, is := value.(map[string]any)
		if !is {
			return nil
		}
		value = fields[key]
	}
	return value
}

// editIn is the place of the first edit of objects in a field.
func editIn(before, after []written, wanted func(written) bool, keys ...string) (diagnostic.Position, bool) {
	field := strings.Join(keys, ".")
	was := map[model.Name]written{}
	for _, one := range before {
		if wanted(one) {
			was[one.name] = one
		}
	}
	for _, one := range after {
		if !wanted(one) {
			continue
		}
		other, existed := was[one.name]
		if !existed {
			return one.places.At("metadata"), true
		}
		if edited := differing(field, one.field(keys), other.field(keys)); edited != "" {
			return one.places.At(edited), true
		}
		delete(was, one.name)
	}
	for _, one := range before {
		if _, gone := was[one.name]; gone {
			return one.places.At("metadata"), true
		}
	}
	return diagnostic.Position{}, false
}
