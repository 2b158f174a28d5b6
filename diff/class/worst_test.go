package class_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// worstCases are tables that make some step as hard as it can be.
var worstCases = []struct {
	name string
	make func() (before, after *table.Table)
	// open: something is left undecided.
	open bool
}{
	{"64 regular expressions without a literal", independentRegexes, true},
	{"a regular expression with too many states", explosiveRegex, true},
	{"18 crossing pairs of headers", crossingHeaders, false},
	{"1,000 conditional rules on one path", manyConditions, false},
	{"1,000 conditional rules that all change", manyConditionsAllChanged, true},
	{"200 values of one header", manyValues, false},
	{"64 regular expressions of one header", headerRegexes, true},
	{"weights of coprime totals", coprimeWeights, false},
	{"chances before coprime weights", chancesAndWeights, false},
	{"12 chances in a row", manyChances, true},
	{"10,000 domains that cross", crossingDomains, true},
	{"10,000 exact and wildcard domains", nestedDomains, false},
	{"2,000 edits at once", manyEdits, true},
	{"2,000 edits of rules on one path", manyEditsOnOnePath, true},
	{"a chain of 5,000 prefixes", deepPrefixes, false},
	{"a regular expression of a megabyte", longRegex, true},
	{"10,000 rules with a header each on one path", headersOnOnePath, false},
	{"a dense question over many headers", denseQuestion, true},
}

// oneHost makes a pair of which the second has its last rule changed.
func oneHost(rules []table.Rule) (before, after *table.Table) {
	before = &table.Table{Options: tabletest.Rendered(), Hosts: []table.Host{{Domains: []string{"*"}, Rules: rules}}}
	before.Seal()
	after = tabletest.Clone(before)
	after.Hosts[0].Rules[len(rules)-1].Outcome = backend("new")
	after.Seal()
	return before, after
}

// everyOutcome changes the backends of all rules but the last.
func everyOutcome(rules []table.Rule) (before, after *table.Table) {
	before, after = oneHost(rules)
	for i := range rules[:len(rules)-1] {
		after.Hosts[0].Rules[i].Outcome = backend(fmt.Sprint("new", i))
	}
	after.Seal()
	return before, after
}

func independentRegexes() (before, after *table.Table) {
	var rules []table.Rule
	for i := range 64 {
		pattern := fmt.Sprintf(`.*%c.*%c.*`, 'a'+i%8, 'a'+i/8)
		rules = append(rules, table.Rule{Path: table.Path{Kind: table.PathRegex, Value: pattern}, Outcome: backend(fmt.Sprint("b", i))})
	}
	return oneHost(append(rules, catchAll()))
}

func explosiveRegex() (before, after *table.Table) {
	regex := table.Rule{Path: table.Path{Kind: table.PathRegex, Value: `.*a.{16}`}, Outcome: backend("a")}
	return oneHost([]table.Rule{regex, catchAll()})
}

func longRegex() (before, after *table.Table) {
	regex := table.Rule{Path: table.Path{Kind: table.PathRegex, Value: "/" + strings.Repeat("ab", 1<<19) + ".*"}, Outcome: backend("a")}
	before, after = oneHost([]table.Rule{regex, catchAll()})
	after.Hosts[0].Rules[0].Outcome = backend("b")
	after.Seal()
	return before, after
}

func header(name, value string) table.Predicate {
	return table.Predicate{Source: table.Header, Name: name, Test: table.Exact, Value: value}
}

func conditional(to string, predicates ...table.Predicate) table.Rule {
	r := catchAll()
	r.Outcome, r.Predicates = backend(to), predicates
	table.SortPredicates(r.Predicates)
	return r
}

func crossingHeaders() (before, after *table.Table) {
	var rules []table.Rule
	for i := range 18 {
		rules = append(rules, conditional("web", header(fmt.Sprint("g", i), "1"), header(fmt.Sprint("h", i), "1")))
	}
	return oneHost(append(rules, catchAll()))
}

// conditionalRules have three of twelve headers each.
func conditionalRules(n int) []table.Rule {
	r := rand.New(rand.NewPCG(3, 3))
	var rules []table.Rule
	for i := range n {
		rule := conditional(fmt.Sprint("b", i%20))
		for _, h := range r.Perm(12)[:3] {
			rule.Predicates = append(rule.Predicates, header(fmt.Sprint("h", h), fmt.Sprint(r.IntN(4))))
		}
		table.SortPredicates(rule.Predicates)
		rules = append(rules, rule)
	}
	return append(rules, catchAll())
}

