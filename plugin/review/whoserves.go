package review

import (
	"fmt"
	"reflect"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// whoServes are the edits that decide by something outside of the input whether a Gateway serves at all, or whom it serves: its class,
// what the class says of its controller, and a selector that is held against labels that nobody has told.
func whoServes(earlier, later *input) []report.Uncompared {
	before, after := gatewaysOf(earlier.objects), gatewaysOf(later.objects)
	found := gatewayEdits(before, after, earlier.leftOut(), later.leftOut())
	found = append(found, classEdits(earlier.objects, later.objects, classesKept(before, after))...)
	return append(found, otherSelectors(earlier, later)...)
}

// servedBy is who serves a Gateway, or a class of them: a class or a controller by name, and with which parameters.
type servedBy struct {
	name       string
	parameters any
	places     *manifest.Places
}

// gatewaysOf are the Gateways by name, with their classes.
func gatewaysOf(objects *manifest.Objects) map[diagnostic.Object]servedBy {
	found := map[diagnostic.Object]servedBy{}
	for _, g := range objects.Gateways {
		by := servedBy{name: string(g.Object.Spec.GatewayClassName), places: g.Places}
		if infrastructure := g.Object.Spec.Infrastructure; infrastructure != nil && infrastructure.ParametersRef != nil {
			by.parameters = *infrastructure.ParametersRef
		}
		found[diagnostic.Object{Kind: "Gateway", Namespace: g.Object.Namespace, Name: g.Object.Name}] = by
	}
	return found
}

// classesOf are the GatewayClasses by name, with their controllers.
func classesOf(objects *manifest.Objects) map[string]servedBy {
	found := map[string]servedBy{}
	for _, class := range objects.GatewayClasses {
		by := servedBy{name: string(class.Object.Spec.ControllerName), places: class.Places}
		if ref := class.Object.Spec.ParametersRef; ref != nil {
			by.parameters = *ref
		}
		found[class.Object.Name] = by
	}
	return found
}

// leftOut are the Gateways whose class is not among those that are asked for.
func (in *input) leftOut() map[diagnostic.Object]bool {
	left := map[diagnostic.Object]bool{}
	for _, d := range in.diagnosed() {
		if d.Code == diagnostic.ClassNotSelected {
			left[d.Object] = true
		}
	}
	return left
}

// gatewayEdits are the Gateways that both sides render, and that after the change another class serves, or one with other parameters.
func gatewayEdits(before, after map[diagnostic.Object]servedBy, leftBefore, leftAfter map[diagnostic.Object]bool) []report.Uncompared {
	var found []report.Uncompared
	for name, is := range after {
		was, existed := before[name]
		if !existed || leftBefore[name] || leftAfter[name] {
			continue
		}
		one := report.Uncompared{Object: name, Edit: "changed", Side: "after"}
		switch {
		case was.name != is.name:
			one.Position = lineOnly(is.places.At("spec.gatewayClassName"))
			one.Reason = fmt.Sprintf("its class is %s instead of %s, and whether another controller serves it alike is not known", is.name, was.name)
		case !reflect.DeepEqual(was.parameters, is.parameters):
			one.Position = lineOnly(is.places.At("spec.infrastructure.parametersRef"))
			one.Reason = "its parameters are not read"
		default:
			continue
		}
		found = append(found, one)
	}
	return found
}

// classEdits are the GatewayClasses that go or name another controller or other parameters, while a Gateway of both sides has them. One that
// comes may only be written down now: the Gateway was served before.
func classEdits(earlier, later *manifest.Objects, used map[string]bool) []report.Uncompared {
	classes := classesOf(later)
	var found []report.Uncompared
	for name, was := range classesOf(earlier) {
		if !used[name] {
			continue
		}
		one := report.Uncompared{Object: diagnostic.Object{Kind: "GatewayClass", Name: name}, Edit: "changed", Side: "after"}
		switch is, left := classes[name]; {
		case !left:
			one.Edit, one.Side, one.Position = "removed", "before", lineOnly(was.places.At("metadata"))
			one.Reason = "whether a controller still serves the Gateways of the class is not known"
		case was.name != is.name:
			one.Position = lineOnly(is.places.At("spec.controllerName"))
			one.Reason = "whether another controller serves the Gateways of the class alike is not known"
		case !reflect.DeepEqual(was.parameters, is.parameters):
			one.Position = lineOnly(is.places.At("spec.parametersRef"))
			one.Reason = "its parameters are not read"
		default:
			continue
		}
		found = append(found, one)
	}
	return found
}

// classesKept are the classes of Gateways that have the same one on both sides.
func classesKept(before, after map[diagnostic.Object]servedBy) map[string]bool {
	kept := map[string]bool{}
	for name, is := range after {
		if was, existed := before[name]; existed && was.name == is.name {
			kept[is.name] = true
		}
	}
	return kept
}
