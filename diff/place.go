package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// place is where a client connects: a port, in the clear or by TLS. Server names divide it further.
type place struct {
	port uint32
	tls  bool
	// name is the listener's where it has no port (a socket, a table by itself), else "".
	name string
}

// pair is the tables that answer the same connections on both sides. One is nil where no connection is taken.
type pair struct {
	place
	before, after *table.Table
	// names are the server names that lead here on at least one side, "" for every name that is not listed.
	names []string
	// scope is the part of the requests, with scoped_routes on at least one side.
	scope table.RouteScope
	// otherScopes: the side without a table takes the connections, and has no such scope of routes.
	otherScopes bool
	// otherTables is how many tables the side without one has at this place, for other server names; otherProtocol: that
	// side has the port, with the other protocol.
	otherTables   int
	otherProtocol bool
	// divided: other server names of this port lead to other tables.
	divided bool
	// listed are all server names of the place, sorted; the first is "".
	listed []string
}

// listener is how a report names the place: "port 443".
func (p pair) listener() string {
	if p.port == 0 {
		return p.name
	}
	return fmt.Sprintf("port %d", p.port)
}

// label is how a report names the connections of a class: the port, and the server names where those divide the port and the
// hosts of the class do not tell them. Requests that belong to another connection are the same ones whichever that is.
func (p pair) label(areas []report.Area) string {
	if !p.divided || p.named(areas) || p.misdirected(areas) {
		return p.scopedListener()
	}
	names := make([]string, len(p.names))
	for i, name := range p.names {
		names[i] = cmp.Or(name, "other server names")
	}
	return p.scopedListener() + " for " + strings.Join(names, ", ")
}

// scopedListener is the listener, and the scope of the requests where routes are scoped.
func (p pair) scopedListener() string {
	if p.scope.Key == "" {
		return p.listener()
	}
	return p.listener() + ", scope " + p.scope.Key
}

// named tells whether all hosts of the areas are server names of the pair.
func (p pair) named(areas []report.Area) bool {
	for _, a := range areas {
		for _, host := range a.Hosts.Include {
			if !slices.Contains(p.names, report.HostPhrase(host).Literal) {
				return false
			}
		}
	}
	return true
}

// table is the later one, or else the earlier one.
func (p pair) table() *table.Table {
	if p.after != nil {
		return p.after
	}
	return p.before
}

// pairTables finds, for every connection that a client can open, the tables that answer it on both sides.
//
// A connection is a port and, with TLS, a server name. Envoy chooses the filter chain with that very name, else the one
// with the longest wildcard over it (of any number of labels), else one without names. So the listed names of both sides cut all
// names into cells, in each of which the choice is the same on both sides: one for each listed name and one for all the rest. Cells with the same
// two tables are one pair.
func pairTables(before, after []*table.Table) []pair {
	places := map[place][2][]*table.Table{}
	for side, tables := range [][]*table.Table{before, after} {
		for _, t := range tables {
			at := places[placeOf(t)]
			at[side] = append(at[side], t)
			places[placeOf(t)] = at
		}
	}
	var pairs []pair
	for at, sides := range places {
		other := places[place{port: at.port, tls: !at.tls, name: at.name}]
		here := pairPlace(at, sides[0], sides[1])
		listed := serverNames(sides[0], sides[1])
		for i, p := range here {
			p.listed = listed
			for k := range here {
				p.divided = p.divided || k != i && (here[k].scope.Key == p.scope.Key || !slices.Equal(here[k].names, p.names))
			}
			missing := 0
			if p.after == nil {
				missing = 1
			}
			if p.before == nil || p.after == nil {
				p.otherTables, p.otherProtocol = len(sides[missing]), len(sides[missing]) == 0 && len(other[missing]) > 0
			}
			pairs = append(pairs, p)
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.port, b.port), cmp.Compare(a.name, b.name), cmp.Compare(fmt.Sprint(a.tls), fmt.Sprint(b.tls)), slices.Compare(a.names, b.names), cmp.Compare(a.scope.Key, b.scope.Key))
	})
	return pairs
}

func placeOf(t *table.Table) place {
	if t.Port == 0 || t.UDP {
		return place{tls: t.TLS, name: t.Listener}
	}
	return place{port: t.Port, tls: t.TLS}
}

