package tabletest

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

// ShapeEdit is a usual edit of one virtual host of a Shaped table, which has at least two rules.
type ShapeEdit struct {
	Name string
	edit func(r *rand.Rand, rules []table.Rule) []table.Rule
}

// ShapeEdits are what people do to large tables.
var ShapeEdits = []ShapeEdit{
	{"none", func(_ *rand.Rand, rules []table.Rule) []table.Rule { return rules }},
	{"backend", func(r *rand.Rand, rules []table.Rule) []table.Rule {
		rules[r.IntN(len(rules)-1)].Outcome = toService("elsewhere")
		return rules
	}},
	{"delete", func(r *rand.Rand, rules []table.Rule) []table.Rule {
		at := r.IntN(len(rules) - 1)
		return slices.Delete(rules, at, at+1)
	}},
	{"canary", func(r *rand.Rand, rules []table.Rule) []table.Rule {
		literal, _, _ := strings.Cut(strings.TrimRight(rules[r.IntN(len(rules)-1)].Path.Value, "/"), "[")
		return slices.Insert(rules, 0, headerRule(table.Path{Kind: table.PathSegments, Value: literal}))
	}},
	{"catch-all", func(_ *rand.Rand, rules []table.Rule) []table.Rule {
		rules[len(rules)-1].Outcome = toService("elsewhere")
		return rules
	}},
	{"swap", func(r *rand.Rand, rules []table.Rule) []table.Rule {
		i, j := r.IntN(len(rules)-1), r.IntN(len(rules)-1)
		rules[i], rules[j] = rules[j], rules[i]
		return rules
	}},
	{"regex", func(r *rand.Rand, rules []table.Rule) []table.Rule {
		if at := next(r, rules, table.PathRegex); at >= 0 {
			rules[at].Path.Value += "(/extra)?"
		}
		return rules
	}},
	{"regex on top", func(_ *rand.Rand, rules []table.Rule) []table.Rule {
		return slices.Insert(rules, 0, table.Rule{
			Path: table.Path{Kind: table.PathRegex, Value: `.*/admin(/.*)?`}, Outcome: toService("admin"),
		})
	}},
	{"refactor", func(r *rand.Rand, rules []table.Rule) []table.Rule {
		at := next(r, rules, table.PathSegments)
		below := rules[at]
		below.Path = table.Path{Kind: table.PathPrefix, Value: below.Path.Value + "/"}
		rules[at].Path.Kind = table.PathExact
		return slices.Insert(rules, at+1, below)
	}},
	{"header on top", func(_ *rand.Rand, rules []table.Rule) []table.Rule {
		return slices.Insert(rules, 0, headerRule(table.Path{Kind: table.PathPrefix, Value: "/"}))
	}},
}

func headerRule(path table.Path) table.Rule {
	return table.Rule{
		Path: path, Outcome: toService("canary"),
		Predicates: []table.Predicate{{Source: table.Header, Name: "x-version", Test: table.Exact, Value: "2"}},
	}
}

// next is the first rule with a kind of path from a random place on, -1 for none. Of regular expressions it is one below a team.
func next(r *rand.Rand, rules []table.Rule, kind table.PathKind) int {
	from := r.IntN(len(rules))
	for i := range rules {
		at := (from + i) % len(rules)
		if path := rules[at].Path; path.Kind == kind && (kind != table.PathRegex || strings.HasPrefix(path.Value, "/team-")) {
			return at
		}
	}
	return -1
}

// Apply returns an edited copy of a table, sealed; the same seed edits the same rule.
func (e ShapeEdit) Apply(seed uint64, t *table.Table) *table.Table {
	r := rand.New(rand.NewPCG(seed, seed))
	edited := Clone(t)
	host := &edited.Hosts[r.IntN(len(t.Hosts))]
	host.Rules = e.edit(r, host.Rules)
	edited.Seal()
	return edited
}
