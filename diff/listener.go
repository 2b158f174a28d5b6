package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// listenerChange reports connections that only one side takes: a port, a server name or a protocol that appears or goes; or
// requests of a scope that only one side has, which find no route on the other. It is one class, whatever the table of the other
// side holds: its requests have no route to compare with.
func (c *gatewayComparison) listenerChange(p pair) {
	t := p.table()
	own := p.ownHosts(t)
	served := outcomesOf(own)
	unserved := []table.Outcome{{Kind: report.NotServed}}
	note := unmatchedNote(p)
	if p.scopeChange() {
		if c.scopeUnsaid(p) {
			return
		}
		unserved = []table.Outcome{{Kind: table.NoRoute}}
		note = "requests that its routes do not match find none on either side"
	}
	k := report.Class{
		Gateways: []string{c.gateway.name},
		Areas:    []report.Area{{Hosts: domainTerms(own), Paths: class.Terms{Include: []class.Term{{Kind: class.TermAny}}}}},
		Before:   served,
		After:    unserved,
		Causes:   []report.Cause{c.listenerCause(p)},
		Note:     note,
	}
	p.nameTraffic(&k)
	k.Listener = p.label(k.Areas)
	if p.before == nil {
		k.Before, k.After = unserved, served
	}
	k.Severity = severity(k.Before, k.After)
	if k.Severity == report.Moves {
		// Errors before and no connection or no route now: no request loses or gains anything but the manner of its failure.
		k.Severity = report.Served
	}
	wanted := func(o table.Outcome) bool { return sameChoice(o, served[0]) }
	if request := c.examples(t).request(p, c.examples(t).with(wanted), wanted); request != nil {
		k.Witnesses = p.witnesses(*request, nil, k.Before[0], k.After[0])
	}
	c.found = append(c.found, found{class: k, trace: ClassTrace{Edits: []EditTrace{{Chain: cmp.Or(p.chainAt(After), p.chainAt(Before))}}}})
}

// unmatchedNote says what becomes of requests over connections that only one side takes which no rule matches: they are in no area of
// the class, and yet they change. Of a request to another host than its connection is for nothing is said.
func unmatchedNote(p pair) string {
	t := p.table()
	names := slices.Clone(p.names)
	for i, name := range names {
		names[i] = cmp.Or(name, "*")
	}
	switch {
	case len(t.Hosts) == 0 || t.PassesOn() || t.TakesAll(names):
		return ""
	case p.before == nil:
		return "requests that no rule matches get 404 there"
	}
	return "requests that no rule matches got 404 there"
}

// scopeChange tells whether the other side takes the connection, and has no such scope of routes.
func (p pair) scopeChange() bool { return p.scope.Key != "" && p.otherScopes }

// scopeUnsaid tells that no class is to be made of a scope that came or went: it has no routes, or it is not known what it does.
func (c *gatewayComparison) scopeUnsaid(p pair) bool {
	t := p.table()
	if len(t.Options.Unmodelled) == 0 {
		return !slices.ContainsFunc(t.Hosts, func(h table.Host) bool { return len(h.Rules) > 0 })
	}
	anything := class.Terms{Include: []class.Term{{Kind: class.TermAny}}}
	result := &class.Result{Undecided: []class.Undecided{{
		Area:   class.Area{Hosts: anything, Paths: anything},
		Reason: fmt.Sprintf("%s is only on one side, and not modelled: %s", p.scopedListener(), t.Options.Unmodelled[0]),
	}}}
	c.accountResult(p, result)
	c.undecidedRegions(p, result)
	return true
}

// listenerCause names the largest thing that appeared or went.
func (c *gatewayComparison) listenerCause(p pair) report.Cause {
	verb, side, other := "removed", Before, c.gateway.after
	if p.before == nil {
		verb, side, other = "added", After, c.gateway.before
	}
	cause := report.Cause{Edit: "listener " + verb, Side: string(side), Detail: p.listener()}
	switch {
	case other == nil:
		cause.Edit, cause.Detail = "gateway "+verb, strconv.Quote(c.gateway.name)
	case p.scopeChange():
		cause.Edit, cause.Detail = "scope "+verb, strconv.Quote(p.scope.Key)
	case p.otherProtocol:
		cause.Edit, cause.Detail = "listener changed", protocolChange(p)
	case p.otherTables > 0:
		cause.Edit, cause.Detail = "server name "+verb, quoteNames(p.names)
	}
	return cause
}

// quoteNames lists server names; the "" of an empty list is any name.
func quoteNames(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(cmp.Or(name, "*"))
	}
	return strings.Join(quoted, ", ")
}

// protocolChange says that a port stays and speaks another protocol.
func protocolChange(p pair) string {
	was, is := "HTTP", "HTTPS"
	if p.tls == (p.after == nil) {
		was, is = is, was
	}
	return fmt.Sprintf("%s speaks %s instead of %s", p.listener(), is, was)
}

// outcomesOf are the outcomes of hosts without their treatment, each once: those that serve first, then the most
// frequent, then by name. Without rules it is 404.
func outcomesOf(hosts []table.Host) []table.Outcome {
	counts := map[string]int{}
	var outcomes []table.Outcome
	for _, host := range hosts {
		for _, rule := range host.Rules {
			bare := withoutTreatment(rule.Outcome)
			key := bare.Key()
			if counts[key] == 0 {
				outcomes = append(outcomes, bare)
			}
			counts[key]++
		}
	}
	slices.SortStableFunc(outcomes, func(a, b table.Outcome) int {
		return cmp.Or(
			compareFlags(failsWhole(a), failsWhole(b)),
			-cmp.Compare(counts[a.Key()], counts[b.Key()]),
			cmp.Compare(a.String(), b.String()),
		)
	})
	if len(outcomes) == 0 {
		return []table.Outcome{{Kind: table.NoRoute}}
	}
	return outcomes
}

func withoutTreatment(o table.Outcome) table.Outcome {
	o.Treatment = nil
	if o.Kind == table.Mixed {
		o.Parts = slices.Clone(o.Parts)
		for i := range o.Parts {
			o.Parts[i].Outcome = withoutTreatment(o.Parts[i].Outcome)
		}
		return o
	}
	o.Backends = o.ByBackend()
	o.Total = 0
	for _, s := range o.Backends {
		o.Total += s.Weight
	}
	return o
}

func sameChoice(a, b table.Outcome) bool {
	return table.SameBackends(withoutTreatment(a), b)
}

// domainTerms are the names of hosts, each once.
func domainTerms(hosts []table.Host) class.Terms {
	var terms class.Terms
	seen := map[string]bool{}
	for _, host := range hosts {
		for _, domain := range host.Domains {
			if !seen[domain] {
				seen[domain] = true
				terms.Include = append(terms.Include, domainTerm(domain))
			}
		}
	}
	if len(terms.Include) == 0 || seen["*"] {
		terms.Include = []class.Term{{Kind: class.TermAny}}
	}
	return terms
}

func domainTerm(domain string) class.Term {
	switch {
	case domain == "*":
		return class.Term{Kind: class.TermAny}
	case strings.HasPrefix(domain, "*"):
		return class.Term{Kind: class.TermSuffix, Value: domain[1:]}
	case strings.HasSuffix(domain, "*"):
		return class.Term{Kind: class.TermPrefix, Value: domain[:len(domain)-1]}
	}
	return class.Term{Kind: class.TermExact, Value: domain}
}
