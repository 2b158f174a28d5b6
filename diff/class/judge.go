package class

import (
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

// judgement is what the evaluator of a side says about one request.
type judgement struct {
	table.Decision
	evaluator *table.Evaluator
	arrived   table.Arrived
	// rules are the rules that may match the request's path, with their places in the table.
	rules []table.Rule
	refs  []RuleRef
}

// judge puts a request to the evaluator, with the table cut down to what can matter: the domains, and of the pair's virtual
// host the rules whose literal begins the path. Preparing a large table as a whole would cost more than everything else.
func (c *comparison) judge(s side, p *hostPair, r table.Request) judgement {
	full := c.tables[s]
	small := &table.Table{Scope: full.Scope, Routes: full.Routes, Options: full.Options, Hosts: make([]table.Host, len(full.Hosts))}
	for i, h := range full.Hosts {
		small.Hosts[i] = table.Host{Name: h.Name, Domains: h.Domains}
	}
	probe := table.Compile(&table.Table{Options: full.Options})
	j := judgement{}
	var ok bool
	if j.arrived, ok = probe.Arrive(r); ok && p.host[s] >= 0 {
		rules := full.Hosts[p.host[s]].Rules
		for i, text := range c.literalsOf(s, p) {
			if strings.HasPrefix(j.arrived.Path(), text) {
				j.rules = append(j.rules, rules[i])
				j.refs = append(j.refs, RuleRef{p.host[s], i})
			}
		}
		small.Hosts[p.host[s]].Rules = j.rules
	}
	j.evaluator = table.Compile(small)
	j.Decision = j.evaluator.Evaluate(r)
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
