package review

import (
	"fmt"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/check"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/precedence"
)

// crossed is one rule with the rules ahead of it that it crosses, all for the same reason: who wins is stated by the routes, or
// decided by age or name.
type crossed struct {
	// first is the pair that is said in full.
	first *check.Finding
	rung  string
	// rest are the names of the other winners.
	rest []string
	more int
}

// crossingKey puts pairs of one losing rule together.
type crossingKey struct {
	loser check.Place
	code  diagnostic.Code
}

// crossings says of each rule which others take what both match: a rule with four headers would be four findings otherwise.
func (w checkWords) crossings(found []check.Finding) diagnostic.List {
	byLoser := map[crossingKey]*crossed{}
	var order []crossingKey
	for i := range found {
		f := &found[i]
		if f.Kind != check.Crossing {
			continue
		}
		code, rung := w.decidedBy(f.Others[0], f.Places[0])
		key := crossingKey{f.Places[0], code}
		c := byLoser[key]
		if c == nil {
			c = &crossed{first: f, rung: rung}
			byLoser[key] = c
			order = append(order, key)
		} else {
			c.rest = append(c.rest, w.name(f.Others[0])+" ("+match(f.Others[0].Get())+")")
		}
		c.more += f.More
	}
	var list diagnostic.List
	for _, key := range order {
		list = append(list, w.crossing(key.code, byLoser[key]))
	}
	return list
}

// decidedBy tells on which rung of the ladder the first of two rules is ahead.
func (w checkWords) decidedBy(first, second check.Place) (code diagnostic.Code, rung string) {
	one, other := w.at(first), w.at(second)
	dialect, err := precedence.Find(w.order())
	if err != nil || one == nil || other == nil {
		return diagnostic.CrossingRules, "" // Envoy files have an order, and no reason for it
	}
	explained := dialect.Explain(one, other)
	rung = fmt.Sprintf(", which comes first by %s (%s)", explained.Rung, explained.Detail)
	if _, decisive := dialect.Compare(one, other); decisive.IsAge() || decisive.IsName() {
		return diagnostic.CrossingByAge, rung
	}
	return diagnostic.CrossingRules, rung
}

// crossing says who wins what both match, and on which rung.
func (w checkWords) crossing(code diagnostic.Code, c *crossed) diagnostic.Diagnostic {
	f := c.first
	d := w.place(f.Places[0])
	d.Code, d.Severity = code, diagnostic.Info
	if code == diagnostic.CrossingByAge {
		d.Severity = diagnostic.Warning
		d.Hint = "a cluster that is rebuilt gives all routes new ages, which can reverse it: add a rule with the conditions of both"
	}
	example := "for example: "
	if len(f.Request.Holds) > 0 {
		example = fmt.Sprintf("for example, where %s holds: ", diagnostic.Clip(f.Request.Holds[0]))
	}
	rest := ""
	if len(c.rest) > 0 {
		rest = "; it shares requests in the same way with " + listed(c.rest)
	}
	d.Message = fmt.Sprintf("what both %s and %s (%s) match%s goes to the latter%s%s%s; %s%s",
		w.self(f), w.name(f.Others[0]), match(f.Others[0].Get()), w.hosts(f), c.rung, rest,
		more(c.more, "pair like this", "pairs like this"), example, diff.CurlCommand(f.Places[0].Table, *f.Request))
	return d
}

func (w checkWords) order() string {
	if w.later.rendering == nil {
		return ""
	}
	return w.later.rendering.Dialect
}
