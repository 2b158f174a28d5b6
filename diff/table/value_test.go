package table_test

import (
	"testing"

	"github.com/routedelta/routedelta/diff/table"
)

// What Envoy 1.40.0 takes as the value of a cookie.
func TestCookies(t *testing.T) {
	exact := func(value string) table.Predicate {
		return table.Predicate{Source: table.Cookie, Name: "s", Test: table.Exact, Value: value}
	}
	inverted := exact("1")
	inverted.Invert = true
	for _, test := range []struct {
		predicate table.Predicate
		request   table.Request
		want      bool
	}{
		{exact("1"), get("cookie: s=1"), true},
		{exact("1"), get("cookie: t=2;  s=1"), true},
		{exact("1"), get("cookie: t=2", "cookie: s=1"), true},
		{exact("1"), get("cookie: s=2; s=1"), false},
		{exact("1"), get("cookie: s=2", "cookie: s=1"), false},
		{exact("1"), get("cookie: s; s=1"), true},
		{exact("1"), get(`cookie: s="1"`), true},
		{exact(`"1`), get(`cookie: s="1`), true},
		{exact("1"), get("cookie: s =1"), false},
		{exact("1 "), get("cookie: s=1 ; t"), true},
		{exact("1"), get("cookie: S=1"), false},
		{exact("a=b"), get("cookie: s=a=b"), true},
		{exact(""), get("cookie: s="), true},
		{exact(""), get(), false},
		{inverted, get(), true},
		{inverted, get("cookie: s=1"), false},
		{inverted, get("cookie: s=2"), true},
	} {
		if d := one(test.predicate).Evaluate(test.request); (d.Rule == 0) != test.want {
			t.Errorf("%+v on %+v: %v, want %v", test.predicate, test.request.Headers, d.Rule == 0, test.want)
		}
	}
}

// What Envoy 1.40.0 takes as a number.
func TestRanges(t *testing.T) {
	for value, want := range map[string]bool{
		"1": true, "2": true, "3": false, "0": false, "+2": true, "002": true, " 2\t": true, "-2": false, "2.0": false, "0x2": false, "1_0": false,
		"": false, "+": false, "9223372036854775808": false, "1,2": false,
	} {
		p := table.Predicate{Source: table.Header, Name: "x", Test: table.Range, Value: "1 3"}
		if d := one(p).Evaluate(get("x: " + value)); (d.Rule == 0) != want {
			t.Errorf("%q: %v, want %v", value, d.Rule == 0, want)
		}
		p.Invert = true
		if d := one(p).Evaluate(get("x: " + value)); (d.Rule == 0) == want {
			t.Errorf("%q inverted: %v, want %v", value, d.Rule == 0, !want)
		}
	}
	all := table.Predicate{Source: table.Header, Name: "x", Test: table.Range, Value: "-9223372036854775808 9223372036854775807"}
	for value, want := range map[string]bool{"-9223372036854775808": true, "9223372036854775806": true, "9223372036854775807": false, "-9223372036854775809": false} {
		if d := one(all).Evaluate(get("x: " + value)); (d.Rule == 0) != want {
			t.Errorf("%q: %v, want %v", value, d.Rule == 0, want)
		}
	}
	missing := table.Predicate{Source: table.Header, Name: "x", Test: table.Range, Value: "0 3", Invert: true}
	if d := one(missing).Evaluate(get()); d.Rule == 0 {
		t.Error("an inverted range holds for a missing header")
	}
	missing.MissingAsEmpty = true
	if d := one(missing).Evaluate(get()); d.Rule != 0 {
		t.Error("an inverted range fails on a missing header that is empty")
	}
}

func TestFreeConditionsHoldWhereTheRequestSaysSo(t *testing.T) {
	p := table.Predicate{Source: table.Free, Name: "m", Test: table.Present}
	inverted := p
	inverted.Invert = true
	holding := get()
	holding.Holds = []string{"m"}
	for _, test := range []struct {
		predicate table.Predicate
		request   table.Request
		want      bool
	}{{p, get(), false}, {p, holding, true}, {inverted, get(), true}, {inverted, holding, false}} {
		if d := one(test.predicate).Evaluate(test.request); (d.Rule == 0) != test.want {
			t.Errorf("%+v on %v: %v", test.predicate, test.request.Holds, d.Rule == 0)
		}
	}
}

// Rules with a chance leave requests to those behind them; one number decides all, so a second rule of the same chance takes nothing.
func TestChances(t *testing.T) {
	rule := func(numerator uint32, status uint32) table.Rule {
		r := table.Rule{Path: table.Path{Value: "/"}, Outcome: table.Outcome{Kind: table.Answered, Status: status}}
		if numerator < 100 {
			r.Chance = &table.Chance{Numerator: numerator, Denominator: 100}
		}
		return r
	}
	doubtful := rule(100, 200)
	doubtful.Unmodelled = []string{"what"}
	for _, test := range []struct {
		rules []table.Rule
		want  string
		rule  int
	}{
		{[]table.Rule{rule(30, 201), rule(100, 200)}, "70% 200, 30% 201", 1},
		{[]table.Rule{rule(30, 201), rule(30, 202), rule(100, 200)}, "70% 200, 30% 201", 2},
		{[]table.Rule{rule(30, 201), rule(40, 202), rule(100, 200)}, "60% 200, 30% 201, 10% 202", 2},
		{[]table.Rule{rule(0, 201), rule(100, 200)}, "200", 1},
		{[]table.Rule{rule(30, 201)}, "70% 404, 30% 201", -1},
		{[]table.Rule{rule(100, 200), rule(30, 201)}, "200", 0},
		{[]table.Rule{rule(30, 201), doubtful}, "not decided", 1},
	} {
		tested := &table.Table{Hosts: []table.Host{{Domains: []string{"*"}, Rules: test.rules}}}
		d := tested.Evaluate(get())
		got := d.Outcome.String()
		if d.Undecided != "" {
			got = "not decided"
		}
		if got != test.want || d.Rule != test.rule {
			t.Errorf("got %s of rule %d, want %s of rule %d", got, d.Rule, test.want, test.rule)
		}
	}
}

