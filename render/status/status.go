// Package status is what a Gateway API controller would write into the status of objects, as data.
//
// render/attach fills it, render adds what only the order of rules shows, Documents puts it into the fields that a cluster would show,
// and Encode writes those as YAML.
package status

import (
	"cmp"
	"slices"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/gateway-api/pkg/features"

	"github.com/routedelta/routedelta/render/model"
)

// Condition as a controller would write it into a status.
type Condition struct {
	Type, Status, Reason, Message string
	ObservedGeneration            int64
}

// New builds a condition; the reason is what tells true from false in the Gateway API's vocabulary, so both are given.
func New[T, R ~string](conditionType T, holds bool, reason R, message string, generation int64) Condition {
	status := "False"
	if holds {
		status = "True"
	}
	return Condition{string(conditionType), status, string(reason), message, generation}
}

// Find returns the condition of a type, or nil.
func Find(conditions []Condition, conditionType string) *Condition {
	for i := range conditions {
		if conditions[i].Type == conditionType {
			return &conditions[i]
		}
	}
	return nil
}

// Status is what a controller would write. Each list is sorted.
type Status struct {
	GatewayClasses []GatewayClass
	Gateways       []Gateway
	ListenerSets   []ListenerSet
	Routes         []Route
	Policies       []Policy
}

// GatewayClass is the status of one GatewayClass.
type GatewayClass struct {
	Name string
	// Controller is the controllerName of the class.
	Controller string
	Conditions []Condition
	// SupportedFeatures is sorted.
	SupportedFeatures []features.FeatureName
}

// Gateway is the status of one Gateway.
type Gateway struct {
	Gateway model.Name
	// Class is the name of its GatewayClass.
	Class      string
	Conditions []Condition
	Listeners  []Listener
	// Addresses are those of spec.addresses that are granted.
	Addresses []gatewayv1.GatewayStatusAddress
	// AttachedListenerSets counts the ListenerSets that the Gateway takes.
	AttachedListenerSets int32
}

// ListenerSet is the status of one ListenerSet.
type ListenerSet struct {
	ListenerSet model.Name
	Conditions  []Condition
	Listeners   []Listener
}

// Listener is the status of one listener of a Gateway or a ListenerSet.
type Listener struct {
	Name           string
	SupportedKinds []string
	AttachedRoutes int
	Conditions     []Condition
}

// Route is the status of one route for one of its parents.
type Route struct {
	Kind  string
	Route model.Name
	// Parent is the parentRef as the API holds it, defaults filled in.
	Parent gatewayv1.ParentReference
	// Gateway is the Gateway behind the parent.
	Gateway    model.Name
	Conditions []Condition
}

// Policy is the status of one BackendTLSPolicy.
type Policy struct {
	Kind      string
	Policy    model.Name
	Ancestors []Ancestor
}

// Ancestor is the status of a policy for one of the Gateways through which its targets are reached.
type Ancestor struct {
	Ancestor   gatewayv1.ParentReference
	Conditions []Condition
}

// Condition returns the condition of a type, or nil.
func (s *Route) Condition(conditionType string) *Condition { return Find(s.Conditions, conditionType) }

// Condition returns the condition of a type, or nil.
func (s *Listener) Condition(conditionType string) *Condition {
	return Find(s.Conditions, conditionType)
}

// Condition returns the condition of a type, or nil.
func (s *Gateway) Condition(conditionType string) *Condition {
	return Find(s.Conditions, conditionType)
}

// AddOverlaps says of accepted routes that another route has the same matches (condition RouteRulesOverlap), for the parents that lead
// to a Gateway. message is "" for a route that has them alone.
func (s *Status) AddOverlaps(gateway model.Name, message func(kind string, route model.Name) string) {
	const overlap = "RouteRulesOverlap"
	for i := range s.Routes {
		route := &s.Routes[i]
		accepted := route.Condition(string(gatewayv1.RouteConditionAccepted))
		if route.Gateway != gateway || accepted == nil || accepted.Status != "True" {
			continue
		}
		if text := message(route.Kind, route.Route); text != "" {
			route.Conditions = append(route.Conditions, New(overlap, true, overlap, text, accepted.ObservedGeneration))
		}
	}
}

// Sort brings every list into the order of its names. The parents of a route stay in the order of its parentRefs.
func (s *Status) Sort() {
	slices.SortFunc(s.GatewayClasses, func(a, b GatewayClass) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(s.Gateways, func(a, b Gateway) int { return compareNames(a.Gateway, b.Gateway) })
	slices.SortFunc(s.ListenerSets, func(a, b ListenerSet) int { return compareNames(a.ListenerSet, b.ListenerSet) })
	slices.SortStableFunc(s.Routes, func(a, b Route) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), compareNames(a.Route, b.Route))
	})
	slices.SortFunc(s.Policies, func(a, b Policy) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), compareNames(a.Policy, b.Policy)) })
}

func compareNames(a, b model.Name) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}
