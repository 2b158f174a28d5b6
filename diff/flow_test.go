package diff

import (
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

func TestFlows(t *testing.T) {
	type flow struct {
		From, To    string
		Part, Whole uint64
	}
	cases := map[string]struct {
		before, after table.Outcome
		want          []flow
	}{
		"a tenth moves":          {split("a", 9, "b", 1), split("a", 4, "b", 1), []flow{{"a", "b", 1, 10}}},
		"all moves":              {split("a", 1), split("b", 1), []flow{{"a", "b", 1, 1}}},
		"nothing moves":          {split("a", 9, "b", 1), split("a", 90, "b", 10), nil},
		"one into two":           {split("a", 1), split("b", 2, "c", 1), []flow{{"a", "b", 2, 3}, {"a", "c", 1, 3}}},
		"equal parts meet":       {split("a", 3, "b", 2, "c", 5), split("d", 2, "e", 3, "c", 5), []flow{{"a", "e", 3, 10}, {"b", "d", 2, 10}}},
		"a share fails":          {split("a", 1), split("a", 2, "!a", 1), []flow{{"a", "a", 1, 3}}},
		"a redirect has no flow": {table.Outcome{Kind: table.Redirected, Status: 302}, split("a", 1), nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got []flow
			for _, f := range flows(c.before, c.after) {
				got = append(got, flow{f.From.Service, f.To.Service, f.Part, f.Whole})
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("flows (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFlowsExplainTheDifference: applied to the shares of before, the flows give the shares of after, and no backend is on
// both ends.
func TestFlowsExplainTheDifference(t *testing.T) {
	random := func(t *rapid.T, label string) table.Outcome {
		var parts []any
		for _, name := range []string{"a", "b", "c", "d", "!e"} {
			if w := rapid.IntRange(0, 12).Draw(t, label+name); w > 0 {
				parts = append(parts, name, w)
			}
		}
		if len(parts) == 0 {
			parts = []any{"a", 1}
		}
		return split(parts...)
	}
	rapid.Check(t, func(t *rapid.T) {
		before, after := random(t, "before "), random(t, "after ")
		found := flows(before, after)
		whole := leastCommonMultiple(before.Total, after.Total)
		got := distribution(before, whole)
		from, to := map[table.Backend]bool{}, map[table.Backend]bool{}
		for _, f := range found {
			size := f.Part * (whole / f.Whole)
			got[f.From] -= size
			got[f.To] += size
			from[f.From], to[f.To] = true, true
		}
		for b := range got {
			if from[b] && to[b] {
				t.Fatalf("%v both gives and takes", b)
			}
			if got[b] == 0 {
				delete(got, b)
			}
		}
		if diff := cmp.Diff(distribution(after, whole), got); diff != "" {
			t.Fatalf("flows do not lead from before to after (-want +got):\n%s", diff)
		}
		if len(found) > 0 && len(found) > len(from)+len(to)-1 {
			t.Fatalf("%d flows between %d and %d backends", len(found), len(from), len(to))
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
	cases := map[string]struct {
		before, after table.Outcome
		want          string
	}{
		"in hundredths":    {split("a", 9, "b", 1), split("a", 4, "b", 1), "weights 90/10 → 80/20"},
		"a backend joins":  {split("a", 1), split("a", 9, "b", 1), "weights 100/0 → 90/10"},
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
