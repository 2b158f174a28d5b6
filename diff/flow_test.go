package diff

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

func service(name string) table.Backend {
	return table.Backend{Namespace: "shop", Service: name, Port: 80}
}

func broken(name string) table.Backend {
	b := service(name)
	b.Status = 500
	return b
}

// split is an outcome of backends with weights: split("a", 9, "b", 1); a name with "!" never reaches a backend.
func split(parts ...any) table.Outcome {
	o := table.Outcome{Kind: table.ToBackends}
	for i := 0; i < len(parts); i += 2 {
		name, weight := parts[i].(string), uint64(parts[i+1].(int))
		b := service(name)
		if name[0] == '!' {
			b = broken(name[1:])
		}
		o.Backends = append(o.Backends, table.Share{Backend: b, Weight: weight})
		o.Total += weight
	}
	return o
}

// mixed is an outcome between whose parts chance decides: mixed(redirect, 1, split("a", 1), 2).
func mixed(parts ...any) table.Outcome {
	o := table.Outcome{Kind: table.Mixed}
	for i := 0; i < len(parts); i += 2 {
		weight := uint64(parts[i+1].(int))
		o.Parts = append(o.Parts, table.Part{Outcome: parts[i].(table.Outcome), Weight: weight})
		o.Total += weight
	}
	return o
}

