package review

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// edited finds the field in which a rule differs from what it is on the other side, if that field was written in another file than the rule: in
// a patch, for instance. There somebody has made the change, and there a reader looks for it.
// hosts tells that the edit is one of host names.
func (r resolver) edited(side diff.Side, origin model.Origin, hosts bool) (at diagnostic.Position, elsewhere bool) {
	here, there := r.later, r.earlier
	if side == diff.Before {
		here, there = there, here
	}
	route, found := routeIn(here, origin)
	other, also := routeIn(there, origin)
	if !found || !also {
		return diagnostic.Position{}, false
	}
	is, was := fieldsOf(route.Spec), fieldsOf(other.Spec)
	rule := fmt.Sprintf("spec.rules[%d]", origin.Rule)
	parts := []specPart{
		{rule, item(is["rules"], origin.Rule), item(was["rules"], origin.Rule)},
		{"spec.hostnames", is["hostnames"], was["hostnames"]},
		{"spec.parentRefs", is["parentRefs"], was["parentRefs"]},
	}
	if hosts {
		parts[0], parts[1] = parts[1], parts[0]
	}
	for _, part := range parts {
		field := differing(part.field, part.is, part.was)
		if at := route.Places.At(field); field != "" && at.File != origin.File {
			return at, true
		}
	}
	return diagnostic.Position{}, false
}

// specPart is a part of a spec on both sides.
type specPart struct {
	field   string
	is, was any
}

// routeIn finds the route that a rule was made of.
func routeIn(side *input, origin model.Origin) (manifest.Route, bool) {
	if side.objects == nil {
		return manifest.Route{}, false
	}
	want := diagnostic.Object{Kind: origin.Kind, Namespace: origin.Namespace, Name: origin.Name.Name}
	for route := range side.objects.Routes() {
		if route.Name() == want {
			return route, true
		}
	}
	return manifest.Route{}, false
}

// fieldsOf are the fields of a spec by their names in manifests.
func fieldsOf(spec any) map[string]any {
	text, err := json.Marshal(spec)
	if err != nil {
		return nil
	}
	var fields map[string]any
	_ = json.Unmarshal(text, &fields) // it was just written
	return fields
}

// item is that at an index, nil behind the last one.
func item(list any, index int) any {
	if items, is := list.([]any); is && index < len(items) {
		return items[index]
	}
	return nil
}

// differing is the path of the first field in which a value differs from another, "" if there is none. Where fields or items are only on one
// side it is the path to these.
func differing(path string, is, was any) string {
	if reflect.DeepEqual(is, was) {
		return ""
	}
	switch is := is.(type) {
	case map[string]any:
		was, both := was.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(is)) {
			if found := differing(path+"."+name, is[name], was[name]); both && found != "" {
				return found
			}
		}
	case []any:
		was, both := was.([]any)
		for i := range is {
			if found := differing(fmt.Sprintf("%s[%d]", path, i), is[i], item(was, i)); both && found != "" {
				return found
			}
		}
	}
	return path
}
