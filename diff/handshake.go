package diff

import (
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// handshakes reports connections that are answered with other certificates, or whose clients are asked for others. It is one class for
// all server names of a listener that change in one way: no request is known yet when it matters.
func (c *gatewayComparison) handshakes(pairs []pair) {
	var changes []found
	at := map[string]int{}
	for _, p := range pairs {
		if p.before == nil || p.after == nil {
			continue
		}
		was, is := handshake(p.before, p.after)
		if len(was)+len(is) == 0 {
			continue
		}
		one := c.handshakeClass(p, was, is)
		key := report.Digest(p.listener(), one.class.Before, one.class.After)
		if first, seen := at[key]; seen {
			area := &changes[first].class.Areas[0]
			area.Hosts.Include = mergeTerms(area.Hosts.Include, one.class.Areas[0].Hosts.Include)
			continue
		}
		at[key] = len(changes)
		changes = append(changes, one)
	}
	c.found = append(c.found, changes...)
}

// handshake is what differs between the ends of a connection on the two sides.
func handshake(before, after *table.Table) (was, is []table.Treatment) {
	note := func(name, old, now string) {
		if old != now && old != "" {
			was = append(was, table.Treatment{Name: name, Value: old})
		}
		if old != now && now != "" {
			is = append(is, table.Treatment{Name: name, Value: now})
		}
	}
	names := func(t *table.Table) string { return strings.Join(slices.Sorted(slices.Values(t.Certificates)), ", ") }
	note("certificate", names(before), names(after))
	note("client certificate", before.ClientCertificate, after.ClientCertificate)
	return was, is
}

func (c *gatewayComparison) handshakeClass(p pair, was, is []table.Treatment) found {
	k := report.Class{
		Gateways: []string{c.gateway.name},
		Listener: p.listener(),
		Severity: report.Served,
		Areas:    []report.Area{{Hosts: nameTerms(p), Paths: class.Terms{Include: []class.Term{{Kind: class.TermAny}}}}},
		Before:   []table.Outcome{{Treatment: was}},
		After:    []table.Outcome{{Treatment: is}},
		Causes:   []report.Cause{{Edit: "listener changed", Side: string(After), Detail: p.listener()}},
	}
	if p.nameTraffic(&k); p.before.Passes != p.after.Passes {
		k.Traffic = connectionTraffic
		return found{class: k, trace: ClassTrace{Edits: []EditTrace{{Chain: p.chainAt(After)}}}}
	}
	every := func(table.Outcome) bool { return true }
	if request := c.examples(p.after).request(p, c.examples(p.after).with(every), every); request != nil {
		k.Witnesses = p.unknownClient(*request)
	}
	return found{class: k, trace: ClassTrace{Edits: []EditTrace{{Chain: p.chainAt(After)}}}}
}

// unknownClient is a request by a client that shows no certificate. It is no witness where neither side lets it in: which certificates are
// taken is not for a command to say.
func (p pair) unknownClient(r table.Request) []report.Witness {
	if p.asksForCertificate(p.before) && p.asksForCertificate(p.after) {
		return nil
	}
	answer := func(t *table.Table) table.Outcome {
		if p.asksForCertificate(t) {
			return table.Outcome{Kind: report.NotServed}
		}
		return t.Evaluate(r).Outcome
	}
	found := p.witnesses(r, nil, answer(p.before), answer(p.after))
	for i := range found {
		found[i].Curl = strings.Replace(found[i].Curl, " --cert "+report.ClientFile, "", 1)
	}
	return found
}

// asksForCertificate tells whether a side lets nobody in who shows no certificate.
func (p pair) asksForCertificate(t *table.Table) bool {
	return t != nil && strings.HasPrefix(t.ClientCertificate, table.Required)
}

// mergeTerms adds terms that are not there. Any name is all of them.
func mergeTerms(terms, more []class.Term) []class.Term {
	for _, t := range more {
		if t.Kind == class.TermAny {
			return []class.Term{t}
		}
		if !slices.Contains(terms, t) && !slices.ContainsFunc(terms, func(t class.Term) bool { return t.Kind == class.TermAny }) {
			terms = append(terms, t)
		}
	}
	return terms
}

// nameTerms are the server names of a pair as hosts.
func nameTerms(p pair) class.Terms {
	var terms class.Terms
	for _, name := range p.names {
		if name == "" {
			return class.Terms{Include: []class.Term{{Kind: class.TermAny}}}
		}
		terms.Include = append(terms.Include, domainTerm(name))
	}
	return terms
}
