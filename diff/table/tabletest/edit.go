package tabletest

import (
	"math/rand/v2"
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// Clone is a copy that shares nothing with the table that could be changed.
func Clone(t *table.Table) *table.Table {
	copied := *t
	copied.Hosts = slices.Clone(t.Hosts)
	for h := range copied.Hosts {
		host := &copied.Hosts[h]
		host.Domains = slices.Clone(host.Domains)
		host.Rules = slices.Clone(host.Rules)
		for i := range host.Rules {
			host.Rules[i].Predicates = slices.Clone(host.Rules[i].Predicates)
			host.Rules[i].Derived = slices.Clone(host.Rules[i].Derived)
		}
	}
	return &copied
}

// Edit returns a changed copy of a table, sealed: one to four edits as people make them.
func Edit(r *rand.Rand, t *table.Table) *table.Table { return EditWide(r, t, Dimensions{}) }

// EditWide is Edit with more kinds of conditions.
func EditWide(r *rand.Rand, t *table.Table, more Dimensions) *table.Table {
	edited := Clone(t)
	for range 1 + r.IntN(4) {
		editOnce(r, edited, more)
	}
	number(edited)
	return edited
}

func editOnce(r *rand.Rand, t *table.Table, more Dimensions) {
	if chance(r, 8) || len(t.Hosts) == 0 {
		editHosts(r, t, more)
		return
	}
	host := &t.Hosts[r.IntN(len(t.Hosts))]
	if len(host.Rules) == 0 {
		host.Rules = append(host.Rules, RandomWideRule(r, t.Options, more))
		return
	}
	at := r.IntN(len(host.Rules))
	rule := &host.Rules[at]
	switch r.IntN(8) {
	case 0, 1:
		host.Rules = slices.Insert(host.Rules, at, RandomWideRule(r, t.Options, more))
	case 2:
		host.Rules = slices.Delete(host.Rules, at, at+1)
	case 3:
		rule.Outcome = more.outcome(r)
	case 4:
		if !rule.Connect {
			rule.Path = randomPath(r)
		}
	case 5:
		editConditions(r, t.Options, more, rule)
	case 6:
		moved := *rule
		host.Rules = slices.Delete(host.Rules, at, at+1)
		host.Rules = slices.Insert(host.Rules, r.IntN(len(host.Rules)+1), moved)
	case 7:
		splitRule(host, at)
	}
}

func editConditions(r *rand.Rand, options table.Options, more Dimensions, rule *table.Rule) {
	if more.Chances && chance(r, 3) {
		rule.Chance = more.chance(r)
		return
	}
	if more.Derived && chance(r, 10) {
		rule.Derived = nil
		addDerived(rule, randomDerived(r))
		return
	}
	if len(rule.Predicates) > 0 && !rule.Connect && chance(r, 2) {
		at := r.IntN(len(rule.Predicates))
		rule.Predicates = slices.Delete(rule.Predicates, at, at+1)
		return
	}
	addPredicate(rule, more.predicate(r, options))
}

// splitRule puts an exact rule in front of one on segment borders: it changes no request.
func splitRule(host *table.Host, at int) {
	exact := host.Rules[at]
	if exact.Path.Kind == table.PathSegments {
		exact.Path.Kind = table.PathExact
		exact.Predicates, exact.Derived = slices.Clone(exact.Predicates), slices.Clone(exact.Derived) // a later edit of one rule leaves the other as it is
		host.Rules = slices.Insert(host.Rules, at, exact)
	}
}

// editHosts adds a virtual host, removes one, or moves a domain.
func editHosts(r *rand.Rand, t *table.Table, more Dimensions) {
	free := slices.DeleteFunc(slices.Clone(domainPool), func(domain string) bool {
		return slices.ContainsFunc(t.Hosts, func(h table.Host) bool { return slices.Contains(h.Domains, domain) })
	})
	switch {
	case len(free) > 0 && chance(r, 2):
		t.Hosts = append(t.Hosts, randomHost(r, t.Options, more, []string{pick(r, free...)}))
	case len(t.Hosts) > 1:
		at := r.IntN(len(t.Hosts))
		domains := t.Hosts[at].Domains
		t.Hosts = slices.Delete(t.Hosts, at, at+1)
		if chance(r, 2) {
			host := &t.Hosts[r.IntN(len(t.Hosts))]
			host.Domains = append(host.Domains, domains...)
		}
	}
}