// The order of weights decides nothing by itself, but together with a chance it does.
func TestTheOrderOfWeightsCountsBehindAChance(t *testing.T) {
	to := func(name string, weight uint64) table.Share {
		return table.Share{Backend: table.Backend{Cluster: name}, Weight: weight}
	}
	read := func(chance *table.Chance, shares ...table.Share) *table.Table {
		first := table.Rule{Path: table.Path{Value: "/"}, Outcome: table.Outcome{Kind: table.Answered, Status: 200}, Chance: chance}
		last := table.Rule{Path: table.Path{Value: "/"}, Outcome: table.Split(shares...)}
		made := &table.Table{Hosts: []table.Host{{Domains: []string{"*"}, Rules: []table.Rule{first, last}}}}
		made.Seal()
		return made
	}
	half := &table.Chance{Numerator: 50, Denominator: 100}
	forth, back := read(half, to("a", 50), to("b", 50)), read(half, to("b", 50), to("a", 50))
	if forth.Evaluate(get()).Outcome.String() == back.Evaluate(get()).Outcome.String() {
		t.Errorf("both are %s", forth.Evaluate(get()).Outcome)
	}
	if key := between(forth, back); key(forth) == key(back) || forth.Hosts[0].Digest() == back.Hosts[0].Digest() {
		t.Error("rules that draw in another order have one key")
	}
	without := read(nil, to("b", 50), to("a", 50))
	if key := between(without, back); key(without) != key(back) {
		t.Error("a chance ahead changes the key of a rule")
	}
	if read(nil, to("a", 50), to("b", 50)).Hosts[0].Digest() != read(nil, to("b", 5), to("a", 5)).Hosts[0].Digest() {
		t.Error("without a chance the order counts")
	}
}

// between gives the key of the second rule, as it counts between two tables.
func between(before, after *table.Table) func(*table.Table) string {
	key := table.KeyBetween(before.Hosts[0].Rules, after.Hosts[0].Rules)
	return func(t *table.Table) string { return key(&t.Hosts[0].Rules[1]) }
}

// The strip options take a dot off first, then a port.
func TestStrippedHosts(t *testing.T) {
	dot, one, all := table.Options{StripTrailingDot: true}, table.Options{StripHostPort: 80}, table.Options{StripAnyHostPort: true}
	both := table.Options{StripTrailingDot: true, StripAnyHostPort: true}
	for _, test := range []struct {
		options table.Options
		sent    string
		want    string
	}{
		{dot, "a.com.", "a.com"},
		{dot, "a.com..", "a.com."},
		{dot, "a.com.:80", "a.com:80"},
		{dot, "a.com:80.", "a.com:80"},
		{dot, "a.com", "a.com"},
		{one, "a.com:80", "a.com"},
		{one, "a.com:080", "a.com"},
		{one, "a.com:+80", "a.com"},
		{one, "a.com:81", "a.com:81"},
		{one, "[::1]:80", "[::1]"},
		{one, "[::80]", "[::80]"},
		{all, "a.com:81", "a.com"},
		{all, "a.com:", "a.com:"},
		{all, "a.com:x", "a.com:x"},
		{all, "a.com:4294967296", "a.com:4294967296"},
		{all, "a.com.:80", "a.com."},
		{both, "a.com.:80", "a.com"},
		{both, "a.com:80.", "a.com"},
	} {
		request := get()
		request.Host = test.sent
		seen, ok := table.Compile(&table.Table{Options: test.options}).Arrive(request)
		if !ok || seen.Host() != test.want {
			t.Errorf("%+v: %q is %q, want %q", test.options, test.sent, seen.Host(), test.want)
		}
	}
}

// Parameters are cut off each segment, for path matchers alone.
func TestIgnoredPathParameters(t *testing.T) {
	tested := one()
	tested.Options.IgnorePathParameters = true
	evaluator := table.Compile(tested)
	for sent, want := range map[string]string{"/foo;v/x": "/foo/x", "/foo;v?q;r": "/foo", "/;a/;b": "//", "/a;b;c": "/a", "/a": "/a"} {
		request := get()
		request.Path = sent
		seen, _ := evaluator.Arrive(request)
		if d := evaluator.Evaluate(request); seen.Path() != want || d.Path != sent {
			t.Errorf("%s: matched as %s, forwarded as %s", sent, seen.Path(), d.Path)
		}
	}
}
