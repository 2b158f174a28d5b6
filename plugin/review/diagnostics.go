package review

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// states sorts the diagnostics of both sides into what the change brings, mends and leaves. Two are the same if they say the same
// of the same field: a line that moved does not make a new one.
func states(before, after diagnostic.List) []report.Diagnostic {
	was := map[diagnostic.Diagnostic]int{}
	for _, d := range before {
		was[unplaced(d)]++
	}
	var sorted []report.Diagnostic
	for _, d := range after {
		state := "introduced"
		if was[unplaced(d)] > 0 {
			was[unplaced(d)]--
			state = "unchanged"
		}
		sorted = append(sorted, report.Diagnostic{Diagnostic: d, State: state})
	}
	for _, d := range before {
		if was[unplaced(d)] > 0 {
			was[unplaced(d)]--
			sorted = append(sorted, report.Diagnostic{Diagnostic: d, State: "fixed"})
		}
	}
	return sorted
}

// unsaid leaves out what an edit without effect says already, with more: that a rule never wins; and what an edit that is not
// compared says: that its object is not rendered.
func unsaid(list []report.Diagnostic, found *report.Report) []report.Diagnostic {
	never, unread := map[diagnostic.Position]bool{}, map[diagnostic.Position]bool{}
	for _, e := range found.Effectless {
		never[lineOnly(e.Position)] = true
	}
	for _, u := range found.Uncompared {
		unread[u.Position] = true
	}
	return slices.DeleteFunc(list, func(d report.Diagnostic) bool {
		switch d.Code {
		case diagnostic.Duplicate:
			return d.State == "introduced" && never[lineOnly(d.Position)]
		case diagnostic.UnsupportedKind, diagnostic.ListenerUnsupported:
			return d.State != "unchanged" && unread[lineOnly(d.Position)]
		}
		return false
	})
}

// withoutEmptiness leaves out that there is no route where an error says why: nobody is to look for another folder then.
func withoutEmptiness(list diagnostic.List) diagnostic.List {
	if !list.HasErrors() {
		return list
	}
	return slices.DeleteFunc(list, func(d diagnostic.Diagnostic) bool { return d.Code == diagnostic.NoObject })
}

func lineOnly(p diagnostic.Position) diagnostic.Position {
	p.Column = 0
	return p
}

// unplaced leaves out of a diagnostic where it stands, and at which place of a list: an entry more ahead of it does not make a new one.
func unplaced(d diagnostic.Diagnostic) diagnostic.Diagnostic {
	d.Position = diagnostic.Position{}
	d.Field = strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, d.Field)
	return d
}

// unattached are the routes that the change adds or alters and that no Gateway takes: their author believes that they do something
// and they have no rule of which diff could say that it never wins.
func unattached(earlier, later *input) []report.Effectless {
	if earlier.objects == nil || later.objects == nil {
		return nil
	}
	before := map[diagnostic.Object]any{}
	for route := range earlier.objects.Routes() {
		before[route.Name()] = route.Spec
	}
	elsewhere := meshSpecs(later.objects)
	reasons := refusals(later.rendering.Status)
	var found []report.Effectless
	for route := range later.objects.Routes() {
		name := route.Name()
		if _, mesh := elsewhere[name]; mesh {
			continue // it is no Gateway that it works for
		}
		was, existed := before[name]
		reason, hasParent := reasons[name]
		if !hasParent {
			reason = later.parentless(route)
		}
		if reason == "" || existed && reflect.DeepEqual(was, route.Spec) {
			continue
		}
		found = append(found, report.Effectless{
			Cause:   routeCause(route.Places, name, existed),
			Reason:  "not attached",
			Message: reason,
		})
	}
	return found
}

// parentless says why no Gateway of a rendering is asked by a route: those that are its parents may be of classes that nobody asked for.
func (in *input) parentless(route manifest.Route) string {
	left := in.leftOut()
	for _, ref := range route.ParentRefs {
		parent := diagnostic.Object{Kind: "Gateway", Namespace: route.Object.GetNamespace(), Name: string(ref.Name)}
		if ref.Namespace != nil {
			parent.Namespace = string(*ref.Namespace)
		}
		if left[parent] {
			return fmt.Sprintf("its parent %s is of class %q, which is not asked for", parent, gatewaysOf(in.objects)[parent].name)
		}
	}
	return "no Gateway is its parent"
}

func routeCause(places *manifest.Places, name diagnostic.Object, existed bool) report.Cause {
	edit := "route added"
	if existed {
		edit = "route changed"
	}
	return report.Cause{
		Edit: edit, Kind: name.Kind, Namespace: name.Namespace, Name: name.Name,
		Position: places.Document, Side: "after",
	}
}

// refusals are why no parent accepts a route, for each that has one; "" if one does.
func refusals(status render.Status) map[diagnostic.Object]string {
	reasons := map[diagnostic.Object]string{}
	for _, route := range status.Routes {
		name := diagnostic.Object{Kind: route.Kind, Namespace: route.Route.Namespace, Name: route.Route.Name}
		for _, condition := range route.Conditions {
			reason, known := reasons[name]
			switch {
			case condition.Type != "Accepted" || known && reason == "":
			case condition.Status == "True":
				reasons[name] = ""
			default:
				reasons[name] = condition.Reason + ": " + condition.Message
			}
		}
	}
	return reasons
}
