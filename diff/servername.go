package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// A client opens a connection by a server name, and asks for the host of that name over it. Where server names divide a port, a host
// may be asked for that leads elsewhere: over a connection that was opened for another host, because one certificate holds for both.
// What becomes of such a request is a smaller thing than what becomes of others, and no URL alone sends it.

// misleads tells whether hosts may be asked for here that lead to another table of the place.
func (p pair) misleads() bool { return p.tls && p.divided && len(p.listed) > 1 }

// leads tells whether the name of a host leads here.
func (p pair) leads(host string) bool {
	if !p.misleads() {
		return true
	}
	return slices.Contains(p.names, listedCell(strings.ToLower(host), p.listed))
}

// listedCell is the listed name that decides about a server name: itself, else the longest wildcard above it, else "".
func listedCell(name string, listed []string) string {
	for {
		if _, found := slices.BinarySearch(listed, name); found {
			return name
		}
		_, rest, more := strings.Cut(strings.TrimPrefix(name, "*."), ".")
		if !more {
			return ""
		}
		name = "*." + rest
	}
}

// hosts are names within hosts or domains that lead here, a few of infinitely many; none if none does.
func (p pair) hosts(in class.Terms) []string {
	var found []string
	try := func(host string) {
		if p.leads(host) && holdsHost(in, host) && !slices.Contains(found, host) {
			found = append(found, host)
		}
	}
	for _, t := range slices.Concat(in.Include, nameTerms(p).Include) {
		for _, label := range p.labels(in) {
			try(hostWithin(t, label))
		}
	}
	return found
}

// labels are what a wildcard may stand for: short ones, and one that is in no name that is listed or left out.
func (p pair) labels(in class.Terms) []string {
	own := "host"
	taken := func(name string) bool { return strings.HasPrefix(name, own+".") }
	for n := 1; slices.ContainsFunc(p.listed, taken) || slices.ContainsFunc(in.Exclude, func(t class.Term) bool { return taken(t.Value) }); n++ {
		own = fmt.Sprintf("host-%d", n)
	}
	return []string{"a", "b", "www", own}
}

// hostWithin is a name within a term.
func hostWithin(t class.Term, label string) string {
	switch t.Kind {
	case class.TermAny:
		return label + ".example"
	case class.TermSuffix:
		return label + t.Value
	case class.TermPrefix:
		return t.Value + label
	}
	return t.Value
}

// holdsHost tells whether a name is in a set. Of a regular expression it says so: who asks tries the name.
func holdsHost(set class.Terms, host string) bool {
	holds := func(t class.Term) bool {
		switch t.Kind {
		case class.TermExact:
			return t.Value == host
		case class.TermSuffix:
			return strings.HasSuffix(host, t.Value) && len(host) > len(t.Value)
		case class.TermPrefix:
			return strings.HasPrefix(host, t.Value) && len(host) > len(t.Value)
		}
		return true
	}
	lacks := func(t class.Term) bool { return !holds(t) }
	return slices.ContainsFunc(set.Include, holds) && !slices.ContainsFunc(set.Within, lacks) && !slices.ContainsFunc(set.Exclude, holds)
}

// misdirected tells whether no host of the areas leads here.
func (p pair) misdirected(areas []report.Area) bool {
	return p.misleads() && !slices.ContainsFunc(areas, func(a report.Area) bool { return len(p.hosts(a.Hosts)) > 0 })
}

// naturally gives the witness of a class a host that leads here, if the class has one with the same outcomes.
func (p pair) naturally(k *class.Class) table.Request {
	if p.leads(k.Witness.Host) {
		return k.Witness
	}
	for _, a := range k.Areas {
		for _, host := range p.hosts(a.Hosts) {
			request := k.Witness
			request.Host = host
			if p.shows(k, request) {
				return request
			}
		}
	}
	return k.Witness
}

// shows tells whether a request is one of a class, with the outcomes of its witness.
func (p pair) shows(k *class.Class, request table.Request) bool {
	if !k.Contains(request) {
		return false
	}
	before, after := p.before.Evaluate(request), p.after.Evaluate(request)
	return before.Outcome.Key() == k.Before[0].Key() && after.Outcome.Key() == k.After[0].Key()
}

// serverName is one that leads here, for a request to a host that does not.
func (p pair) serverName(host string) string {
	if p.leads(host) {
		return ""
	}
	names := p.hosts(class.Terms{Include: []class.Term{{Kind: class.TermAny}}})
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// namesOf are the server names that a table lists, "" where it lists none.
func namesOf(t *table.Table) []string {
	if len(t.ServerNames) == 0 {
		return []string{""}
	}
	names := make([]string, len(t.ServerNames))
	for i, name := range t.ServerNames {
		names[i] = strings.ToLower(name)
	}
	return names
}

// ownHosts are those hosts of a table of the pair that lead here; all of them if none does.
func (p pair) ownHosts(t *table.Table) []table.Host {
	if !p.misleads() {
		return t.Hosts
	}
	var own []table.Host
	for _, host := range t.Hosts {
		if slices.ContainsFunc(host.Domains, func(domain string) bool { return p.owns(t, domain) }) {
			own = append(own, host)
		}
	}
	if len(own) == 0 {
		return t.Hosts
	}
	return own
}

// owns tells whether a domain of a table takes a host that leads here. Better domains take theirs first.
func (p pair) owns(t *table.Table, domain string) bool {
	set := domainSet(domain)
	if set.Include[0].Kind == class.TermExact {
		return p.leads(set.Include[0].Value)
	}
	for _, host := range t.Hosts {
		for _, other := range host.Domains {
			if o := domainTerm(strings.ToLower(other)); o.Kind == class.TermExact || o.Kind == class.TermSuffix && len(o.Value) > len(set.Include[0].Value) {
				set.Exclude = append(set.Exclude, o)
			}
		}
	}
	return len(p.hosts(set)) > 0
}

func domainSet(domain string) class.Terms {
	return class.Terms{Include: []class.Term{domainTerm(strings.ToLower(domain))}}
}
