package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/diff/table"
)

// connection is what a client opens: a port (or a listener by name) and a server name that a table lists, "" for all others.
type connection struct {
	port     uint32
	tls      bool
	listener string
	name     string
}

func connectionOf(t *table.Table) connection {
	if t.Port == 0 || t.UDP {
		return connection{tls: t.TLS, listener: t.Listener}
	}
	return connection{port: t.Port, tls: t.TLS}
}

// connections checks that the places of the certificate are all there are, each with the tables that its connections lead to.
//
// The names that both sides list at a port divide all server names: two names of which neither is listed, nor below
// another listed wildcard, lead to the same tables. Several tables for one name differ in something else that
// connections are told apart by; they are paired in their order.
func (c *check) connections(g *certificate.Gateway, tables [2][]*table.Table) {
	found := map[string]bool{}
	for at := range connectionNames(tables) {
		was, is := leadingTo(tables[0], at), leadingTo(tables[1], at)
		for _, part := range requestParts(tables, was, is) {
			was, is := ofPart(tables[0], was, part), ofPart(tables[1], is, part)
			for i := range max(len(was), len(is)) {
				found[entryKey(at, part.scope, entry(was, i), entry(is, i))] = true
			}
		}
	}
	for i := range g.Places {
		p := &g.Places[i]
		for _, name := range p.ServerNames {
			key := entryKey(connection{p.Port, p.TLS, p.Listener, name}, p.Scope, p.Before, p.After)
			if !found[key] {
				c.wrong("Gateway %s: no connection is as the certificate says of %s, tables %d and %d", g.After, placeName(p), p.Before, p.After)
			}
			delete(found, key)
		}
		c.certificates(g, p, tables)
	}
	for _, key := range slices.Sorted(keysOf(found)) {
		c.wrong("Gateway %s: the certificate has no entry for %s", g.After, key)
	}
}

func keysOf(m map[string]bool) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

func entryKey(at connection, scope string, before, after int) string {
	return fmt.Sprintf("port %d, TLS %v, listener %q, server name %q, scope %q, tables %d and %d", at.port, at.tls, at.listener, at.name, scope, before, after)
}

// connectionNames are the connections that tables of either side tell apart.
func connectionNames(tables [2][]*table.Table) map[connection]bool {
	out := map[connection]bool{}
	for _, side := range tables {
		for _, t := range side {
			at := connectionOf(t)
			out[at] = true
			for _, name := range t.ServerNames {
				at.name = strings.ToLower(name)
				out[at] = true
			}
		}
	}
	return out
}

// leadingTo are the tables of a side, by their order, that take a connection: those that list the name, else the longest
// wildcard above it, else those that list none.
func leadingTo(tables []*table.Table, at connection) []int {
	names := []string{at.name}
	for rest := strings.TrimPrefix(at.name, "*."); rest != ""; {
		_, above, more := strings.Cut(rest, ".")
		if !more {
			break
		}
		names, rest = append(names, "*."+above), above
	}
	for _, name := range append(names, "") {
		var out []int
		for i, t := range tables {
			place := connectionOf(t)
			place.name = at.name
			listed := slices.ContainsFunc(t.ServerNames, func(s string) bool { return strings.EqualFold(s, name) })
			if place == at && (listed || name == "" && len(t.ServerNames) == 0) {
				out = append(out, i)
			}
		}
		if out != nil {
			return out
		}
	}
	return nil
}

// requestPart is what one key of scoped_routes makes of the requests of a connection, among connections of one kind. Without
// scoped_routes there is the empty one.
type requestPart struct{ scope, by, match string }

func requestParts(tables [2][]*table.Table, lists ...[]int) []requestPart {
	var parts []requestPart
	for side, list := range lists {
		for _, i := range list {
			t := tables[side][i]
			part := requestPart{t.RouteScope.Key, t.Options.ScopedBy, t.Match}
			if part.by != "" && !slices.Contains(parts, part) {
				parts = append(parts, part)
			}
		}
	}
	if parts == nil {
		return []requestPart{{}}
	}
	return parts
}

// ofPart are those of the listed tables that answer a part: the tables of that key, or the first one of a side that forms no such
// keys, whose options then say that nothing can be claimed.
func ofPart(tables []*table.Table, list []int, part requestPart) []int {
	if part.by == "" {
		return list
	}
	var same, first []int
	for _, i := range list {
		t := tables[i]
		if t.Match == part.match && t.Options.ScopedBy == part.by && t.RouteScope.Key == part.scope {
			same = append(same, i)
		}
		if t.Match == part.match && t.Options.ScopedBy != part.by && first == nil {
			first = []int{i}
		}
	}
	return append(same, first...)
}

func entry(list []int, i int) int {
	if i < len(list) {
		return list[i]
	}
	return -1
}

// certificates checks the claims whether the TLS certificates of a place change, on either end, and whether what comes is read.
func (c *check) certificates(g *certificate.Gateway, p *certificate.Place, tables [2][]*table.Table) {
	if !inside(p.Before, tables[0]) || !inside(p.After, tables[1]) {
		return
	}
	before, after := tables[0][p.Before], tables[1][p.After]
	was, is := slices.Sorted(slices.Values(before.Certificates)), slices.Sorted(slices.Values(after.Certificates))
	if p.Certificates != (!slices.Equal(was, is) || before.ClientCertificate != after.ClientCertificate) {
		c.wrong("Gateway %s, %s: the TLS certificates are %q and %q, those of clients %q and %q",
			g.After, placeName(p), was, is, before.ClientCertificate, after.ClientCertificate)
	}
	if p.Reading != (before.Passes != after.Passes) {
		c.wrong("Gateway %s, %s: what is passed on unread is %q before and %q after", g.After, placeName(p), before.Passes, after.Passes)
	}
}

func placeName(p *certificate.Place) string {
	name := fmt.Sprintf("port %d", p.Port)
	if p.Port == 0 {
		name = fmt.Sprintf("listener %q", p.Listener)
	}
	if p.TLS {
		name += fmt.Sprintf(", server names %q", p.ServerNames)
	}
	return name
}
