package envoy_test

import (
	"fmt"

	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// differences compares a wanted condition, or refusal, with a rendering.
func (w statusWanted) differences(rendering *render.Rendering) []string {
	if w.Validation != "" {
		return w.refusal(rendering.Diagnostics)
	}
	what := fmt.Sprintf("%s %s/%s", w.Kind, w.Namespace, w.Name)
	if w.Listener != "" {
		what += " listener " + w.Listener
	}
	conditions, ok := w.conditions(rendering.Status)
	if !ok {
		return []string{what + " has no status"}
	}
	for _, c := range conditions {
		if c.Type != w.Condition {
			continue
		}
		if c.Status != w.Status || w.Reason != nil && c.Reason != *w.Reason {
			reason := "any reason"
			if w.Reason != nil {
				reason = *w.Reason
			}
			return []string{fmt.Sprintf("%s: %s is %s (%s: %s), want %s (%s)", what, c.Type, c.Status, c.Reason, c.Message, w.Status, reason)}
		}
		return nil
	}
	return []string{fmt.Sprintf("%s has no condition %s", what, w.Condition)}
}

// conditions of the object that is named; of a route those of all its parents.
func (w statusWanted) conditions(status render.Status) ([]render.Condition, bool) {
	name := model.Name{Namespace: w.Namespace, Name: w.Name}
	for _, gateway := range status.Gateways {
		if w.Kind == "Gateway" && gateway.Gateway == name {
			return w.ofParent(gateway.Conditions, gateway.Listeners)
		}
	}
	for _, set := range status.ListenerSets {
		if w.Kind == "ListenerSet" && set.ListenerSet == name {
			return w.ofParent(set.Conditions, set.Listeners)
		}
	}
	var conditions []render.Condition
	for _, route := range status.Routes {
		if route.Kind == w.Kind && route.Route == name {
			conditions = append(conditions, route.Conditions...)
		}
	}
	return conditions, len(conditions) > 0
}

// ofParent are the conditions of a Gateway or ListenerSet, or of one of its listeners.
func (w statusWanted) ofParent(own []render.Condition, listeners []render.ListenerStatus) ([]render.Condition, bool) {
	if w.Listener == "" {
		return own, true
	}
	for _, listener := range listeners {
		if listener.Name == w.Listener {
			return listener.Conditions, true
		}
	}
	return nil, false
}

// refusal looks for an error on the field.
func (w statusWanted) refusal(found diagnostic.List) []string {
	object := diagnostic.Object{Kind: w.Kind, Namespace: w.Namespace, Name: w.Name}
	for _, d := range found {
		if d.Severity == diagnostic.Error && d.Object == object && d.Field == w.Field {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s is not refused for its field %s", object, w.Field)}
}

// diagnosticDifferences compares "code object" lines with what was found.
func diagnosticDifferences(want []string, found diagnostic.List) []string {
	have := map[string]bool{}
	for _, d := range found {
		have[fmt.Sprintf("%s %s", d.Code, d.Object)] = true
	}
	var missing []string
	for _, line := range want {
		if !have[line] {
			missing = append(missing, fmt.Sprintf("no diagnostic %s", line))
		}
	}
	return missing
}