func manyConditions() (before, after *table.Table) { return oneHost(conditionalRules(1000)) }
func manyConditionsAllChanged() (before, after *table.Table) {
	return everyOutcome(conditionalRules(1000))
}

func manyValues() (before, after *table.Table) {
	var rules []table.Rule
	for i := range 200 {
		rules = append(rules, conditional(fmt.Sprint("b", i), header("x-tenant", fmt.Sprint(i))))
	}
	return oneHost(append(rules, catchAll()))
}

func headerRegexes() (before, after *table.Table) {
	var rules []table.Rule
	for i := range 64 {
		p := table.Predicate{Source: table.Header, Name: "x", Test: table.Regex, Value: fmt.Sprintf(`.*%c.*%c.*`, 'a'+i%8, 'a'+i/8)}
		rules = append(rules, conditional(fmt.Sprint("b", i), p))
	}
	return oneHost(append(rules, catchAll()))
}

// split sends a to one backend of weight a and the rest of total to another.
func split(a, total uint64) table.Outcome {
	share := func(name string, weight uint64) table.Share {
		return table.Share{Backend: table.Backend{Namespace: "shop", Service: name, Port: 80}, Weight: weight}
	}
	return table.Outcome{Kind: table.ToBackends, Total: total, Backends: []table.Share{share("v1", a), share("v2", total-a)}}
}

func coprimeWeights() (before, after *table.Table) {
	rule := catchAll()
	rule.Outcome = split(1<<31, 4_294_967_291) // a prime
	before, after = oneHost([]table.Rule{rule})
	after.Hosts[0].Rules[0].Outcome = split(1<<30, 4_294_967_279)
	after.Seal()
	return before, after
}

func withChance(r table.Rule, numerator, denominator uint32) table.Rule {
	r.Chance = &table.Chance{Numerator: numerator, Denominator: denominator}
	return r
}

func chancesAndWeights() (before, after *table.Table) {
	first, second, last := catchAll(), catchAll(), catchAll()
	first.Outcome, second.Outcome, last.Outcome = split(99_991, 999_983), split(7, 4_294_967_291), split(1<<31, 4_294_967_279)
	return oneHost([]table.Rule{withChance(first, 333_333, 1_000_000), withChance(second, 50, 100), last})
}

func manyChances() (before, after *table.Table) {
	var rules []table.Rule
	for i := range 12 {
		for v := range 4 {
			rules = append(rules, withChance(conditional(fmt.Sprint("b", i, "-", v), header(fmt.Sprint("h", i), fmt.Sprint(v))), uint32(i+1), 100))
		}
	}
	return oneHost(append(rules, catchAll()))
}

// domains makes a virtual host of each, and changes the last.
func domains(names []string) (before, after *table.Table) {
	before = &table.Table{Options: tabletest.Rendered()}
	for _, name := range names {
		before.Hosts = append(before.Hosts, table.Host{Domains: []string{name}, Rules: []table.Rule{catchAll()}})
	}
	before.Seal()
	after = tabletest.Clone(before)
	after.Hosts[len(names)-1].Rules[0].Outcome = backend("new")
	after.Seal()
	return before, after
}

func crossingDomains() (before, after *table.Table) {
	var names []string
	for i := range 5000 {
		names = append(names, fmt.Sprintf("*-%d.example", i), fmt.Sprintf("a%d.*", i))
	}
	return domains(names)
}

func nestedDomains() (before, after *table.Table) {
	var names []string
	for i := range 5000 {
		names = append(names, fmt.Sprintf("h%d.example", i), "*."+strings.Repeat("a.", i%100)+fmt.Sprintf("w%d.example", i))
	}
	return domains(append(names, "*"))
}

func manyEdits() (before, after *table.Table) {
	var rules []table.Rule
	for i := range 4000 {
		path := table.Path{Kind: table.PathSegments, Value: fmt.Sprintf("/team%d/service%d", i%97, i)}
		rules = append(rules, table.Rule{Path: path, Outcome: backend(fmt.Sprint("b", i))})
	}
	before, after = oneHost(append(rules, catchAll()))
	for i := range 2000 {
		after.Hosts[0].Rules[2*i].Outcome = backend(fmt.Sprint("new", i))
	}
	after.Seal()
	return before, after
}

