package class

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// TestLemma8: all hosts of a cell have the virtual hosts of the cell, and a cell that has a host has an example.
func TestLemma8(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	hosts := texts("ab.", 5)
	seen := map[bool]int{}
	for range 60 {
		before, after := randomDomains(r), randomDomains(r)
		space := newHostSpace(before, after)
		x, y := table.Compile(before), table.Compile(after)
		for _, host := range hosts {
			request := table.Request{Method: "GET", Host: host, Path: "/"}
			want := [2]int{x.Evaluate(request).Host, y.Evaluate(request).Host}
			domain, under := space.best(host)
			seen[under != ""]++
			if domain == "" {
				if want != [2]int{-1, -1} {
					t.Fatalf("%q is in no cell, but has the virtual hosts %v", host, want)
				}
				continue
			}
			i := cellAt(space, domain, under)
			if i < 0 || space.cells[i].host != want || !hasWitness(space, i) {
				t.Fatalf("%q has the virtual hosts %v; its best domain is %q, %q: %+v", host, want, domain, under, space.cells)
			}
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Error("the domains show nothing")
	}
}

func cellAt(s *hostSpace, domain, under string) int {
	for i, c := range s.cells {
		if c.domain == domain && c.under == under {
			return i
		}
	}
	return -1
}

// texts are all of the letters, up to a length.
func texts(letters string, most int) []string {
	var out []string
	layer := []string{""}
	for range most {
		var next []string
		for _, text := range layer {
			for i := range len(letters) {
				next = append(next, text+letters[i:i+1])
			}
		}
		out, layer = append(out, next...), next
	}
	return out
}

// randomDomains has a virtual host for each of a few domains.
func randomDomains(r *rand.Rand) *table.Table {
	out := &table.Table{Options: tabletest.Rendered()}
	taken := map[string]bool{}
	for range r.IntN(7) {
		domain := ""
		for range r.IntN(4) {
			domain += string("ab."[r.IntN(3)])
		}
		switch r.IntN(5) {
		case 0, 1:
			domain = "*" + domain
		case 2:
			domain += "*"
		}
		if domain != "" && !taken[domain] {
			taken[domain] = true
			out.Hosts = append(out.Hosts, table.Host{Domains: []string{domain}})
		}
	}
	return out
}

func hasWitness(s *hostSpace, i int) bool {
	found, sure := s.findWitness(i)
	return found && sure
}

// TestCellsBehindManyDomains: a cell is not lost because all short names of it are taken.
func TestCellsBehindManyDomains(t *testing.T) {
	out := &table.Table{Options: tabletest.Rendered(), Hosts: []table.Host{{Domains: []string{"*.x"}}}}
	for _, first := range hostBytes {
		for _, second := range hostBytes {
			name := string([]rune{first, second})
			out.Hosts = append(out.Hosts, table.Host{Domains: []string{name + ".x", name[:1] + ".x", "*" + name + "b.x", name + "*.com"}})
		}
	}
	space := newHostSpace(out, out)
	if i := cellAt(space, "*.x", ""); i < 0 || !hasWitness(space, i) {
		t.Error("no host of *.x is found")
	}
}

// TestLemma16: of hosts of two letters, which domains often take between them altogether, a cell has a host exactly if one is
// found.
func TestLemma16(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 16))
	hosts := append(texts("ab", 9), "")
	seen := map[bool]int{}
	for range 400 {
		out := &table.Table{Options: tabletest.Rendered()}
		for range 1 + r.IntN(9) {
			out.Hosts = append(out.Hosts, table.Host{Domains: []string{randomDomain(r, "ab")}})
		}
		space := newHostSpace(out, out)
		space.bytes = "ab"
		has := map[[2]string]bool{}
		for _, host := range hosts {
			domain, under := space.best(host)
			has[[2]string{domain, under}] = true
		}
		for _, c := range space.cells {
			if c.found {
				continue // the one host of a full name
			}
			found, sure := space.search(&c)
			want := has[[2]string{c.domain, c.under}]
			if seen[want]++; found != want || !sure {
				t.Fatalf("%v: cell %q, %q: found %t (%q), sure %t, has one %t", space.domains, c.domain, c.under, found, c.witness, sure, want)
			}
		}
	}
	t.Logf("cells with and without a host: %v", seen)
	if seen[true] == 0 || seen[false] == 0 {
		t.Error("the domains show nothing")
	}
}

// randomDomain has up to three letters, and often a star.
func randomDomain(r *rand.Rand, letters string) string {
	domain := ""
	for range r.IntN(4) {
		domain += string(letters[r.IntN(len(letters))])
	}
	switch r.IntN(5) {
	case 0, 1:
		return "*" + domain
	case 2, 3:
		return domain + "*"
	}
	return domain
}

// TestHostThatOptionsHide: where it is not sure that no host of a cell can be looked up, the cell is undecided.
func TestHostThatOptionsHide(t *testing.T) {
	before := &table.Table{Hosts: []table.Host{{Domains: []string{"*:80"}, Rules: []table.Rule{{Outcome: noRoute}}}}}
	before.Options.StripAnyHostPort = true
	after := &table.Table{Hosts: []table.Host{{Domains: []string{"*:80"}}}}
	before.Seal()
	after.Seal()
	result, err := Compare(context.Background(), before, after, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	said := func(u Undecided) bool {
		return u.Reason == noHostFound && slices.Equal(u.Area.Hosts.Include, []Term{{Kind: TermSuffix, Value: ":80"}})
	}
	if !slices.ContainsFunc(result.Undecided, said) {
		t.Errorf("%+v", result.Undecided)
	}
}
