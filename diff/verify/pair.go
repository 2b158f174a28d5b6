package verify

import (
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/diff/table"
)

// pair is a virtual host before and one after, for hosts that are in the same areas.
type pair struct {
	*place
	group    hostGroup
	rules    [2][]table.Rule
	kept     [2][]bool
	outcomes map[string]*outcome
	// paths of this pair, and what its literals and tests decide.
	paths *paths
	lists [2][]rule
	areas []area
	// variables of the conditions of this pair.
	variables *variables
}

// checkKept holds the common subsequence to what it has to be: the same rules in the same order.
//
// If u wins a request before and v after, both of it, then u = v: were v behind u, u would stand ahead of v after the
// change as well and match, so v could not win, and the other way round. So each request that changes is won by
// an edited rule, one outside of the subsequence, on at least one side; with rules that take a share of the requests only, this
// holds for each number that Envoy may draw. Paths that no edited rule matches need no look.
func checkKept(rules [2][]table.Rule, runs []certificate.Run) (kept [2][]bool, err error) {
	kept[0], kept[1] = make([]bool, len(rules[0])), make([]bool, len(rules[1]))
	keyOf := table.KeyBetween(rules[0], rules[1])
	b, a := 0, 0
	for _, run := range runs {
		if run.Before < b || run.After < a || run.Length < 1 || run.Length > len(rules[0])-run.Before || run.Length > len(rules[1])-run.After {
			return kept, fmt.Errorf("the kept rules %v are in no order or not there", run)
		}
		for i := range run.Length {
			if keyOf(&rules[0][run.Before+i]) != keyOf(&rules[1][run.After+i]) {
				return kept, fmt.Errorf("rule %d before and rule %d after are not the same", run.Before+i, run.After+i)
			}
			kept[0][run.Before+i], kept[1][run.After+i] = true, true
		}
		b, a = run.Before+run.Length, run.After+run.Length
	}
	return kept, nil
}

// check checks the claims about the requests of a group of hosts.
func (p *place) checkGroup(g hostGroup) error {
	one := &pair{place: p, group: g, outcomes: map[string]*outcome{}, paths: newPaths(), variables: newVariables(p.options)}
	for side := range one.rules {
		if g.host[side] >= 0 {
			one.rules[side] = p.tables[side].Hosts[g.host[side]].Rules
		}
	}
	runs, listed := p.kept[g.host]
	if !listed && g.host != [2]int{-1, -1} {
		p.wrong(fmt.Sprintf("hosts such as %s: the pair of virtual hosts %s is not in the certificate", g.witness, p.hostNames(g.host)))
		return nil
	}
	var err error
	if one.kept, err = checkKept(one.rules, runs); err != nil {
		p.wrong(fmt.Sprintf("virtual hosts %s: %v", p.hostNames(g.host), err))
		return nil
	}
	if err := one.prepare(); err != nil {
		return err
	}
	return one.decide()
}

// prepare chooses the rules and areas that can matter, and reads them. A path begins with the text with which its matchers
// begin, so rules of which no beginning fits one that is wanted match no wanted path.
func (p *pair) prepare() error {
	wanted := newBeginnings()
	for side := range p.rules {
		for i := range p.rules[side] {
			if !p.kept[side][i] {
				wanted.add(start(p.rules[side][i].Path))
			}
		}
	}
	for i, in := range p.group.in {
		if in && p.place.areas[i].class >= 0 {
			for _, term := range p.place.areas[i].area.Paths.Include {
				path, err := pathOf(term)
				if err != nil {
					return err
				}
				wanted.add(start(path))
			}
		}
	}
	wanted.sort()
	for side := range p.rules {
		for i := range p.rules[side] {
			source := &p.rules[side][i]
			if never(source) || !wanted.fit(start(source.Path)) {
				continue
			}
			r := p.paths.read(p.variables, i, source, !p.kept[side][i])
			p.lists[side] = append(p.lists[side], r)
			if r.edited {
				p.paths.want(r.path)
			}
		}
	}
	for i, in := range p.group.in {
		if !in {
			continue
		}
		a, err := p.paths.readArea(p.variables, p.place.areas[i].class, p.place.areas[i].area)
		if err != nil {
			return fmt.Errorf("reading an area: %w", err)
		}
		p.areas = append(p.areas, a)
		for _, t := range a.include {
			if a.class >= 0 {
				p.paths.want(t)
			}
		}
	}
	return p.variables.close(p.budget)
}

// never tells of a rule with a chance of nothing.
func never(r *table.Rule) bool { return r.Chance != nil && r.Chance.Numerator == 0 }

// decide goes through the sets of paths that the rules and areas tell apart.
func (p *pair) decide() error {
	if p.nothingToDo() {
		return nil
	}
	q := p.paths.question
	q.language, q.budget = p.language, p.budget
	if p.wantsAll() {
		q.wantedLiterals, q.wantedTests = nil, nil
	}
	answers, err := q.run()
	if err != nil {
		return err
	}
	known := map[string]bool{}
	uses := p.usesByTest()
	for _, a := range answers {
		s, key := p.situationOf(a, uses)
		if known[key] {
			continue
		}
		known[key] = true
		if !s.mayChange() {
			continue
		}
		if err := s.decide(make(knowledge, len(p.variables.list))); err != nil {
			return err
		}
	}
	return nil
}

func (p *pair) nothingToDo() bool {
	for side := range p.lists {
		for i := range p.lists[side] {
			if p.lists[side][i].edited {
				return false
			}
		}
	}
	for i := range p.areas {
		if p.areas[i].class >= 0 {
			return false
		}
	}
	return true
}

// wantsAll tells whether an edited rule, or an area of a class, takes paths of any kind.
func (p *pair) wantsAll() bool {
	for side := range p.lists {
		for i := range p.lists[side] {
			if r := &p.lists[side][i]; r.edited && r.path.kind == anyPath {
				return true
			}
		}
	}
	for i := range p.areas {
		for _, t := range p.areas[i].include {
			if p.areas[i].class >= 0 && t.kind == anyPath {
				return true
			}
		}
	}
	return false
}

// usesByTest are the rules of each side that a literal or test decides.
func (p *pair) usesByTest() [2]map[pathTest][]*rule {
	var out [2]map[pathTest][]*rule
	for side := range p.lists {
		out[side] = map[pathTest][]*rule{}
		for i := range p.lists[side] {
			r := &p.lists[side][i]
			out[side][r.path] = append(out[side][r.path], r)
		}
	}
	return out
}

func (p *place) hostNames(host [2]int) string {
	names := make([]string, 2)
	for side, i := range host {
		names[side] = "(none)"
		if i >= 0 {
			names[side] = p.tables[side].Hosts[i].Name
		}
	}
	return strings.Join(names, " and ")
}
