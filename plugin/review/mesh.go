package review

import (
	"fmt"
	"reflect"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// meshRoutes are the routes that differ and have a parent that is no Gateway: what they do inside of a mesh is not rendered.
func meshRoutes(earlier, later *manifest.Objects) []report.Uncompared {
	before, after := meshSpecs(earlier), meshSpecs(later)
	var found []report.Uncompared
	for name, is := range after {
		was, existed := before[name]
		switch {
		case !existed:
			found = append(found, is.uncompared("added", "after"))
		case !reflect.DeepEqual(was.spec, is.spec):
			found = append(found, is.uncompared("changed", "after"))
		}
	}
	for name, was := range before {
		if _, left := after[name]; !left {
			found = append(found, was.uncompared("removed", "before"))
		}
	}
	return found
}

// meshRoute is a route with the parent that is no Gateway.
type meshRoute struct {
	object   diagnostic.Object
	position diagnostic.Position
	parent   string
	spec     any
}

func meshSpecs(objects *manifest.Objects) map[diagnostic.Object]meshRoute {
	found := map[diagnostic.Object]meshRoute{}
	for route := range objects.Routes() {
		for _, ref := range route.ParentRefs {
			if ref.Kind == nil || *ref.Kind == "Gateway" || *ref.Kind == "ListenerSet" {
				continue
			}
			found[route.Name()] = meshRoute{route.Name(), lineOnly(route.Places.Document), fmt.Sprintf("%s %s", *ref.Kind, ref.Name), route.Spec}
			break
		}
	}
	return found
}

func (m meshRoute) uncompared(edit, side string) report.Uncompared {
	return report.Uncompared{Object: m.object, Edit: edit, Position: m.position, Side: side, Reason: "its parent " + m.parent + " is no Gateway and is not rendered"}
}
