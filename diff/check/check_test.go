package check_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/check"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// read reads a table: a line "host domain..." begins a virtual host, others are its rules: kind of path, path, headers, backend.
func read(text string) *table.Table {
	out := &table.Table{Options: tabletest.Rendered(), Routes: "routes"}
	kinds := map[string]table.PathKind{
		"prefix": table.PathPrefix, "segments": table.PathSegments, "exact": table.PathExact, "regex": table.PathRegex,
	}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if words[0] == "host" {
			out.Hosts = append(out.Hosts, table.Host{Name: words[1], Domains: words[1:]})
			continue
		}
		rules := &out.Hosts[len(out.Hosts)-1].Rules
		last := len(words) - 1
		rule := table.Rule{Index: len(*rules), Path: table.Path{Kind: kinds[words[0]], Value: words[1]}, Outcome: table.Outcome{
			Kind: table.ToBackends, Total: 1, Backends: []table.Share{{Backend: table.Backend{Service: words[last]}, Weight: 1}},
		}}
		for _, word := range words[2:last] {
			name, value, _ := strings.Cut(word, "=")
			p := table.Predicate{Name: name, Test: table.Exact, Value: value}
			if name == "if" {
				p = table.Predicate{Source: table.Free, Name: value, Test: table.Present}
			}
			rule.Predicates = append(rule.Predicates, p)
		}
		*rules = append(*rules, rule)
	}
	out.Seal()
	return out
}

// said writes findings for people who read tests: kind, places, others, and what else they say.
func said(found []check.Finding) []string {
	var out []string
	for _, f := range found {
		text := string(f.Kind)
		for _, p := range f.Places {
			text += fmt.Sprintf(" %d/%d", p.Host, p.Rule)
		}
		for i, p := range f.Others {
			text += map[bool]string{true: " by", false: ""}[i == 0] + fmt.Sprintf(" %d/%d", p.Host, p.Rule)
		}
		if f.Detail != "" {
			text += ": " + f.Detail
		}
		for word, is := range map[string]bool{", same outcome": f.SameOutcome, ", elsewhere": f.Elsewhere} {
			if is {
				text += word
			}
		}
		if f.More > 0 {
			text += fmt.Sprintf(", %d more", f.More)
		}
		out = append(out, text)
	}
	return out
}

