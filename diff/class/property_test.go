package class_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

var (
	seed  = flag.Uint64("seed", 1, "first seed of the random pairs of tables")
	pairs = flag.Int("pairs", 220, "number of random pairs of tables")
)

const requestsPerPair = 250

// TestClassesAgainstEvaluator is the whole claim of the package: a request changes exactly when it is in one class, and
// then in the only one, of the facet that changes. Undecided are only requests that options which differ concern.
func TestClassesAgainstEvaluator(t *testing.T) {
	var total tally
	for i := range *pairs {
		s := *seed + uint64(i)
		t.Run(fmt.Sprint("seed=", s), func(t *testing.T) { total.add(checkPair(t, s)) })
	}
	t.Logf("%d pairs, %d requests: %d changed, %d undecided; %d classes", *pairs, total.requests, total.changed, total.undecided, total.classes)
	if total.changed == 0 || total.changed == total.requests || total.undecided > total.requests/10 {
		t.Error("the pairs show nothing")
	}
}

// TestPortsThatAreTakenOff: a domain with a port is reached where options take ports off, if enough of them are sent.
func TestPortsThatAreTakenOff(t *testing.T) {
	for _, strip := range []bool{false, true} {
		for _, ignore := range []bool{false, true} {
			before := hosts(t, "host shop.example:80\nprefix / -> web")
			before.Options.StripAnyHostPort, before.Options.IgnoreHostPort = strip, ignore
			after := tabletest.Clone(before)
			after.Hosts[0].Rules[0].Outcome = backend("new")
			after.Seal()
			result, err := class.Compare(context.Background(), before, after, class.Limits{})
			if err != nil || len(result.Classes) != 1 || len(result.Undecided) > 0 {
				t.Errorf("strip %v, ignore %v: %v %s", strip, ignore, err, words(result))
			}
		}
	}
}

type tally struct{ requests, changed, undecided, classes int }

func (t *tally) add(o tally) {
	t.requests += o.requests
	t.changed += o.changed
	t.undecided += o.undecided
	t.classes += o.classes
}

// randomPair draws two tables, mostly one and an edit of it, each second pair with every kind of condition, and some pairs with
// options that differ.
func randomPair(s uint64) (*rand.Rand, *table.Table, *table.Table) {
	r := rand.New(rand.NewPCG(s, 17))
	options, more := tabletest.Rendered(), tabletest.Dimensions{}
	if r.IntN(3) == 0 {
		options = tabletest.RandomWideOptions(r, 80)
	}
	if r.IntN(2) == 0 {
		more = tabletest.Wide()
		more.Free = tabletest.FreeConditions()
	}
	before := tabletest.RandomWideTable(r, options, more)
	after := tabletest.EditWide(r, before, more)
	if r.IntN(10) == 0 {
		after = tabletest.RandomWideTable(r, options, more)
	}
	switch r.IntN(8) {
	case 0:
		after.Options = tabletest.RandomWideOptions(r, 80)
	case 1:
		after.Options = oneOptionOf(r, after.Options, tabletest.RandomWideOptions(r, 80))
	}
	return r, before, after
}

// oneOptionOf changes one option, as people do.
func oneOptionOf(r *rand.Rand, o, other table.Options) table.Options {
	switch r.IntN(7) {
	case 0:
		o.NormalizePath = !o.NormalizePath
	case 1:
		o.MergeSlashes = !o.MergeSlashes
	case 2:
		o.EscapedSlashes = other.EscapedSlashes
	case 3:
		o.IgnoreHostPort = !o.IgnoreHostPort
	case 4:
		o.StripAnyHostPort, o.StripHostPort, o.StripTrailingDot = other.StripAnyHostPort, other.StripHostPort, other.StripTrailingDot
	case 5:
		o.Underscores, o.UseRemoteAddress = other.Underscores, other.UseRemoteAddress
	case 6:
		o.IgnorePathParameters = !o.IgnorePathParameters
	}
	return o
}

