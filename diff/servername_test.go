package diff

import (
	"slices"
	"testing"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// dividedPort is a port whose server names lead to three tables, of which each knows the hosts of all.
func dividedPort() []pair {
	at := func(names ...string) *table.Table {
		t := &table.Table{Scope: table.Scope{Port: 443, TLS: true, ServerNames: names}, Routes: names[0]}
		for _, domain := range []string{"a.example", "*.example", "*.b.example"} {
			t.Hosts = append(t.Hosts, table.Host{Domains: []string{domain}})
		}
		return t
	}
	tables := []*table.Table{at("a.example"), at("*.example"), at("*.b.example")}
	return slices.DeleteFunc(pairTables(tables, tables), func(p pair) bool { return p.before == nil })
}

func TestHostsOfAPairLeadThere(t *testing.T) {
	set := func(terms ...class.Term) class.Terms { return class.Terms{Include: terms} }
	suffix := func(value string) class.Term { return class.Term{Kind: class.TermSuffix, Value: value} }
	exact := func(value string) class.Term { return class.Term{Kind: class.TermExact, Value: value} }
	any := class.Term{Kind: class.TermAny}
	pairs := map[string]pair{}
	for _, p := range dividedPort() {
		pairs[p.names[0]] = p
	}
	for _, test := range []struct {
		pair string
		in   class.Terms
		want string // the first host, "" for none
	}{
		{"a.example", set(any), "a.example"},
		{"a.example", set(suffix(".example")), "a.example"},
		{"a.example", class.Terms{Include: []class.Term{suffix(".example")}, Exclude: []class.Term{exact("a.example")}}, ""},
		{"a.example", set(suffix(".b.example")), ""},
		{"a.example", set(exact("b.example")), ""},
		{"*.example", set(suffix(".example")), "b.example"}, // a.example leads elsewhere
		{"*.example", set(suffix(".b.example")), ""},
		{"*.example", class.Terms{Include: []class.Term{suffix(".example")}, Exclude: []class.Term{exact("b.example"), exact("www.example")}}, "host.example"},
		{"*.b.example", set(suffix(".example")), "a.b.example"},
		{"*.b.example", set(suffix(".c.b.example")), "a.c.b.example"},
		{"*.b.example", set(exact("x.b.example"), exact("a.example")), "x.b.example"},
	} {
		p := pairs[test.pair]
		hosts := append(p.hosts(test.in), "")
		if hosts[0] != test.want {
			t.Errorf("hosts of %v for %s: %q, want %q first", test.in, test.pair, hosts, test.want)
		}
		areas := []report.Area{{Hosts: test.in}}
		if got := p.misdirected(areas); got != (test.want == "") {
			t.Errorf("requests to %v for %s belong to another connection: %v", test.in, test.pair, got)
		}
	}
}

func TestServerNameOfAnotherHost(t *testing.T) {
	for _, p := range dividedPort() {
		want := map[string]string{"a.example": "a.example", "*.example": "b.example", "*.b.example": "a.b.example"}[p.names[0]]
		if got := p.serverName("other.test"); got != want {
			t.Errorf("a connection for %s is opened by %q, want %q", p.names[0], got, want)
		}
		if got := p.serverName(want); got != "" {
			t.Errorf("%s leads there itself, and the connection is opened by %q", want, got)
		}
		if own := p.ownHosts(p.after); len(own) != 1 || own[0].Domains[0] != p.names[0] {
			t.Errorf("the hosts of %s are %v", p.names[0], own)
		}
	}
}

// TestOnePortWithoutNamesMisleadsNobody: where nothing divides a port every host is its own.
func TestOnePortWithoutNamesMisleadsNobody(t *testing.T) {
	plain := []*table.Table{{Scope: table.Scope{Port: 80}}}
	p := pairTables(plain, plain)[0]
	if p.misleads() || !p.leads("any.example") || p.misdirected([]report.Area{{Hosts: domainSet("a.example")}}) {
		t.Error("a port without server names leads some hosts elsewhere")
	}
}
