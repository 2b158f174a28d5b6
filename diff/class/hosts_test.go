package class

import (
	"math/rand/v2"
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
			if i < 0 || space.cells[i].host != want || !space.findWitness(i) {
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

// TestCellsBehindManyDomains: a cell is not lost because all short names of it are taken.
func TestCellsBehindManyDomains(t *testing.T) {
	out := &table.Table{Options: tabletest.Rendered(), Hosts: []table.Host{{Domains: []string{"*.x"}}}}
	for name := range fills {
		out.Hosts = append(out.Hosts, table.Host{Domains: []string{name + ".x"}})
	}
	space := newHostSpace(out, out)
	if i := cellAt(space, "*.x", ""); i < 0 || !space.findWitness(i) {
		t.Error("no host of *.x is found")
	}
}
