package class

import (
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

// judgement is what the evaluator of a side says about one request.
type judgement struct {
	table.Decision
	*judge
	arrived table.Arrived
}

// judge is an evaluator of one side, with the table cut down to what can matter for one path: the domains, and of the pair's
// virtual host the rules whose literal begins the path. Preparing a large table as a whole would cost more than everything else.
type judge struct {
	evaluator *table.Evaluator
	pair      *hostPair
	// rules are the rules that may match the path, with their places in the table.
	rules []table.Rule
	refs  []RuleRef
}

// judge puts a request to the evaluator of a side.
func (c *comparison) judge(s side, p *hostPair, r table.Request) judgement {
	probe := table.Compile(&table.Table{Options: c.tables[s].Options})
	arrived, ok := probe.Arrive(r)
	var refs []RuleRef
	if ok && p.host[s] >= 0 {
		for i, text := range p.literals[s] {
			if strings.HasPrefix(arrived.Path(), text) {
				refs = append(refs, RuleRef{p.host[s], i})
			}
		}
	}
	j := c.judgeOf(s, p, refs)
	return judgement{Decision: j.evaluator.Evaluate(r), judge: j, arrived: arrived}
}

// judgeOf keeps the last judge of each side: many classes may have one path.
func (c *comparison) judgeOf(s side, p *hostPair, refs []RuleRef) *judge {
	if last := c.judges[s]; last != nil && last.pair == p && slices.Equal(last.refs, refs) {
		return last
	}
	full := c.tables[s]
	small := &table.Table{Scope: full.Scope, Routes: full.Routes, Options: full.Options, Hosts: make([]table.Host, len(full.Hosts))}
	for i, h := range full.Hosts {
		small.Hosts[i] = table.Host{Name: h.Name, Domains: h.Domains}
	}
	j := &judge{pair: p, refs: refs}
	for _, ref := range refs {
		j.rules = append(j.rules, full.Hosts[ref.Host].Rules[ref.Rule])
	}
	if p.host[s] >= 0 {
		small.Hosts[p.host[s]].Rules = j.rules
	}
	j.evaluator = table.Compile(small)
	c.judges[s] = j
	return j
}

// winner is the rule that takes the request, nil for no route.
func (j *judgement) winner() *RuleRef {
	if j.Rule < 0 {
		return nil
	}
	return &j.refs[j.Rule]
}

// runnerUp is the next rule behind the winner that matches.
func (j *judgement) runnerUp() *RuleRef {
	if j.Rule < 0 {
		return nil
	}
	for i := j.Rule + 1; i < len(j.rules); i++ {
		if j.evaluator.Matches(&j.rules[i], &j.arrived) {
			return &j.refs[i]
		}
	}
	return nil
}

// matching are the rules that match the request, by their index in the virtual host.
func (j *judgement) matching() map[int]*table.Rule {
	out := map[int]*table.Rule{}
	for i := range j.rules {
		if j.evaluator.Matches(&j.rules[i], &j.arrived) {
			out[j.refs[i].Rule] = &j.rules[i]
		}
	}
	return out
}
