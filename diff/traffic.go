package diff

import (
	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
)

// Kinds of traffic of which nothing is read.
const (
	connectionTraffic = "connections"
	datagramTraffic   = "datagrams"
)

// passesOn tells whether every side passes on what comes.
func (p pair) passesOn() bool {
	return (p.before == nil || p.before.PassesOn) && (p.after == nil || p.after.PassesOn)
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