func TestFlows(t *testing.T) {
	type flow struct {
		From, To    string
		Part, Whole uint64
	}
	redirect := table.Outcome{Kind: table.Redirected, Status: 302, Location: "/x"}
	cases := map[string]struct {
		before, after table.Outcome
		want          []flow
	}{
		"a tenth moves":           {split("a", 9, "b", 1), split("a", 4, "b", 1), []flow{{"a:80", "b:80", 1, 10}}},
		"all moves":               {split("a", 1), split("b", 1), []flow{{"a:80", "b:80", 1, 1}}},
		"nothing moves":           {split("a", 9, "b", 1), split("a", 90, "b", 10), nil},
		"one into two":            {split("a", 1), split("b", 2, "c", 1), []flow{{"a:80", "b:80", 2, 3}, {"a:80", "c:80", 1, 3}}},
		"equal parts meet":        {split("a", 3, "b", 2, "c", 5), split("d", 2, "e", 3, "c", 5), []flow{{"a:80", "e:80", 3, 10}, {"b:80", "d:80", 2, 10}}},
		"a share fails":           {split("a", 1), split("a", 2, "!a", 1), []flow{{"a:80", "500", 1, 3}}},
		"a redirect to a backend": {redirect, split("a", 1), []flow{{"302 /x", "a:80", 1, 1}}},
		"a third is redirected":   {split("a", 1), mixed(redirect, 1, split("a", 1), 2), []flow{{"a:80", "302 /x", 1, 3}}},
		"weights behind a chance": {
			mixed(redirect, 1, split("a", 3, "b", 1), 1), mixed(redirect, 1, split("a", 1, "b", 3), 1), []flow{{"a:80", "b:80", 1, 4}},
		},
		"no route is an answer of 404": {table.Outcome{Kind: table.NoRoute}, table.Outcome{Kind: table.Answered, Status: 404}, nil},
		"no connection":                {table.Outcome{Kind: report.NotServed}, split("a", 1), nil},
		"coprime wholes":               {split("a", 1, "b", 4294967290), split("a", 1, "b", 4294967286), []flow{{"b:80", "a:80", 4, 18446744013580009517}}},
		"too fine for a fraction": {
			mixed(split("a", 1, "b", 4294967290), 1, redirect, 4294967290), mixed(split("a", 1, "b", 4294967286), 1, redirect, 4294967286), nil,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got []flow
			for _, f := range flows(c.before, c.after) {
				got = append(got, flow{f.From.String(), f.To.String(), f.Part, f.Whole})
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("flows (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLemma14: applied to the shares of before, the flows give the shares of after, no destination is on both
// ends, and there are no more than needed.
func TestLemma14(t *testing.T) {
	random := func(t *rapid.T, label string) table.Outcome {
		weights := func(label string) table.Outcome {
			var parts []any
			for _, name := range []string{"a", "b", "c", "d", "!e"} {
				if w := rapid.IntRange(0, 12).Draw(t, label+name); w > 0 {
					parts = append(parts, name, w)
				}
			}
			return split(append(parts, "a", 1)...)
		}
		if !rapid.Bool().Draw(t, label+"mixed") {
			return weights(label)
		}
		return mixed(weights(label+"1 "), rapid.IntRange(1, 99).Draw(t, label+"first"), table.Outcome{Kind: table.NoRoute}, 7,
			weights(label+"2 "), rapid.IntRange(1, 99).Draw(t, label+"last"))
	}
	rapid.Check(t, func(t *rapid.T) {
		before, after := random(t, "before "), random(t, "after ")
		found := flows(before, after)
		left := destinations(before)
		from, to := map[string]bool{}, map[string]bool{}
		for _, f := range found {
			share := big.NewRat(int64(f.Part), int64(f.Whole))
			addDestinations(left, f.From, new(big.Rat).Neg(share))
			addDestinations(left, f.To, share)
			from[f.From.ChoiceKey()], to[f.To.ChoiceKey()] = true, true
		}
		for key := range left {
			if from[key] && to[key] {
				t.Fatalf("%v both gives and takes", left[key].destination)
			}
		}
		if shrinking, growing := difference(left, destinations(after)); len(shrinking)+len(growing) > 0 {
			t.Fatalf("flows do not lead from before to after: %v and %v are left", shrinking, growing)
		}
		if len(found) > 0 && len(found) > len(from)+len(to)-1 {
			t.Fatalf("%d flows between %d and %d destinations", len(found), len(from), len(to))
		}
	})
}

func TestSeverity(t *testing.T) {
	none := table.Outcome{Kind: table.NoRoute}
	failed := table.Outcome{Kind: table.Answered, Status: 500}
	hello := table.Outcome{Kind: table.Answered, Status: 200}
	redirect := table.Outcome{Kind: table.Redirected, Status: 302, Location: "/x"}
	slow := split("a", 1)
	slow.Treatment = []table.Treatment{{Name: "timeout", Value: "1s"}}
	cases := []struct {
		name          string
		before, after []table.Outcome
		want          report.Severity
	}{
		{"backend to 404", []table.Outcome{split("a", 1)}, []table.Outcome{none}, report.Lost},
		{"backend to 500", []table.Outcome{split("a", 1)}, []table.Outcome{failed}, report.Lost},
		{"redirect to 404", []table.Outcome{redirect}, []table.Outcome{none}, report.Lost},
		{"a third to 500", []table.Outcome{split("a", 1)}, []table.Outcome{split("a", 2, "!b", 1)}, report.Lost},
		{"more to 500", []table.Outcome{split("a", 2, "!b", 1)}, []table.Outcome{split("a", 1, "!b", 1)}, report.Lost},
		{"less to 500", []table.Outcome{split("a", 1, "!b", 1)}, []table.Outcome{split("a", 2, "!b", 1)}, report.Gained},
		{"less to 500, the rest moves", []table.Outcome{split("a", 1, "!b", 1)}, []table.Outcome{split("c", 1)}, report.Moves},
		{"backend to backend", []table.Outcome{split("a", 1)}, []table.Outcome{split("b", 1)}, report.Moves},
		{"backend to redirect", []table.Outcome{split("a", 1)}, []table.Outcome{redirect}, report.Moves},
		{"backend to an answer", []table.Outcome{split("a", 1)}, []table.Outcome{hello}, report.Moves},
		{"404 to 500", []table.Outcome{none}, []table.Outcome{failed}, report.Moves},
		{"404 to backend", []table.Outcome{none}, []table.Outcome{split("a", 1)}, report.Gained},
		{"404 to redirect", []table.Outcome{none}, []table.Outcome{redirect}, report.Gained},
		{"other timeout", []table.Outcome{split("a", 1)}, []table.Outcome{slow}, report.Treated},
		{"the worst of many", []table.Outcome{none, split("a", 1)}, []table.Outcome{failed}, report.Lost},
		{"a part to 404", []table.Outcome{split("a", 1)}, []table.Outcome{mixed(none, 1, split("a", 1), 3)}, report.Lost},
		{"a part to a redirect", []table.Outcome{split("a", 1)}, []table.Outcome{mixed(redirect, 1, split("a", 1), 3)}, report.Moves},
		{"a part of 404 to a backend", []table.Outcome{mixed(none, 1, redirect, 1)}, []table.Outcome{mixed(split("a", 1), 1, redirect, 1)}, report.Gained},
		{"the same in other parts", []table.Outcome{mixed(split("a", 1), 1, none, 1)}, []table.Outcome{mixed(none, 2, split("a", 1), 2)}, report.Treated},
		{"no connection", []table.Outcome{split("a", 1)}, []table.Outcome{{Kind: report.NotServed}}, report.Lost},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := severity(c.before, c.after); got != c.want {
				t.Errorf("severity = %s, want %s", got, c.want)
			}
		})
	}
}

func TestWeightsDetail(t *testing.T) {
	share := func(cluster string, weight uint64) table.Share {
		return table.Share{Backend: table.Backend{Cluster: cluster}, Weight: weight}
	}
	cases := map[string]struct {
		before, after table.Outcome
		want          string
	}{
		"as in the file":   {table.Split(share("a", 70), share("b", 10)), table.Split(share("a", 60), share("b", 20)), "weights 70/10 → 60/20"},
		"in another order": {table.Split(share("b", 10), share("a", 70)), table.Split(share("b", 1), share("a", 1)), "weights 70/10 → 1/1"},
		"one share":        {table.Split(share("a", 90), share("b", 10)), split("a", 9, "b", 1), ""},
		"a backend joins":  {split("a", 1), split("a", 9, "b", 1), "weights 100/0 → 9/1"},
		"thirds":           {split("a", 2, "b", 1), split("a", 1, "b", 2), "weights 2/1 → 1/2"},
		"another backend":  {split("a", 1), split("b", 1), ""},
		"the same":         {split("a", 1), split("a", 1), ""},
		"too many to read": {split("a", 1), split("a", 1, "b", 1, "c", 1, "d", 1, "e", 1), ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := weights(c.before, c.after); got != c.want {
				t.Errorf("weights = %q, want %q", got, c.want)
			}
		})
	}
}
