package automaton

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestExploreFindsReadableWitnesses(t *testing.T) {
	paths, _ := Compile(`/[!-~]*`, 0)
	regex, _ := Compile(`/api/v[0-9]+(/.*)?`, 0)
	for _, tt := range []struct {
		name string
		e    Exploration
		want []string
	}{
		{"a prefix", Exploration{Base: Literal{Prefix, "/"}, Language: paths}, []string{"/"}},
		{"any path", Exploration{Language: paths}, []string{"/"}},
		{"below an exact path", Exploration{Base: Literal{SegmentPrefix, "/a"}, Without: []Literal{{Exact, "/a"}}, Language: paths}, []string{"/a/"}},
		{"nothing left", Exploration{Base: Literal{SegmentPrefix, "/a"}, Without: []Literal{{Exact, "/a"}, {Prefix, "/a/"}}, Language: paths}, nil},
		{"all taken", Exploration{Base: Literal{SegmentPrefix, "/a"}, Without: []Literal{{Prefix, "/a"}}, Language: paths}, nil},
		{"with a regex", Exploration{Base: Literal{Prefix, "/"}, Language: paths, Tests: []*DFA{regex}}, []string{"/", "/api/v0"}},
		{"outside the language", Exploration{Base: Literal{Exact, "/a b"}, Language: paths}, nil},
	} {
		found, err := tt.e.Run()
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		var got []string
		for _, v := range found {
			got = append(got, v.Witness)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestLemma13 compares with all strings up to six bytes over a small alphabet.
func TestLemma13(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	language, _ := Compile(`/[ab/-]{0,5}`, 0)
	var strs []string
	for layer := []string{"/"}; len(layer[0]) <= 6; {
		strs = append(strs, layer...)
		var next []string
		for _, s := range layer {
			for _, b := range "ab/-" {
				next = append(next, s+string(b))
			}
		}
		layer = next
	}
	patterns := []string{`/.*a`, `/(a|b)+`, `.*//.*`, `/[^/]*(/.*)?`, `/a.*`}
	for range 200 {
		e := Exploration{Base: Literal{Kind(r.IntN(2)), "/"}, Language: language}
		if r.IntN(2) == 0 {
			e.Base.Text = "/a"
		}
		for range r.IntN(4) {
			l := Literal{Kind(r.IntN(3)), e.Base.Text + []string{"a", "/", "/a", "-", "/b/", ""}[r.IntN(6)]}
			if e.Base.Contains(l.Text) {
				e.Without = append(e.Without, l)
			}
		}
		for _, i := range r.Perm(len(patterns))[:r.IntN(3)] {
			d, _ := Compile(patterns[i], 0)
			e.Tests = append(e.Tests, d)
		}
		want := map[string]int{}
		for _, s := range strs {
			if !e.Base.Contains(s) || slices.ContainsFunc(e.Without, func(l Literal) bool { return l.Contains(s) }) {
				continue
			}
			key := truthOf(e.Tests, s)
			if n, ok := want[key]; !ok || len(s) < n {
				want[key] = len(s)
			}
		}
		found, err := e.Run()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, v := range found {
			if key := truthOf(e.Tests, v.Witness); key != fmt.Sprint(v.Truth) {
				t.Fatalf("witness %q has %s, not %v", v.Witness, key, v.Truth)
			}
			got[fmt.Sprint(v.Truth)] = len(v.Witness)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("base %v without %v: %v, want %v", e.Base, e.Without, got, want)
		}
	}
}

func truthOf(tests []*DFA, s string) string {
	truth := make([]bool, len(tests))
	for i, d := range tests {
		truth[i] = d.Matches(s)
	}
	return fmt.Sprint(truth)
}

func TestExploreBudget(t *testing.T) {
	var tests []*DFA
	for i := range 30 {
		d, err := Compile(fmt.Sprintf(`.*%c.*`, 'a'+i), 0)
		if err != nil {
			t.Fatal(err)
		}
		tests = append(tests, d)
	}
	e := Exploration{Tests: tests, Limit: 10_000}
	if _, err := e.Run(); !errors.Is(err, ErrBudget) {
		t.Errorf("30 independent tests within 10,000 states: %v", err)
	}
	e.Enough = 1
	if found, err := e.Run(); err != nil || len(found) != 1 || strings.TrimSpace(found[0].Witness) != "" {
		t.Errorf("one vector is enough: %v, %v", found, err)
	}
}
