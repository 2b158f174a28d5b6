package manifest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// gather sorts items into lists. Of objects with one name the first is kept; the input has an order, so that is the same
// one each time.
func gather(results [][]item) (*Objects, diagnostic.List) {
	objects := &Objects{}
	var found diagnostic.List
	first := map[diagnostic.Object]diagnostic.Position{}
	variables := map[string]bool{}
	for _, items := range results {
		for i := range items {
			one := &items[i]
			found = append(found, one.found...)
			found = append(found, newVariables(one, variables)...)
			switch {
			case one.other.Kind == "":
			case one.invalid:
				objects.Invalid = append(objects.Invalid, one.other)
			case one.store == nil:
				objects.Others = append(objects.Others, one.other)
			default:
				if place, twice := first[one.other.Object]; twice {
					found = append(found, duplicateObject(one.other, place))
					continue
				}
				first[one.other.Object] = one.other.Position
				one.store(objects, one.places, one.absent)
			}
		}
	}
	if !hasRoute(objects) {
		found = append(found, diagnostic.Diagnostic{
			Code: diagnostic.NoObject, Severity: diagnostic.Warning,
			Message: "the input has no route", Hint: "name the folder or the rendered stream that holds the routes",
		})
	}
	objects.sort()
	return objects, found
}

// hasRoute tells whether there is a route of any kind, be it one that cannot be read.
func hasRoute(objects *Objects) bool {
	for range objects.Routes() {
		return true
	}
	return slices.ContainsFunc(objects.Invalid, func(o Other) bool { return isGatewayKind(o.Kind) && strings.HasSuffix(o.Kind, "Route") })
}

// duplicateObject is the diagnostic for an object that was read before.
func duplicateObject(second Other, first diagnostic.Position) diagnostic.Diagnostic {
	found := diagnostic.Diagnostic{
		Code: diagnostic.DuplicateObject, Severity: diagnostic.Error, Object: second.Object, Position: second.Position,
		Message: fmt.Sprintf("the object stands twice in the input, first at %s", first),
		Hint:    "keep one; where they are of several clusters, name the folder of one, or have routedelta init name each as a target",
	}
	if broughtAlong(second.Kind) {
		found.Severity = diagnostic.Warning
		found.Message += ", which is taken"
		found.Hint = "keep one, if they are of one cluster"
	}
	return found
}

// broughtAlong tells of a kind that many parts of a repository bring along, each for itself. A cluster takes them one over the other.
func broughtAlong(kind string) bool { return kind == "Namespace" || kind == "GatewayClass" }

// newVariables gives one warning for each variable that was not met before.
func newVariables(one *item, seen map[string]bool) diagnostic.List {
	var found diagnostic.List
	for _, v := range one.variables {
		if seen[v.name] {
			continue
		}
		seen[v.name] = true
		found = append(found, diagnostic.Diagnostic{
			Code: diagnostic.UnsetVariable, Severity: diagnostic.Warning, Object: one.other.Object, Position: v.position,
			Message: fmt.Sprintf("variable ${%s} has no value here: %q stands for it", diagnostic.Clip(v.name), diagnostic.Clip(v.standIn)),
			Hint:    "the answer holds for one unknown value; give the manifests as they are after substitution to have it in full",
		})
	}
	return found
}

// sort brings each list into the order of namespace and name.
func (o *Objects) sort() {
	sortLocated(o.GatewayClasses)
	sortLocated(o.Gateways)
	sortLocated(o.HTTPRoutes)
	sortLocated(o.GRPCRoutes)
	sortLocated(o.TLSRoutes)
	sortLocated(o.TCPRoutes)
	sortLocated(o.UDPRoutes)
	sortLocated(o.ListenerSets)
	sortLocated(o.BackendTLSPolicies)
	sortLocated(o.ConfigMaps)
	sortLocated(o.ReferenceGrants)
	sortLocated(o.Services)
	sortLocated(o.EndpointSlices)
	sortLocated(o.Namespaces)
	sortLocated(o.Secrets)
	SortOthers(o.Others)
	SortOthers(o.Invalid)
}

func sortLocated[T metav1.Object](list []Located[T]) {
	slices.SortFunc(list, func(a, b Located[T]) int {
		return cmp.Or(
			cmp.Compare(a.Object.GetNamespace(), b.Object.GetNamespace()),
			cmp.Compare(a.Object.GetName(), b.Object.GetName()),
		)
	})
}

// SortOthers sorts by kind, namespace, name, version and place.
func SortOthers(list []Other) {
	slices.SortFunc(list, func(a, b Other) int {
		return cmp.Or(
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.APIVersion, b.APIVersion),
			cmp.Compare(a.Position.File, b.Position.File), cmp.Compare(a.Position.Line, b.Position.Line),
		)
	})
}
