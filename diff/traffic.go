package diff

import (
	"fmt"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// Kinds of traffic of which nothing is read.
const (
	connectionTraffic = "connections"
	datagramTraffic   = "datagrams"
)

// passesOn tells whether every side passes on what comes.
func (p pair) passesOn() bool {
	return (p.before == nil || p.before.PassesOn()) && (p.after == nil || p.after.PassesOn())
}

// nameTraffic says of a class what it is about where there are no requests: connections, of the server names that lead here, or datagrams.
func (p pair) nameTraffic(k *report.Class) {
	if !p.passesOn() {
		return
	}
	k.Traffic = connectionTraffic
	switch {
	case p.table().UDP:
		k.Traffic = datagramTraffic
	case p.tls && len(k.Areas) > 0:
		k.Areas = []report.Area{{Hosts: nameTerms(p), Paths: class.Terms{Include: []class.Term{{Kind: class.TermAny}}}}}
	}
}

// read says how what comes is read, or passed on.
func read(t *table.Table) string {
	switch t.Passes {
	case "":
		return "read as HTTP"
	case table.PassedTLS:
		return "passed on as it is"
	case table.PassedDecrypted:
		return "decrypted and passed on"
	}
	return "passed on unread"
}

// readingChange reports connections that the sides read, or pass on, in two ways: all that comes over them changes. It is one class,
// whatever the requests are: there is nothing to compare them with.
func (c *gatewayComparison) readingChange(p pair) {
	did, does := read(p.before), read(p.after)
	k := report.Class{
		Gateways: []string{c.gateway.name},
		Traffic:  connectionTraffic,
		Areas:    []report.Area{{Hosts: nameTerms(p), Paths: class.Terms{Include: []class.Term{{Kind: class.TermAny}}}}},
		Before:   outcomesOf(p.ownHosts(p.before)),
		After:    outcomesOf(p.ownHosts(p.after)),
		Causes: []report.Cause{{
			Edit: "listener changed", Side: string(After), Detail: fmt.Sprintf("%s: what comes is %s instead of %s", p.listener(), does, did),
		}},
	}
	k.Listener = p.label(k.Areas)
	if k.Severity = severity(k.Before, k.After); k.Severity == report.Treated {
		k.Before[0].Treatment = []table.Treatment{{Name: "connections", Value: did}}
		k.After[0].Treatment = []table.Treatment{{Name: "connections", Value: does}}
	}
	c.found = append(c.found, found{class: k, trace: ClassTrace{Edits: []EditTrace{{Chain: p.chainAt(After)}}}})
}