func TestTables(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		edit func(*table.Table)
		want []string
	}{
		"nothing":              {text: "host *\n exact /a web\n prefix / api"},
		"covered by one":       {text: "host *\n segments /a web\n exact /a/b api", want: []string{"covered 0/1 by 0/0"}},
		"covered by several":   {text: "host *\n exact /a web\n prefix /a/ api\n segments /a cart", want: []string{"covered 0/2 by 0/0 0/1"}},
		"covered, for nothing": {text: "host *\n segments /a web\n exact /a/b web", want: []string{"covered 0/1 by 0/0, same outcome"}},
		"the same match":       {text: "host *\n segments /a x=1 web\n segments /a x=1 api", want: []string{"identical 0/1 by 0/0"}},
		"dead for one host only": {
			text: "host a.example\n segments /a web\n exact /a/b api\nhost b.example\n exact /a/b api",
			want: []string{"covered 0/1 by 0/0, elsewhere"},
		},
		"one rule of two hosts is one finding": {
			text: "host a.example\n segments /a web\n exact /a/b api\nhost b.example\n segments /a web\n exact /a/b api",
			want: []string{"covered 0/1 1/1 by 0/0"},
		},
		"no path":       {text: "host *\n exact /a/../b web", want: []string{"unreachable 0/0: path"}},
		"no host":       {text: "host a.example\n prefix / web\nhost a.example\n prefix / api", want: []string{"unreachable 1/0: host"}},
		"no conditions": {text: "host *\n prefix / accept=a accept=b web", want: []string{"unreachable 0/0: conditions"}},
		"no chance": {
			text: "host *\n prefix / web", want: []string{"unreachable 0/0: chance"},
			edit: func(t *table.Table) { t.Hosts[0].Rules[0].Chance = &table.Chance{Denominator: 100} },
		},
		"crossing":                               {text: "host *\n segments /a web\n prefix / x=1 api", want: []string{"crossing 0/1 by 0/0"}},
		"crossing with the same backend":         {text: "host *\n segments /a web\n prefix / x=1 web"},
		"a rule for both ahead of the two":       {text: "host *\n segments /a x=1 web\n segments /a api\n prefix / x=1 cart\n prefix / web"},
		"crossing if something else holds":       {text: "host *\n prefix / if=certificate web\n prefix / x=1 api", want: []string{"crossing 0/1 by 0/0"}},
		"crossing only if two other things hold": {text: "host *\n prefix / if=bar web\n prefix / if=baz api"},
		"pairs of one kind": {
			text: "host *\n segments /a web\n segments /b web\n segments /c web\n prefix / x=1 api", want: []string{"crossing 0/3 by 0/0, 2 more"},
		},
		"prefixes of characters are one finding for a virtual host": {
			text: "host *\n prefix /a web\n prefix /b/ web\n prefix /c web", want: []string{"string prefix 0/0: /a, 1 more"},
		},
		"a regular expression that is a prefix": {text: "host *\n regex /a.* web", want: []string{"string prefix 0/0: /a"}},
		"CONNECT": {
			text: "host *\n prefix / web", want: []string{"undecided 0/0: not modelled: connect_matcher"},
			edit: func(t *table.Table) {
				t.Hosts[0].Rules[0].Connect = true
				t.Hosts[0].Rules[0].Predicates = []table.Predicate{{Source: table.Method, Test: table.Exact, Value: "CONNECT"}}
			},
		},
		"a condition that is not modelled": {
			text: "host *\n prefix / web\n exact /a api", want: []string{"undecided 0/0: not modelled: x", "undecided 0/1: not modelled: x"},
			edit: func(t *table.Table) { t.Hosts[0].Rules[0].Unmodelled = []string{"x"} },
		},
		"an option that is not modelled": {
			text: "host *\n prefix / web", want: []string{"undecided 0/-1: not modelled: x"},
			edit: func(t *table.Table) { t.Options.Unmodelled = []string{"x"} },
		},
		"nothing to look at": {
			want: []string{"no rules 0/-1: not modelled: x"},
			edit: func(t *table.Table) { t.Options.Unmodelled = []string{"x"} },
		},
	} {
		tab := read(test.text)
		if test.edit != nil {
			test.edit(tab)
			tab.Seal()
		}
		found, err := check.Tables(context.Background(), []*table.Table{tab})
		if err != nil {
			t.Fatal(err)
		}
		if got := said(found); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
		for i := range found {
			checkRequest(t, name, &found[i])
		}
	}
}

// checkRequest: the request of a finding is matched by the rule, and won by one ahead of it.
func checkRequest(t *testing.T, name string, f *check.Finding) {
	t.Helper()
	if f.Request == nil {
		if f.Kind == check.Covered || f.Kind == check.Identical || f.Kind == check.Crossing {
			t.Errorf("%s: no request shows it", name)
		}
		return
	}
	at := f.Places[0]
	evaluator := table.Compile(at.Table)
	arrived, ok := evaluator.Arrive(*f.Request)
	won := evaluator.Evaluate(*f.Request)
	if !ok || won.Host != at.Host || won.Rule < 0 || won.Rule >= at.Rule || !evaluator.Matches(at.Get(), &arrived) {
		t.Errorf("%s: %+v does not show it: %+v", name, *f.Request, won)
	}
}

// TestTablesOfOneGateway: what two tables have in common is said once for a Gateway, and twice for two.
func TestTablesOfOneGateway(t *testing.T) {
	const text = "host a.example\n segments /a web\n exact /a/b api"
	empty := func() *table.Table {
		out := read("")
		out.Options.Unmodelled = []string{"a filter chain without HTTP"}
		return out
	}
	one, other := read(text), read(text)
	found, err := check.Tables(context.Background(), []*table.Table{one, other, empty(), empty()})
	want := []string{"covered 0/1 0/1 by 0/0", "no rules 0/-1: not modelled: a filter chain without HTTP, 1 more"}
	if got := said(found); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v %q, want %q", err, got, want)
	}
	if hosts := found[0].Hosts(); !slices.Equal(hosts, []string{"a.example"}) {
		t.Errorf("hosts %q", hosts)
	}
	other.Gateway = "other"
	found, err = check.Tables(context.Background(), []*table.Table{one, other})
	if err != nil || len(found) != 2 {
		t.Errorf("%v %q, want a finding for each Gateway", err, said(found))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := check.Tables(ctx, []*table.Table{one}); err == nil {
		t.Error("an ended context is no error")
	}
}
