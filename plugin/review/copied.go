package review

import (
	"fmt"

	"github.com/routedelta/routedelta/diff/check"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// routeName is a route object.
type routeName struct {
	kind string
	name model.Name
}

func routeOf(r *model.Rule) routeName { return routeName{r.Origin.Kind, r.Origin.Name} }

// copied finds the routes of which every rule, on every host, has the match of a rule of one other route, which wins and does
// something else: a copy made to try another backend, that gets no request.
func (w checkWords) copied(found []check.Finding) diagnostic.List {
	lost := map[routeName]map[routeName]int{}
	first := map[routeName]check.Place{}
	for i := range found {
		f := &found[i]
		if f.Kind != check.Identical || f.SameOutcome {
			continue
		}
		loser, winner := w.at(f.Places[0]), w.at(f.Others[0])
		if loser == nil || winner == nil || routeOf(loser) == routeOf(winner) {
			continue
		}
		name := routeOf(loser)
		if lost[name] == nil {
			lost[name], first[name] = map[routeName]int{}, f.Places[0]
		}
		lost[name][routeOf(winner)] += len(f.Places)
	}
	rules := w.rulesOfRoutes()
	var list diagnostic.List
	for name, winners := range lost {
		for winner, n := range winners {
			if n != rules[name] {
				continue
			}
			d := w.place(first[name])
			d.Code, d.Severity, d.Field = diagnostic.CopiedRoute, diagnostic.Warning, ""
			d.Message = fmt.Sprintf("this route gets no request: every match of it stands in %s %s too, which wins and sends them elsewhere", winner.kind, winner.name)
			d.Hint = "routes with equal matches do not share traffic: put both backends into one rule with weights, or give the copy one more condition"
			list = append(list, d)
		}
	}
	return list.Sort()
}

// rulesOfRoutes counts the places in which the rules of each route stand.
func (w checkWords) rulesOfRoutes() map[routeName]int {
	counts := map[routeName]int{}
	if w.later.rendering == nil {
		return counts
	}
	for _, gateway := range w.later.rendering.Gateways {
		for _, listener := range gateway.Model.Listeners {
			for _, chain := range listener.Chains {
				for _, host := range chain.Routes.Hosts {
					for i := range host.Rules {
						counts[routeOf(&host.Rules[i])]++
					}
				}
			}
		}
	}
	return counts
}
