package attach

import (
	"cmp"
	"slices"

	"github.com/routedelta/routedelta/render/model"
)

// Condition as a controller would write it into a status.
type Condition struct {
	Type, Status, Reason, Message string
	ObservedGeneration            int64
}

// Status is what a controller would write, as data. Each list is sorted.
type Status struct {
	Gateways []GatewayStatus
	Routes   []RouteStatus
}

// GatewayStatus is the status of one Gateway.
type GatewayStatus struct {
	Gateway    model.Name
	Conditions []Condition
	Listeners  []ListenerStatus
}

// ListenerStatus is the status of one Gateway API listener.
type ListenerStatus struct {
	Name           string
	SupportedKinds []string
	AttachedRoutes int
	Conditions     []Condition
}

// RouteStatus is the status of one route for one of its parents.
type RouteStatus struct {
	Kind        string
	Route       model.Name
	Gateway     model.Name
	SectionName string
	Port        uint32
	Conditions  []Condition
}

// Condition returns the condition of a type, or nil.
func (s *RouteStatus) Condition(conditionType string) *Condition {
	return find(s.Conditions, conditionType)
}

// Condition returns the condition of a type, or nil.
func (s *ListenerStatus) Condition(conditionType string) *Condition {
	return find(s.Conditions, conditionType)
}

// Condition returns the condition of a type, or nil.
func (s *GatewayStatus) Condition(conditionType string) *Condition {
	return find(s.Conditions, conditionType)
}

func find(conditions []Condition, conditionType string) *Condition {
	for i := range conditions {
		if conditions[i].Type == conditionType {
			return &conditions[i]
		}
	}
	return nil
}

// condition builds a condition; the reason is what tells true from false in the Gateway API's vocabulary, so both are given.
func condition[T, R ~string](conditionType T, holds bool, reason R, message string, generation int64) Condition {
	status := "False"
	if holds {
		status = "True"
	}
	return Condition{string(conditionType), status, string(reason), message, generation}
}

func (s *Status) sort() {
	slices.SortFunc(s.Gateways, func(a, b GatewayStatus) int { return cmp.Compare(a.Gateway.String(), b.Gateway.String()) })
	slices.SortStableFunc(s.Routes, func(a, b RouteStatus) int {
		return cmp.Or(
			cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Route.String(), b.Route.String()),
			cmp.Compare(a.Gateway.String(), b.Gateway.String()),
			cmp.Compare(a.SectionName, b.SectionName),
			cmp.Compare(a.Port, b.Port),
		)
	})
}
