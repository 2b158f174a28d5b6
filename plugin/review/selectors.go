package review

import (
	"fmt"
	"reflect"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// otherSelectors are the edits of who may attach where that is asked of a Namespace whose labels nobody has told. Each side takes them to
// fit, and both cannot be held to that: what fits one selector need not fit the other.
func otherSelectors(earlier, later *input) []report.Uncompared {
	before, after := doors(earlier.objects), doors(later.objects)
	var found []report.Uncompared
	for name, is := range after {
		was, existed := before[name]
		if !existed || reflect.DeepEqual(was.rule, is.rule) {
			continue
		}
		asked := later.askedUnknown(is, "after")
		if len(asked) == 0 {
			asked = earlier.askedUnknown(was, "before")
		}
		found = append(found, asked...)
	}
	return found
}

// doorName names a listener over a change, or what a Gateway says of its ListenerSets.
type doorName struct {
	diagnostic.Object
	listener string
}

// door is where something attaches: who may, and the field that selects them.
type door struct {
	object diagnostic.Object
	field  string
	rule   any
}

// doors are all of an input.
func doors(objects *manifest.Objects) map[doorName]door {
	found := map[doorName]door{}
	add := func(object diagnostic.Object, listener, field string, rule any) {
		found[doorName{object, listener}] = door{object, field + ".namespaces.selector", rule}
	}
	for _, g := range objects.Gateways {
		name := diagnostic.Object{Kind: "Gateway", Namespace: g.Object.Namespace, Name: g.Object.Name}
		add(name, "", "spec.allowedListeners", g.Object.Spec.AllowedListeners)
		for i, l := range g.Object.Spec.Listeners {
			add(name, string(l.Name), allowedField(i), l.AllowedRoutes)
		}
	}
	for _, set := range objects.ListenerSets {
		name := diagnostic.Object{Kind: "ListenerSet", Namespace: set.Object.Namespace, Name: set.Object.Name}
		for i, l := range set.Object.Spec.Listeners {
			add(name, string(l.Name), allowedField(i), l.AllowedRoutes)
		}
	}
	return found
}

func allowedField(i int) string { return fmt.Sprintf("spec.listeners[%d].allowedRoutes", i) }

// askedUnknown says of which Namespaces a side has asked for labels that nobody has told.
func (in *input) askedUnknown(d door, side string) []report.Uncompared {
	var found []report.Uncompared
	for _, said := range in.diagnosed() {
		if said.Code == diagnostic.NamespaceUnknown && said.Severity == diagnostic.Warning && said.Object == d.object && said.Field == d.field {
			found = append(found, report.Uncompared{Object: d.object, Edit: "changed", Position: lineOnly(said.Position), Side: side, Reason: said.Message})
		}
	}
	return found
}
