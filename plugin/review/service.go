package review

import (
	"reflect"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// service names a Service as the cause where the rule itself is written as it was, and the change removes or alters a Service that
// it sends requests to.
func (r resolver) service(cause *report.Cause, before, after *model.Rule) {
	if r.earlier.objects == nil || r.later.objects == nil || !reflect.DeepEqual(r.earlier.written(before), r.later.written(after)) {
		return
	}
	for _, name := range backendNames(before, after) {
		was, is := r.earlier.service(name), r.later.service(name)
		switch {
		case was != nil && is == nil:
			*cause = serviceCause("service removed", name, was.document, diff.Before)
		case was != nil && !reflect.DeepEqual(was.spec, is.spec):
			*cause = serviceCause("service changed", name, is.ports, diff.After)
		default:
			continue
		}
		return
	}
}

func serviceCause(edit string, name model.Name, position diagnostic.Position, side diff.Side) report.Cause {
	return report.Cause{
		Edit: edit, Kind: "Service", Namespace: name.Namespace, Name: name.Name,
		Position: position, Side: string(side), Detail: name.String(),
	}
}

// written is a rule as its manifest has it, nil where there is none.
func (in *input) written(rule *model.Rule) any {
	of := diagnostic.Object{Kind: rule.Origin.Kind, Namespace: rule.Origin.Namespace, Name: rule.Origin.Name.Name}
	for route := range in.objects.Routes() {
		if route.Name() == of && rule.Origin.Rule < len(route.Rules) {
			return route.Rules[rule.Origin.Rule]
		}
	}
	return nil
}

// backendNames are the Services that a rule sends requests, or copies of them, to on either side, in the order of the manifest. On the side where a
// reference is refused the model has no backend for it.
func backendNames(sides ...*model.Rule) []model.Name {
	var names []model.Name
	for _, rule := range sides {
		for _, share := range rule.Action.Backends {
			if share.Backend != nil && share.Backend.Kind == "" {
				names = append(names, share.Backend.Name)
			}
		}
		for _, mirror := range rule.Action.Mirrors {
			if mirror.Backend.Kind == "" {
				names = append(names, mirror.Backend.Name)
			}
		}
	}
	return names
}

// serviceAt is what a Service says and where.
type serviceAt struct {
	spec any
	// document is where the Service begins, ports where its ports stand.
	document, ports diagnostic.Position
}

// service finds a Service, nil if the side has none of that name.
func (in *input) service(name model.Name) *serviceAt {
	service := called(in.objects.Services, name)
	if service == nil {
		return nil
	}
	return &serviceAt{service.Object.Spec, service.Places.Document, lineOnly(service.Places.At("spec.ports"))}
}