func manyEditsOnOnePath() (before, after *table.Table) {
	rules, _ := headersRules(2000)
	return everyOutcome(rules)
}

func deepPrefixes() (before, after *table.Table) {
	var rules []table.Rule
	for i := range 5000 {
		rules = append(rules, table.Rule{
			Path: table.Path{Kind: table.PathPrefix, Value: "/" + strings.Repeat("a/", i)}, Outcome: backend(fmt.Sprint("b", i)),
		})
	}
	slices.Reverse(rules)
	return oneHost(rules)
}

func headersRules(n int) (rules []table.Rule, names []string) {
	for i := range n {
		names = append(names, fmt.Sprint("x-h", i))
		rules = append(rules, conditional(fmt.Sprint("b", i), header(names[i], "1")))
	}
	return append(rules, catchAll()), names
}

func headersOnOnePath() (before, after *table.Table) {
	rules, _ := headersRules(10_000)
	return oneHost(rules)
}

// denseQuestion asks whether 30 yes-or-no headers can escape random clauses of three, near the ratio at which that is hardest.
func denseQuestion() (before, after *table.Table) {
	r := rand.New(rand.NewPCG(4, 4))
	var rules []table.Rule
	for i := range 1260 {
		rule := conditional(fmt.Sprint("b", i%7))
		for _, h := range r.Perm(300)[:3] {
			p := header(fmt.Sprint("h", h), "1")
			p.Invert, p.MissingAsEmpty = r.IntN(2) == 0, true
			rule.Predicates = append(rule.Predicates, p)
		}
		table.SortPredicates(rule.Predicates)
		rules = append(rules, rule)
	}
	return oneHost(append(rules, catchAll()))
}

// TestWorstCasesEnd: hostile tables end in one of two ways: with the change, or with what is not decided. That they end soon is
// counted and not timed: the budgets of Limits are counts, and BenchmarkWorstCases tells the time.
func TestWorstCasesEnd(t *testing.T) {
	for _, tt := range worstCases {
		t.Run(tt.name, func(t *testing.T) {
			before, after := tt.make()
			result, err := class.Compare(context.Background(), before, after, class.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if open := len(result.Undecided) > 0; open != tt.open {
				t.Errorf("%d classes, %d undecided regions", len(result.Classes), len(result.Undecided))
			}
			if len(result.Classes)+len(result.Undecided) == 0 {
				t.Error("the change is not seen")
			}
			for _, u := range result.Undecided {
				if len(u.Reason) > 300 {
					t.Errorf("a reason of %d bytes", len(u.Reason))
				}
			}
		})
	}
}

// impatient is a context that is cancelled when it has been asked a number of times.
type impatient struct {
	context.Context
	patience, late int
}

func (i *impatient) Err() error {
	if i.patience--; i.patience >= 0 {
		return nil
	}
	i.late++
	return context.Canceled
}

// TestWorstCasesStop: whenever the context ends, a comparison ends with its error, and does not ask it often again.
func TestWorstCasesStop(t *testing.T) {
	const late = 20
	stopped := 0
	for _, tt := range worstCases {
		before, after := tt.make()
		for _, patience := range []int{0, 2, 30} {
			ctx := &impatient{Context: context.Background(), patience: patience}
			_, err := class.Compare(ctx, before, after, class.Limits{})
			switch {
			case ctx.late == 0: // it had ended before
			case !errors.Is(err, context.Canceled):
				t.Errorf("%s, cancelled after %d looks: %v", tt.name, patience, err)
			case ctx.late > late:
				t.Errorf("%s, cancelled after %d looks: asked %d times more", tt.name, patience, ctx.late)
			default:
				stopped++
			}
		}
	}
	if stopped < len(worstCases) {
		t.Errorf("%d comparisons were stopped", stopped)
	}
}

func BenchmarkWorstCases(b *testing.B) {
	for _, tt := range worstCases {
		before, after := tt.make()
		b.Run(tt.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := class.Compare(context.Background(), before, after, class.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