func checkPair(t *testing.T, s uint64) tally {
	r, before, after := randomPair(s)
	result, err := class.Compare(context.Background(), before, after, class.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := class.Compare(context.Background(), before, after, class.Limits{})
	if err != nil || words(again) != words(result) {
		t.Errorf("a second comparison says another thing: %v\n%s\n%s", err, words(result), words(again))
	}
	counts := tally{classes: len(result.Classes)}
	sameOptions := before.Options.Equal(after.Options)
	for _, u := range result.Undecided {
		if sameOptions {
			t.Errorf("undecided: %s: %+v, %+v", u.Reason, u.Area, u.Samples)
		}
		for _, sample := range u.Samples {
			if !u.Contains(sample) {
				t.Errorf("%s: the sample %+v is not in the region", u.Reason, sample)
			}
		}
	}
	evaluators := [2]*table.Evaluator{table.Compile(before), table.Compile(after)}
	areas := areaMatchers(result, before.Options)
	requests := tabletest.Requests(r, requestsPerPair, before, after)
	for i := 0; i < len(requests); i += 4 {
		requests[i] = tabletest.OverHTTP2(requests[i])
	}
	for _, c := range result.Classes {
		requests = append(requests, c.Witness)
	}
	for _, request := range requests {
		counts.requests++
		if inUndecided(result, request) {
			counts.undecided++
			checkSentArea(t, result, request)
			if countClasses(result, request) > 0 {
				t.Errorf("%+v is undecided, and in a class", request)
			}
			continue
		}
		if changed := checkRequest(t, evaluators, result, request); changed {
			counts.changed++
			if evaluators[0].Evaluate(request).Reached {
				checkAreas(t, areas, request)
			}
		}
	}
	checkCoverers(t, result, before, after, requests)
	return counts
}

// checkSentArea: the areas of what options leave undecided are over requests as they are sent, and hold all that is undecided.
func checkSentArea(t *testing.T, result *class.Result, request table.Request) {
	t.Helper()
	path, _, _ := strings.Cut(request.Path, "?")
	for _, u := range result.Undecided {
		if u.Contains(request) && (!inPatterns(u.Area.Hosts, request.Host) || !inPatterns(u.Area.Paths, path)) {
			t.Errorf("%+v is undecided, and not in the area: %s", request, words(&class.Result{Undecided: []class.Undecided{u}}))
		}
	}
}

// inPatterns tells whether one of the regular expressions matches. Terms of another kind hold everything.
func inPatterns(t class.Terms, text string) bool {
	for _, term := range t.Include {
		pattern, err := automaton.Compile(term.Value, 1000)
		if term.Kind != class.TermRegex || err == nil && pattern.Matches(text) {
			return true
		}
	}
	return false
}

// areaMatchers are the areas of all classes, each by itself.
func areaMatchers(result *class.Result, o table.Options) []func(table.Request) bool {
	var out []func(table.Request) bool
	for _, c := range result.Classes {
		for _, a := range c.Areas {
			out = append(out, class.AreaContains(o, a))
		}
	}
	return out
}

// checkAreas: areas do not overlap.
func checkAreas(t *testing.T, areas []func(table.Request) bool, request table.Request) {
	t.Helper()
	n := 0
	for _, contains := range areas {
		if contains(request) {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%+v is in %d areas", request, n)
	}
}

// checkCoverers: an edited rule that is covered wins no request, and what it matches a coverer matches.
func checkCoverers(t *testing.T, result *class.Result, before, after *table.Table, requests []table.Request) {
	t.Helper()
	for _, e := range result.Effectless {
		tab, ref := after, result.Edits[e.Edit].After
		if ref == nil {
			tab, ref = before, result.Edits[e.Edit].Before
		}
		if len(e.Coverers) == 0 {
			continue
		}
		evaluator := table.Compile(tab)
		rules := tab.Hosts[ref.Host].Rules
		for _, request := range requests {
			d := evaluator.Evaluate(request)
			arrived, ok := evaluator.Arrive(request)
			if !ok || d.Host != ref.Host || !evaluator.Matches(&rules[ref.Rule], &arrived) {
				continue
			}
			covered := false
			for _, by := range e.Coverers {
				covered = covered || by.Rule < ref.Rule && evaluator.Matches(&rules[by.Rule], &arrived)
			}
			if d.Rule == ref.Rule || !covered {
				t.Errorf("%+v: rule %v is said to be covered by %v, but rule %d wins", request, *ref, e.Coverers, d.Rule)
			}
		}
	}
}

func checkRequest(t *testing.T, evaluators [2]*table.Evaluator, result *class.Result, request table.Request) (changed bool) {
	t.Helper()
	b, a := evaluators[0].Evaluate(request), evaluators[1].Evaluate(request)
	changed = b.Outcome.Key() != a.Outcome.Key()
	facet := class.FacetBackend
	if table.SameBackends(b.Outcome, a.Outcome) {
		facet = class.FacetTreatment
	}
	var in []int
	for i := range result.Classes {
		if result.Classes[i].Contains(request) {
			in = append(in, i)
		}
	}
	switch {
	case changed && len(in) != 1, !changed && len(in) != 0:
		t.Errorf("%+v: %s -> %s, in classes %v", request, b.Outcome, a.Outcome, in)
	case changed && result.Classes[in[0]].Facet != facet:
		t.Errorf("%+v: changes its %s, but the class its %s", request, facet, result.Classes[in[0]].Facet)
	case changed:
		checkOutcomes(t, &result.Classes[in[0]], request, b.Outcome, a.Outcome)
	}
	return changed
}

// checkOutcomes: the outcomes of a class are those of all its requests.
func checkOutcomes(t *testing.T, c *class.Class, request table.Request, before, after table.Outcome) {
	t.Helper()
	has := func(list []table.Outcome, o table.Outcome) bool {
		for _, other := range list {
			if other.Key() == o.Key() {
				return true
			}
		}
		return false
	}
	if !c.MoreOutcomes && (!has(c.Before, before) || !has(c.After, after)) {
		t.Errorf("%+v: %s -> %s is not among the class's outcomes %v -> %v", request, before, after, c.Before, c.After)
	}
}
