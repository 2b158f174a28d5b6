package review

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// whoServes are the edits that decide by something outside of the input whether a Gateway serves at all, or whom it serves: its class,
// what the class says of its controller, and a selector that is held against labels that nobody has told.
func whoServes(earlier, later *input) []report.Uncompared {
	if earlier.objects == nil || later.objects == nil {
		return nil // a rendering tells nothing of classes and selectors
	}
	before, after := gatewaysOf(earlier.objects), gatewaysOf(later.objects)
	found := gatewayEdits(before, after, earlier.leftOut(), later.leftOut())
	found = append(found, classEdits(earlier.objects, later.objects, classesKept(before, after))...)
	return append(found, otherSelectors(earlier, later)...)
}

// located is a Gateway with its lines.
type located = manifest.Located[*gatewayv1.Gateway]

// gatewaysOf are the Gateways by name.
func gatewaysOf(objects *manifest.Objects) map[diagnostic.Object]located {
	found := map[diagnostic.Object]located{}
	for _, g := range objects.Gateways {
		found[diagnostic.Object{Kind: "Gateway", Namespace: g.Object.Namespace, Name: g.Object.Name}] = g
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
func gatewayEdits(before, after map[diagnostic.Object]located, leftBefore, leftAfter map[diagnostic.Object]bool) []report.Uncompared {
	var found []report.Uncompared
	for name, is := range after {
		was, existed := before[name]
		if !existed || leftBefore[name] || leftAfter[name] {
			continue
		}
		one := report.Uncompared{Object: name, Edit: "changed", Side: "after"}
		switch {
		case was.Object.Spec.GatewayClassName != is.Object.Spec.GatewayClassName:
			one.Position = lineOnly(is.Places.At("spec.gatewayClassName"))
			one.Reason = fmt.Sprintf("its class is %s instead of %s, and whether another controller serves it alike is not known",
				is.Object.Spec.GatewayClassName, was.Object.Spec.GatewayClassName)
		case !reflect.DeepEqual(parametersOf(was), parametersOf(is)):
			one.Position = lineOnly(is.Places.At("spec.infrastructure.parametersRef"))
			one.Reason = "its parameters are not read"
		default:
			continue
		}
		found = append(found, one)
	}
	return found
}

// parametersOf is what a Gateway names as its parameters, nil if it names none.
func parametersOf(g located) *gatewayv1.LocalParametersReference {
	if g.Object.Spec.Infrastructure == nil {
		return nil
	}
	return g.Object.Spec.Infrastructure.ParametersRef
}

// classEdits are the GatewayClasses that go or name another controller or other parameters, while a Gateway of both sides has them. One that
// comes may only be written down now: the Gateway was served before.
func classEdits(earlier, later *manifest.Objects, used map[string]bool) []report.Uncompared {
	classes := map[string]manifest.Located[*gatewayv1.GatewayClass]{}
	for _, class := range later.GatewayClasses {
		classes[class.Object.Name] = class
	}
	var found []report.Uncompared
	for _, was := range earlier.GatewayClasses {
		if !used[was.Object.Name] {
			continue
		}
		one := report.Uncompared{Object: diagnostic.Object{Kind: "GatewayClass", Name: was.Object.Name}, Edit: "changed", Side: "after"}
		switch is, left := classes[was.Object.Name]; {
		case !left:
			one.Edit, one.Side, one.Position = "removed", "before", lineOnly(was.Places.At("metadata"))
			one.Reason = "whether a controller still serves the Gateways of the class is not known"
		case was.Object.Spec.ControllerName != is.Object.Spec.ControllerName:
			one.Position = lineOnly(is.Places.At("spec.controllerName"))
			one.Reason = "whether another controller serves the Gateways of the class alike is not known"
		case !reflect.DeepEqual(was.Object.Spec.ParametersRef, is.Object.Spec.ParametersRef):
			one.Position = lineOnly(is.Places.At("spec.parametersRef"))
			one.Reason = "its parameters are not read"
		default:
			continue
		}
		found = append(found, one)
	}
	return found
}

// classesKept are the classes of Gateways that have the same one on both sides.
func classesKept(before, after map[diagnostic.Object]located) map[string]bool {
	kept := map[string]bool{}
	for name, is := range after {
		if was, existed := before[name]; existed && was.Object.Spec.GatewayClassName == is.Object.Spec.GatewayClassName {
			kept[string(is.Object.Spec.GatewayClassName)] = true
		}
	}
	return kept
}

// leftUncompared is all that differs and is not compared: objects that are not rendered, and what is decided outside of the input.
func leftUncompared(earlier, later *input) []report.Uncompared {
	list := append(uncompared(earlier, later), whoServes(earlier, later)...)
	slices.SortStableFunc(list, func(a, b report.Uncompared) int {
		return cmp.Or(
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Position.File, b.Position.File), cmp.Compare(a.Position.Line, b.Position.Line), cmp.Compare(a.Reason, b.Reason),
		)
	})
	return list
}