// pairPlace pairs the tables of one place, cell by cell.
func pairPlace(at place, before, after []*table.Table) []pair {
	type both struct {
		before, after *table.Table
		scope         string
		otherScopes   bool
	}
	cells := map[both][]string{}
	var order []both
	scopes := map[string]table.RouteScope{}
	for _, name := range serverNames(before, after) {
		was, is := chosen(before, name), chosen(after, name)
		for _, s := range scopesOf(was, is) {
			taken := s.takenBy(was) && s.takenBy(is)
			was, is := s.chosen(was), s.chosen(is)
			scopes[s.RouteScope.Key] = s.RouteScope
			// Several tables for one name differ in something that only the table's options say (a source address, say):
			// they are paired in the order of the files, so that none is forgotten.
			for i := range max(len(was), len(is)) {
				key := both{entry(was, i), entry(is, i), s.RouteScope.Key, taken}
				if len(cells[key]) == 0 {
					order = append(order, key)
				}
				cells[key] = append(cells[key], name)
			}
		}
	}
	pairs := make([]pair, len(order))
	for i, key := range order {
		pairs[i] = pair{place: at, before: key.before, after: key.after, names: cells[key], scope: scopes[key.scope], otherScopes: key.otherScopes}
	}
	return pairs
}

// scope is a part of the requests to the chains of one server name: those of a key in a chain, as it builds keys.
type scope struct {
	table.RouteScope
	by, match string
}

// scopesOf are the parts into which the tables of both sides divide requests, in their order. Without scoped_routes there is one.
func scopesOf(before, after []*table.Table) []scope {
	var scopes []scope
	add := func(tables []*table.Table) {
		for _, t := range tables {
			if by := t.Options.ScopedBy; by != "" {
				scopes = append(scopes, scope{t.RouteScope, by, t.Match})
			}
		}
	}
	add(before)
	add(after)
	if len(scopes) == 0 {
		return []scope{{}}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(scopes, func(s scope) bool {
		again := seen[s.id()]
		seen[s.id()] = true
		return again
	})
}

func (s scope) id() string { return report.Digest(s.Key, s.by, s.match) }

// takenBy tells whether a side takes the connections of the scope, whatever becomes of its requests.
func (s scope) takenBy(tables []*table.Table) bool {
	return slices.ContainsFunc(tables, func(t *table.Table) bool { return t.Match == s.match })
}

// chosen are the tables of one side that answer requests of the scope. A side that builds other keys, or none, answers them by some
// of its tables: with the first one the comparison will say that it cannot tell.
func (s scope) chosen(tables []*table.Table) []*table.Table {
	if s.by == "" {
		return tables
	}
	var found, other []*table.Table
	for _, t := range tables {
		switch {
		case t.Match != s.match:
		case t.Options.ScopedBy != s.by:
			other = append(other, t)
		case t.RouteScope.Key == s.Key:
			found = append(found, t)
		}
	}
	return append(found, other[:min(1, len(other))]...)
}

// entry is the table at i, or nil where there are not so many.
func entry(tables []*table.Table, i int) *table.Table {
	if i < len(tables) {
		return tables[i]
	}
	return nil
}

// serverNames of both sides, sorted; the first is "", every name that is not listed.
func serverNames(sides ...[]*table.Table) []string {
	names := []string{""}
	for _, tables := range sides {
		for _, t := range tables {
			for _, name := range t.ServerNames {
				names = append(names, strings.ToLower(name))
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// chosen are the tables that a connection with a server name leads to. A wildcard stands for the names below it that no
// longer entry takes.
func chosen(tables []*table.Table, name string) []*table.Table {
	for {
		if found := withName(tables, name); len(found) > 0 || name == "" {
			return found
		}
		_, rest, more := strings.Cut(strings.TrimPrefix(name, "*."), ".")
		if !more {
			name = ""
			continue
		}
		name = "*." + rest
	}
}

// withName are the tables that list a server name, or list none for "".
func withName(tables []*table.Table, name string) []*table.Table {
	var found []*table.Table
	for _, t := range tables {
		if name == "" && len(t.ServerNames) == 0 || slices.ContainsFunc(t.ServerNames, func(s string) bool { return strings.EqualFold(s, name) }) {
			found = append(found, t)
		}
	}
	return found
}
