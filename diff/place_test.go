package diff

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/routedelta/routedelta/diff/table"
)

// TestPairsAreTheTablesOfEveryConnection: for any server name, listed or not, the pair that holds it has the tables that
// Envoy's rule (that very name, the longest wildcard, no names) chooses on both sides; and every name is in one pair.
func TestPairsAreTheTablesOfEveryConnection(t *testing.T) {
	listed := []string{"", "a.example", "b.example", "*.example", "x.a.example", "*.a.example", "other.test"}
	asked := []string{"a.example", "b.example", "c.example", "x.a.example", "y.a.example", "z.y.a.example", "other.test", "nobody.test", "example", ""}
	rapid.Check(t, func(t *rapid.T) {
		side := func(label string) []*table.Table {
			var tables []*table.Table
			free := slices.Clone(listed)
			for i := range rapid.IntRange(0, 4).Draw(t, label) {
				made := &table.Table{Scope: table.Scope{Port: 443, TLS: true}, Routes: label + string(rune('0'+i))}
				for range rapid.IntRange(1, 2).Draw(t, "names") {
					if len(free) == 0 {
						break
					}
					at := rapid.IntRange(0, len(free)-1).Draw(t, "name")
					if free[at] != "" {
						made.ServerNames = append(made.ServerNames, free[at])
					} else if len(made.ServerNames) > 0 {
						continue
					}
					name := free[at]
					free = slices.Delete(free, at, at+1)
					if name == "" {
						break
					}
				}
				if len(made.ServerNames) == 0 && slices.ContainsFunc(tables, func(t *table.Table) bool { return len(t.ServerNames) == 0 }) {
					continue
				}
				tables = append(tables, made)
			}
			return tables
		}
		before, after := side("before"), side("after")
		pairs := pairTables(before, after)
		for _, name := range asked {
			was, is := directly(before, name), directly(after, name)
			cell := cellOf(name, append(slices.Clone(before), after...))
			var holding []pair
			for _, p := range pairs {
				if slices.Contains(p.names, cell) {
					holding = append(holding, p)
				}
			}
			if was == nil && is == nil {
				if len(holding) > 0 {
					t.Fatalf("%q is answered by nobody and stands in a pair", name)
				}
				continue
			}
			if len(holding) != 1 || holding[0].before != was || holding[0].after != is {
				t.Fatalf("%q (cell %q) is in %d pairs, want one of %v and %v", name, cell, len(holding), was, is)
			}
		}
	})
}

// directly is Envoy's choice for one name, written down once more and otherwise.
func directly(tables []*table.Table, name string) *table.Table {
	var best *table.Table
	rank := -1
	for _, t := range tables {
		names := t.ServerNames
		if len(names) == 0 {
			names = []string{""}
		}
		for _, n := range names {
			suffix, wildcard := strings.CutPrefix(n, "*")
			r := -1
			switch {
			case n == name && n != "":
				r = 1 << 20
			case wildcard && strings.HasSuffix(name, suffix) && name != "":
				r = len(suffix)
			case n == "":
				r = 0
			}
			if r > rank {
				best, rank = t, r
			}
		}
	}
	return best
}

// cellOf is the listed name whose cell a name is in: itself, or the longest wildcard that is listed anywhere.
func cellOf(name string, tables []*table.Table) string {
	cell := ""
	for _, t := range tables {
		for _, n := range t.ServerNames {
			if n == name {
				return n
			}
			if suffix, wildcard := strings.CutPrefix(n, "*"); wildcard && name != "" && strings.HasSuffix(name, suffix) && len(n) > len(cell) {
				cell = n
			}
		}
	}
	return cell
}

func TestPlacesArePairedByPortAndProtocol(t *testing.T) {
	at := func(port uint32, tls bool, names ...string) *table.Table {
		return &table.Table{Scope: table.Scope{Port: port, TLS: tls, ServerNames: names}}
	}
	pairs := pairTables(
		[]*table.Table{at(80, false), at(8443, false), at(443, true, "a.example"), at(443, true, "b.example")},
		[]*table.Table{at(443, true, "b.example"), at(80, false), at(8443, true), at(9000, false)},
	)
	var got []string
	for _, p := range pairs {
		sides := ""
		if p.before != nil {
			sides += "before "
		}
		if p.after != nil {
			sides += "after "
		}
		if p.otherProtocol {
			sides += "other protocol "
		}
		if p.otherTables > 0 {
			sides += "other names "
		}
		got = append(got, p.listener()+" "+strings.Join(p.names, ",")+": "+sides)
	}
	want := []string{
		"port 80 : before after ",
		"port 443 a.example: before other names ",
		"port 443 b.example: before after ",
		"port 8443 : before other protocol ",
		"port 8443 : after other protocol ",
		"port 9000 : after ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
