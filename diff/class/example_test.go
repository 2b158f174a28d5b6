package class_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// rule reads "segments /orders x-env=canary ?debug POST -> orders".
func rule(t *testing.T, text string) table.Rule {
	t.Helper()
	match, to, _ := strings.Cut(text, " -> ")
	words := strings.Fields(match)
	r := table.Rule{Outcome: backend(to), Path: table.Path{Value: words[1], Kind: map[string]table.PathKind{
		"prefix": table.PathPrefix, "segments": table.PathSegments, "exact": table.PathExact, "regex": table.PathRegex,
	}[words[0]]}}
	if parts := strings.Split(to, ","); len(parts) == 2 {
		r.Outcome = weighted(t, parts[0], parts[1])
	}
	for _, w := range words[2:] {
		p := table.Predicate{Test: table.Present}
		if name, value, found := strings.Cut(w, "="); found {
			w, p.Test, p.Value = name, table.Exact, value
		}
		switch {
		case w == strings.ToUpper(w):
			p = table.Predicate{Source: table.Method, Test: table.Exact, Value: w}
		case strings.HasPrefix(w, "?"):
			p.Source, p.Name = table.Query, w[1:]
		default:
			p.Name = w
		}
		r.Predicates = append(r.Predicates, p)
	}
	return r
}

// weighted reads "v1:90", "v2:10".
func weighted(t *testing.T, shares ...string) table.Outcome {
	t.Helper()
	out := table.Outcome{Kind: table.ToBackends}
	for _, s := range shares {
		name, weight, _ := strings.Cut(s, ":")
		var n uint64
		if _, err := fmt.Sscan(weight, &n); err != nil {
			t.Fatal(err)
		}
		out.Backends = append(out.Backends, table.Share{Backend: table.Backend{Service: name}, Weight: n})
		out.Total += n
	}
	return out
}

// hosts reads a table: a line "host domain..." begins a virtual host, others are its rules.
func hosts(t *testing.T, text string) *table.Table {
	t.Helper()
	out := &table.Table{Options: tabletest.Rendered()}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if domains, ok := strings.CutPrefix(line, "host "); ok {
			out.Hosts = append(out.Hosts, table.Host{Domains: strings.Fields(domains)})
		} else if line != "" {
			h := &out.Hosts[len(out.Hosts)-1]
			h.Rules = append(h.Rules, rule(t, line))
		}
	}
	out.Seal()
	return out
}

// words writes a result for people who read tests.
func words(r *class.Result) string {
	var out strings.Builder
	for _, c := range r.Classes {
		kind := r.Edits[c.Edit].Kind
		fmt.Fprintf(&out, "%s, %s: %v -> %v", kind, c.Facet, c.Before, c.After)
		if c.OnlyRepeated {
			out.WriteString(", only repeated")
		}
		fmt.Fprintf(&out, "\n  %s %s%s", c.Witness.Method, c.Witness.Host, c.Witness.Path)
		for _, f := range c.Witness.Headers {
			fmt.Fprintf(&out, " %s=%s", f.Name, f.Value)
		}
		out.WriteByte('\n')
		for _, a := range c.Areas {
			fmt.Fprintf(&out, "  %s %s%s\n", termsText(a.Hosts), termsText(a.Paths), conditionsText(a))
		}
	}
	for _, e := range r.Effectless {
		fmt.Fprintf(&out, "without effect: %s", r.Edits[e.Edit].Kind)
		for _, by := range e.Coverers {
			fmt.Fprintf(&out, ", covered by %d", by.Rule)
		}
		out.WriteByte('\n')
	}
	for _, u := range r.Undecided {
		fmt.Fprintf(&out, "undecided: %s\n  %s %s%s\n", u.Reason, termsText(u.Area.Hosts), termsText(u.Area.Paths), conditionsText(u.Area))
	}
	return out.String()
}

func termsText(t class.Terms) string {
	list := func(terms []class.Term) string {
		var out []string
		for _, t := range terms {
			form := map[class.TermKind]string{
				class.TermAny: "any%s", class.TermExact: "=%s", class.TermPrefix: "%s*", class.TermSegments: "%s/",
				class.TermSuffix: "*%s", class.TermRegex: "~%s",
			}[t.Kind]
			out = append(out, fmt.Sprintf(form, t.Value))
		}
		return strings.Join(out, ",")
	}
	out := list(t.Include)
	if len(t.Within) > 0 {
		out += " within " + list(t.Within)
	}
	if len(t.Exclude) > 0 {
		out += " except " + list(t.Exclude)
	}
	return out
}

func conditionsText(a class.Area) string {
	one := func(list []class.Condition) string {
		var out string
		for _, c := range list {
			out += " "
			if c.Not != c.Invert {
				out += "not:"
			}
			out += map[table.Source]string{table.Query: "?"}[c.Source] + c.Name
			if c.Test != table.Present {
				out += "=" + c.Value
			}
		}
		return out
	}
	out := one(a.Conditions)
	for _, e := range a.Except {
		out += " except(" + strings.TrimSpace(one(e)) + ")"
	}
	return out
}

func TestExamples(t *testing.T) {
	for _, tt := range examples {
		t.Run(tt.name, func(t *testing.T) {
			before, after := hosts(t, tt.before), hosts(t, tt.after)
			result, err := class.Compare(context.Background(), before, after, class.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			want := strings.ReplaceAll(tt.want, "\n\t\t", "\n")
			if diff := cmp.Diff(want, strings.TrimSpace(words(result))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEqualTables(t *testing.T) {
	for _, shape := range tabletest.Shapes {
		before := tabletest.Shaped(shape, 1000)
		after := tabletest.Clone(before)
		for h := range after.Hosts {
			after.Hosts[h].Name = "renamed"
			for i := range after.Hosts[h].Rules {
				after.Hosts[h].Rules[i].Name = "renamed"
				after.Hosts[h].Rules[i].Origin.Name = "renamed"
			}
		}
		after.Seal()
		slices.Reverse(after.Hosts)
		result, err := class.Compare(context.Background(), before, after, class.Limits{})
		if err != nil || words(result) != "" || len(result.Edits) > 0 {
			t.Errorf("%s: %v, %s, edits %v", shape, err, words(result), result.Edits)
		}
	}
}
