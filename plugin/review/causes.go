package review

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/precedence"
)

// resolver leads from the places in Envoy files back to the manifests. It can do so only for a side that was rendered just now:
// files do not hold lines, so that moving a line does not change a file.
type resolver struct{ earlier, later *input }

// resolve adds lines, rule numbers and ladder rungs to a report.
func (r resolver) resolve(compared *diff.Comparison) {
	found := compared.Report
	for i := range found.Classes {
		trace := compared.Traces.Classes[i]
		for j := range found.Classes[i].Causes {
			r.causeOf(&found.Classes[i], j, trace.Edits[j])
		}
		if !overtakes(trace) {
			found.Classes[i].Why = nil
			continue
		}
		if found.Classes[i].Why == nil {
			found.Classes[i].Why = new(report.Why)
		}
		r.complete(found.Classes[i].Why, trace)
	}
	for i := range found.Effectless {
		trace := compared.Traces.Effectless[i]
		r.cause(&found.Effectless[i].Cause, trace)
		for j, coverer := range trace.Coverers {
			r.label(&found.Effectless[i].Coverers[j], &coverer)
		}
	}
}

// overtakes tells that another rule wins now than before: only then does the ladder say anything about the change. A rule that
// keeps its match and gets another backend wins what it won.
func overtakes(trace diff.ClassTrace) bool {
	for _, edit := range trace.Edits {
		if edit.Kind != class.Changed || edit.MatchChanged {
			return trace.Winner != nil
		}
	}
	return false
}

// causeOf adds the place of an edit: of a listener, of a backend, or of a rule.
func (r resolver) causeOf(c *report.Class, i int, trace diff.EditTrace) {
	cause := &c.Causes[i]
	switch {
	case trace.Chain != nil:
		r.listener(cause, trace.Chain, changedTreatments(c))
	case cause.Edit == "backend changed":
		r.backend(cause, c.Gateways[0])
	default:
		r.cause(cause, trace)
	}
}

// changedTreatments are the names of what a class says of its first outcomes, each once.
func changedTreatments(c *report.Class) []string {
	var names []string
	for _, t := range slices.Concat(c.Before[0].Treatment, c.After[0].Treatment) {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// cause adds the place of an edit: the line of what changed in the rule.
func (r resolver) cause(cause *report.Cause, trace diff.EditTrace) {
	at := trace.After
	if at == nil {
		at = trace.Before
	}
	rule := r.rule(at)
	if rule == nil {
		return
	}
	cause.Rule, cause.Match = rule.Origin.Rule+1, rule.Origin.Match+1
	cause.Side = string(at.Side)
	before, after := r.rule(trace.Before), r.rule(trace.After)
	place := placeOf(rule.Origin, trace, before, after)
	cause.Position = diagnostic.Position{File: place.File, Line: place.Line}
	hosts := strings.HasPrefix(cause.Edit, "host")
	if edited, elsewhere := r.edited(at.Side, rule.Origin, hosts); elsewhere {
		cause.Position = edited
	} else if edited, elsewhere := r.admitted(at, rule.Origin, hosts); elsewhere {
		cause.Position = edited
	}
	if before != nil && after != nil {
		r.service(cause, before, after)
	}
}

// placeOf is the one that a reader wants to see: of the backends, filters, timeouts, retries or session where only these differ, else of the
// match.
func placeOf(origin model.Origin, trace diff.EditTrace, before, after *model.Rule) model.Place {
	var candidates []model.Place
	switch {
	case trace.MatchChanged:
	case trace.OutcomeChanged:
		candidates = []model.Place{origin.Backends, origin.Filters}
	case trace.TreatmentChanged:
		candidates = treatmentPlaces(origin, before, after)
		if candidates == nil {
			candidates = []model.Place{origin.Timeouts, origin.Filters}
		}
	}
	return cmp.Or(append(candidates, model.Place{File: origin.File, Line: origin.Line})...)
}

// treatmentPlaces are the places of what differs between two states of a rule, as far as it is known by parts; zero for a part that is
// gone.
func treatmentPlaces(origin model.Origin, before, after *model.Rule) []model.Place {
	if before == nil || after == nil {
		return nil
	}
	was, is := before.Action, after.Action
	var places []model.Place
	for _, part := range []struct {
		place model.Place
		same  bool
	}{
		{origin.Retry, reflect.DeepEqual(was.Retry, is.Retry)},
		{origin.Session, reflect.DeepEqual(was.Session, is.Session)},
		{origin.Timeouts, reflect.DeepEqual(was.RequestTimeout, is.RequestTimeout) && reflect.DeepEqual(was.BackendTimeout, is.BackendTimeout)},
		{origin.Filters, reflect.DeepEqual(filtersOf(was), filtersOf(is))},
		{origin.Backends, slices.EqualFunc(was.Backends, is.Backends, sameFilters)},
	} {
		if !part.same {
			places = append(places, part.place)
		}
	}
	return places
}

// filtersOf are the filters of a rule that are treatments.
func filtersOf(a model.Action) []any {
	return []any{a.RequestHeaders, a.ResponseHeaders, a.Rewrite, a.CORS, a.Mirrors, a.ExternalAuth, a.Unrendered}
}

// sameFilters compares the filters of a backend.
func sameFilters(was, is model.WeightedBackend) bool {
	was.Weight, was.Backend, is.Weight, is.Backend = 0, nil, 0, nil
	return reflect.DeepEqual(was, is)
}

// complete adds to the winner of a class on which rung it stands before the rule that would take the witness otherwise.
func (r resolver) complete(why *report.Why, trace diff.ClassTrace) {
	winner, runnerUp := r.rule(trace.Winner), r.rule(trace.RunnerUp)
	if winner == nil {
		return
	}
	r.label(&why.Winner, trace.Winner)
	if runnerUp == nil {
		return
	}
	r.label(&why.RunnerUp, trace.RunnerUp)
	dialect, err := precedence.Find(r.later.rendering.Dialect)
	if err != nil {
		return // the rendering names a dialect that it was made with
	}
	explanation := dialect.Explain(winner, runnerUp)
	why.Rung, why.Detail = explanation.Rung, explanation.Detail
}

// label adds the place of a rule to its name.
func (r resolver) label(label *report.RuleLabel, at *diff.RuleAt) {
	rule := r.rule(at)
	if rule == nil {
		return
	}
	origin := rule.Origin
	label.Kind, label.Namespace, label.Name, label.RuleName = origin.Kind, origin.Namespace, origin.Name.Name, origin.RuleName
	label.Rule = origin.Rule + 1
	label.Position = diagnostic.Position{File: origin.File, Line: origin.Line}
}

// rule finds the rule that an Envoy route was made of, nil where the side was not rendered here.
func (r resolver) rule(at *diff.RuleAt) *model.Rule {
	if at == nil || at.Rule < 0 {
		return nil
	}
	side := r.later
	if at.Side == diff.Before {
		side = r.earlier
	}
	if side.rendering == nil {
		return nil
	}
	for _, gateway := range side.rendering.Gateways {
		if gateway.Files.Name != at.Gateway {
			continue
		}
		for _, listener := range gateway.Model.Listeners {
			for _, chain := range listener.Chains {
				switch {
				case chain.Forward != nil && chain.Name == at.Routes:
					return &model.Rule{Origin: chain.Forward.Origin, Action: model.Action{Backends: chain.Forward.Backends}}
				case chain.Forward == nil && chain.Routes.Name == at.Routes:
					return &chain.Routes.Hosts[at.Host].Rules[at.Rule]
				}
			}
		}
	}
	return nil
}
