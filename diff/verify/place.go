package verify

import (
	"encoding/json"
	"fmt"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/diff/table"
)

// place is a pair of tables with the claims about them.
type place struct {
	*check
	label   string
	tables  [2]*table.Table
	options table.Options
	// kept are the claimed common subsequences, by the indexes of the virtual hosts.
	kept    map[[2]int][]certificate.Run
	classes []*claim
	areas   []claimedArea
	// language of the paths that matchers see.
	language   *automaton.DFA
	evaluators [2]*table.Evaluator
}

// claim is what a class says, and whether a request of it was met.
type claim struct {
	facet    string
	outcomes [2]map[string]bool
	more     bool
	met      bool
}

// claimedArea is an area of a class, or with class -1 a region of which nothing is claimed.
type claimedArea struct {
	class int
	area  certificate.Area
}

// checkPlace checks the claims about one place with tables on both sides.
func (c *check) checkPlace(label string, before, after *table.Table, claimed *certificate.Place) error {
	p := &place{check: c, label: label, tables: [2]*table.Table{before, after}, options: after.Options}
	if p.leavesOut(claimed) {
		return nil
	}
	if before.Passes != after.Passes {
		if len(claimed.Classes)+len(claimed.Undecided) > 0 {
			p.wrong("the sides read, or pass on, what comes in two ways, but the certificate has classes of requests")
		}
		return nil // all of it changes
	}
	if claimed.Options == nil || !sameForm(claimed.Options, certificate.OptionsOf(before.Options)) && !sameForm(claimed.Options, certificate.OptionsOf(after.Options)) {
		p.wrong("the options of the certificate are not those of the tables")
		return nil
	}
	if !before.Options.Equal(after.Options) {
		p.open("the options that decide what reaches the router differ")
		return nil
	}
	if before.Digest() == after.Digest() {
		p.equal(claimed)
		return nil
	}
	if len(p.options.Unmodelled) > 0 {
		p.open("not modelled: " + p.options.Unmodelled[0])
		return nil
	}
	return p.checkRequests(claimed)
}

// leavesOut tells whether the certificate claims nothing at all about the place.
func (p *place) leavesOut(claimed *certificate.Place) bool {
	for _, u := range claimed.Undecided {
		anything := func(t certificate.Terms) bool {
			return len(t.Include) == 1 && t.Include[0].Kind == "any" && len(t.Within)+len(t.Exclude) == 0
		}
		if len(claimed.Classes) == 0 && anything(u.Area.Hosts) && anything(u.Area.Paths) && len(u.Area.Conditions)+len(u.Area.Except) == 0 {
			return true
		}
	}
	return false
}

// equal: tables of the same rules answer alike, whatever is known of their matchers.
func (p *place) equal(claimed *certificate.Place) {
	if len(claimed.Classes) > 0 {
		p.wrong("the tables are the same, but the certificate has classes")
	}
}

// checkRequests checks the claims about all requests to the place.
func (p *place) checkRequests(claimed *certificate.Place) error {
	p.read(claimed)
	p.evaluators = [2]*table.Evaluator{table.Compile(p.tables[0]), table.Compile(p.tables[1])}
	var err error
	if p.language, err = pathLanguage(p.options); err != nil {
		return err
	}
	groups, err := hostGroups(p)
	if err != nil {
		return fmt.Errorf("dividing the hosts: %w", err)
	}
	for _, g := range groups {
		if err := p.checkGroup(g); err != nil {
			return fmt.Errorf("hosts such as %s: %w", g.witness, err)
		}
		p.result.Groups++
	}
	for i := range p.classes {
		if !p.classes[i].met {
			p.wrong(fmt.Sprintf("class %d has no request", i+1))
		}
		p.checkWitness(i, &claimed.Classes[i])
	}
	return nil
}

// read reads the claims.
func (p *place) read(claimed *certificate.Place) {
	p.kept = map[[2]int][]certificate.Run{}
	for _, pair := range claimed.Pairs {
		p.kept[[2]int{pair.Before, pair.After}] = pair.Kept
	}
	for i, c := range claimed.Classes {
		one := &claim{facet: c.Facet, more: c.More}
		for side, list := range [2][]table.Outcome{c.Before, c.After} {
			one.outcomes[side] = map[string]bool{}
			for _, o := range list {
				one.outcomes[side][printed(o)] = true
			}
		}
		p.classes = append(p.classes, one)
		for _, a := range c.Areas {
			p.areas = append(p.areas, claimedArea{i, a})
		}
	}
	for _, u := range claimed.Undecided {
		p.areas = append(p.areas, claimedArea{-1, u.Area})
	}
}

// checkWitness puts the example of a class to both tables.
func (p *place) checkWitness(class int, c *certificate.Class) {
	request := c.Witness.Table()
	was, is := p.evaluators[0].Evaluate(request), p.evaluators[1].Evaluate(request)
	if len(c.Before) == 0 || len(c.After) == 0 || was.Undecided != "" || is.Undecided != "" ||
		printed(was.Outcome) != printed(c.Before[0]) || printed(is.Outcome) != printed(c.After[0]) {
		p.wrong(fmt.Sprintf("class %d: its example does not get the outcomes that the class names", class+1))
	}
}

// printed identifies an outcome by what a certificate holds of it. No route and an answer of 404 have one key, so the key is
// compared, not the text.
func printed(o table.Outcome) string {
	text, err := json.Marshal(o)
	if err != nil {
		return "" // no outcome holds what JSON cannot write
	}
	var read table.Outcome
	if err := json.Unmarshal(text, &read); err != nil {
		return ""
	}
	return read.Key()
}

func sameForm(a, b *certificate.Options) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// wrong notes a claim that is not true, open one that could not be checked.
func (p *place) wrong(what string) { p.note(&p.result.Wrong, Finding{Place: p.label, What: what}) }

func (p *place) open(what string) { p.note(&p.result.Open, Finding{Place: p.label, What: what}) }
