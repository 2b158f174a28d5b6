package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/precedence"
)

// overlaps are the rules of one Gateway that never win because an equal match stands before them.
type overlaps struct {
	gateway model.Name
	// list in the order found; where the same two rules meet on several hosts they stand once, with all hosts.
	list  []*overlap
	byKey map[overlapKey]*overlap
}

type overlap struct {
	winner, loser model.Origin
	rung          precedence.Rung
	explanation   precedence.Explanation
	// aged: the age of at least one of the two is known.
	aged  bool
	hosts []string
}

// overlapKey leaves out the places: a rule is one rule wherever it stands in a file.
type overlapKey struct {
	winner, loser rulePlace
	rung          string
}

type rulePlace struct {
	kind        string
	name        model.Name
	rule, match int
}

func placeOf(o model.Origin) rulePlace { return rulePlace{o.Kind, o.Name, o.Rule, o.Match} }

// order brings the rules of every host of a Gateway into the order of a dialect and finds those that cannot win.
func order(dialect precedence.Dialect, gateway *model.Gateway) *overlaps {
	found := &overlaps{gateway: gateway.Name, byKey: map[overlapKey]*overlap{}}
	for _, listener := range gateway.Listeners {
		for _, chain := range listener.Chains {
			for _, host := range chain.Routes.Hosts {
				dialect.Sort(host.Rules)
				for _, tie := range dialect.Ties(host.Rules) {
					found.add(dialect, host, tie)
				}
			}
		}
	}
	return found
}

func (o *overlaps) add(dialect precedence.Dialect, host model.Host, tie precedence.Tie) {
	winner, loser := &host.Rules[tie.Winner], &host.Rules[tie.Loser]
	key := overlapKey{placeOf(winner.Origin), placeOf(loser.Origin), tie.Rung.Name}
	known := o.byKey[key]
	if known == nil {
		known = &overlap{
			winner:      winner.Origin,
			loser:       loser.Origin,
			rung:        tie.Rung,
			explanation: dialect.Explain(winner, loser),
			aged:        !winner.Age.Created.IsZero() || !loser.Age.Created.IsZero(),
		}
		o.byKey[key] = known
		o.list = append(o.list, known)
	}
	if !slices.Contains(known.hosts, host.Hostname) {
		known.hosts = append(known.hosts, host.Hostname)
	}
}

func (o *overlaps) diagnostics() diagnostic.List {
	var list diagnostic.List
	for _, overlap := range o.list {
		list = append(list, overlap.diagnostic())
	}
	return list
}

// diagnostic says what a reader of the loser should know: it looks alive, and the cluster reports it as accepted.
func (o *overlap) diagnostic() diagnostic.Diagnostic {
	d := diagnostic.Diagnostic{
		Code:     diagnostic.Duplicate,
		Severity: diagnostic.Warning,
		Object:   objectOf(o.loser),
		Field:    fmt.Sprintf("spec.rules[%d].matches[%d]", o.loser.Rule, o.loser.Match),
		Position: diagnostic.Position{File: o.loser.File, Line: o.loser.Line},
		Message: fmt.Sprintf("no request for %s gets here: rule %d of %s has the same match and comes first by %s (%s)",
			hostList(o.hosts), o.winner.Rule+1, objectOf(o.winner), o.explanation.Rung, o.explanation.Detail),
	}
	switch {
	case o.rung.IsAge():
		d.Code = diagnostic.DecidedByAge
		d.Hint = "only the age decides: a cluster that is rebuilt gives all routes new ages, which can reverse it"
	case o.rung.IsName() && o.aged:
		d.Code = diagnostic.DecidedByName
		d.Hint = "only the name decides, as both routes have one age"
	case o.rung.IsName():
		d.Code = diagnostic.DecidedByName
		d.Hint = "only the name decides, as no age is known: in a cluster the older route wins, which can be the other one"
	}
	return d
}

// addConditions writes the condition RouteRulesOverlap for both routes of each overlap of two routes.
func (o *overlaps) addConditions(status *Status) {
	messages := map[diagnostic.Object][]string{}
	for _, overlap := range o.list {
		winner, loser := objectOf(overlap.winner), objectOf(overlap.loser)
		if winner == loser {
			continue
		}
		text := fmt.Sprintf("rule %d of %s wins over rule %d of %s on %s", overlap.winner.Rule+1, winner, overlap.loser.Rule+1, loser, hostList(overlap.hosts))
		messages[winner] = append(messages[winner], text)
		messages[loser] = append(messages[loser], text)
	}
	status.AddOverlaps(o.gateway, func(kind string, route model.Name) string {
		return listed(messages[diagnostic.Object{Kind: kind, Namespace: route.Namespace, Name: route.Name}], maxListed)
	})
}

func objectOf(o model.Origin) diagnostic.Object {
	return diagnostic.Object{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name.Name}
}

// maxListed bounds what one message lists.
const maxListed = 5

func hostList(hosts []string) string {
	words := make([]string, len(hosts))
	for i, host := range hosts {
		words[i] = host
		if host == "*" {
			words[i] = "any other host"
		}
	}
	return listed(words, maxListed)
}

// listed joins the first few of a list and counts the rest.
func listed(items []string, limit int) string {
	if len(items) <= limit {
		return strings.Join(items, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(items[:limit], ", "), len(items)-limit)
}
