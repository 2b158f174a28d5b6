package class

import (
	"maps"
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// form is a rule of a script that matches one request.
type form struct {
	rule *table.Rule // nil for "no route", which ends every list
	edit int         // -1 for a rule of U
	side side        // on which an edited rule stands
	// outcome is the key of what the rule does, "" where that is not known.
	outcome string
	// partial: a chance lets some of the requests pass on to what stands behind.
	partial bool
}

// explain finds the smallest set of edits that gives a request the outcome that it has after all of them (lemma 5). cause is
// the edit whose rule wins; it comes first in the set where it is in it, and decides between sets of one size.
func (c *comparison) explain(p *hostPair, cause int, before, after *judgement) []int {
	x := explainer{
		forms: c.formsOf(p, before, after), goal: after.Outcome.Key(), cause: cause,
		needed: map[int]bool{}, barred: map[int]bool{},
	}
	x.run()
	if x.best == nil {
		return []int{cause}
	}
	slices.SortFunc(x.best, func(a, b int) int {
		if a == cause || b == cause {
			return int(flag(b == cause)) - int(flag(a == cause))
		}
		return a - b
	})
	return x.best
}

// formsOf lists the rules of a pair that match a request in the order of the script, up to the first that is in every T(S)
// and surely takes the request.
func (c *comparison) formsOf(p *hostPair, before, after *judgement) []form {
	matched := [2]map[int]*table.Rule{before.matching(), after.matching()}
	var out []form
	for _, place := range c.scriptOf(p) {
		for s, k := range place.on {
			if k == nil || k.rest || matched[s][k.ref.Rule] == nil || s == int(afterSide) && k.edit < 0 {
				continue
			}
			f := c.formOf(k)
			out = append(out, f)
			if f.edit < 0 && !f.partial {
				return out
			}
			delete(matched[s], k.ref.Rule)
		}
	}
	return append(out, c.restForms(matched[beforeSide])...)
}

func (c *comparison) formOf(k *candidate) form {
	f := form{rule: k.rule, edit: k.edit, side: k.side, partial: k.rule.Chance != nil && k.doubt == ""}
	if k.doubt == "" {
		f.outcome = k.rule.OutcomeKey()
	}
	return f
}

// restForms are the rules that lemma 2 hides behind the lists, of which left match, and in the end no route.
func (c *comparison) restForms(left map[int]*table.Rule) []form {
	var out []form
	for _, i := range slices.Sorted(maps.Keys(left)) {
		f := c.formOf(&candidate{rule: left[i], edit: -1, doubt: c.doubtOf(left[i])})
		out = append(out, f)
		if !f.partial {
			return out
		}
	}
	return append(out, form{edit: -1, outcome: noRoute.Key()})
}

// explainer walks the forms and keeps the best set so far.
type explainer struct {
	forms []form
	goal  string
	cause int

	needed, barred map[int]bool // by the forms passed
	partial        []form       // passed
	best           []int
}

func (x *explainer) run() {
	for _, f := range x.forms {
		if x.best != nil && len(x.needed) > len(x.best) {
			return // what is needed only grows
		}
		if f.partial {
			x.partial = append(x.partial, f)
			continue
		}
		x.try(f)
		if !x.pass(f) {
			return
		}
	}
}

// pass goes on behind a form; false when no set gives a request to what follows.
func (x *explainer) pass(f form) bool {
	if f.edit < 0 {
		return false
	}
	if f.side == beforeSide {
		x.needed[f.edit] = true
	} else {
		x.barred[f.edit] = true
	}
	return !x.needed[f.edit] || !x.barred[f.edit]
}

// try looks for sets that give the request to f and the goal with it.
func (x *explainer) try(f form) {
	set, barred := maps.Clone(x.needed), maps.Clone(x.barred)
	if f.edit >= 0 && f.side == afterSide {
		set[f.edit] = true
	} else if f.edit >= 0 {
		barred[f.edit] = true
	}
	if f.outcome == "" || set[f.edit] && barred[f.edit] {
		return
	}
	for _, more := range x.free(set, barred) {
		s := maps.Clone(set)
		for _, edit := range more {
			s[edit] = true
		}
		if x.outcome(s, f) == x.goal {
			x.keep(slices.Sorted(maps.Keys(s)))
		}
	}
}

func (x *explainer) keep(set []int) {
	smaller := x.best == nil || len(set) < len(x.best)
	if smaller || len(set) == len(x.best) && slices.Contains(set, x.cause) && !slices.Contains(x.best, x.cause) {
		x.best = set
	}
}

// maxFree bounds the edits of chances of which all combinations are tried.
const maxFree = 6

// free are the choices among the edits of chances that nothing decides.
func (x *explainer) free(set, barred map[int]bool) [][]int {
	var edits []int
	for _, f := range x.partial {
		if f.edit >= 0 && !set[f.edit] && !barred[f.edit] && !slices.Contains(edits, f.edit) {
			edits = append(edits, f.edit)
		}
	}
	if len(edits) > maxFree {
		return [][]int{edits}
	}
	choices := make([][]int, 0, 1<<len(edits))
	for n := range 1 << len(edits) {
		var choice []int
		for i, edit := range edits {
			if n>>i&1 == 1 {
				choice = append(choice, edit)
			}
		}
		choices = append(choices, choice)
	}
	return choices
}

// outcome is what a request gets that passes the chances of a set and then meets f.
func (x *explainer) outcome(set map[int]bool, f form) string {
	var rules []table.Rule
	for _, p := range x.partial {
		if p.edit < 0 || set[p.edit] == (p.side == afterSide) {
			rules = append(rules, *p.rule)
		}
	}
	if len(rules) == 0 {
		return f.outcome
	}
	if f.rule != nil {
		rules = append(rules, *f.rule)
	}
	for i := range rules { // all match
		rules[i].Path, rules[i].Predicates = table.Path{Kind: table.PathPrefix}, nil
	}
	chain := &table.Table{Hosts: []table.Host{{Domains: []string{"*"}, Rules: rules}}}
	return chain.Evaluate(table.Request{Method: "GET", Scheme: "http", Host: "example.com", Path: "/"}).Outcome.Key()
}
