package class

import (
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

const (
	connectReason = "not modelled: connect_matcher"
	connectMethod = "CONNECT"
)

// undecideConnect leaves CONNECT requests undecided where the rules for them differ, or the hosts that have such rules. They have
// no path, and no other rule takes one (table.Rule.Connect), so no class speaks of them. Options of a virtual host, which stand in a
// table as rules with an Index below 0, count as such rules.
func (c *comparison) undecideConnect() {
	before, after := connectRules(c.tables[beforeSide]), connectRules(c.tables[afterSide])
	if slices.Equal(before, after) {
		return
	}
	for i, e := range c.result.Edits {
		if c.isConnect(beforeSide, e.Before) || c.isConnect(afterSide, e.After) {
			c.unsure[c.result.Edits[i].group] = true
		}
	}
	anything := Terms{Include: []Term{{Kind: TermAny}}}
	connect := table.Predicate{Source: table.Method, Test: table.Exact, Value: connectMethod}
	c.result.Undecided = append(c.result.Undecided, Undecided{
		Area:     Area{Hosts: anything, Paths: anything, Conditions: []Condition{{Predicate: connect}}},
		Reason:   connectReason,
		contains: func(r table.Request) bool { return r.Method == connect.Value },
	})
}

// connectRules are what decides about CONNECT requests: a text for the domains and such rules of each host. There is none where no
// host has such a rule.
func connectRules(t *table.Table) []string {
	var hosts []string
	found := false
	for h := range t.Hosts {
		domains := slices.Clone(t.Hosts[h].Domains)
		slices.Sort(domains)
		text := strings.Join(domains, " ")
		var rules []table.Rule
		for i := range t.Hosts[h].Rules {
			if rule := &t.Hosts[h].Rules[i]; rule.Connect || rule.Index < 0 {
				rules = append(rules, *rule)
			}
		}
		keyOf := table.KeyBetween(rules, nil)
		for i := range rules {
			text += " " + keyOf(&rules[i])
			found = true
		}
		hosts = append(hosts, text)
	}
	if !found {
		return nil
	}
	slices.Sort(hosts)
	return hosts
}

func (c *comparison) isConnect(s side, ref *RuleRef) bool {
	return ref != nil && ref.Rule >= 0 && c.tables[s].Hosts[ref.Host].Rules[ref.Rule].Connect
}
