package verify

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/automaton"
)

// TestWalkAgainstEnumeration: the walk finds just the combinations that some string of the language has.
func TestWalkAgainstEnumeration(t *testing.T) {
	const alphabet, longest = "ab/", 6
	patterns := []string{`/a.*`, `.*b`, `/(a|b/)*`, `[^b]*`, `(?i)/AB?`, `.{4}`}
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 5))
		q := question{language: mustCompile(t, `/[ab/]{0,5}`), budget: &budget{ctx: t.Context(), left: DefaultSteps}}
		for range r.IntN(7) {
			text := ""
			for range r.IntN(4) {
				text += string(alphabet[r.IntN(len(alphabet))])
			}
			q.literals = append(q.literals, literal{literalKind(r.IntN(4)), text})
		}
		for range r.IntN(3) {
			q.tests = append(q.tests, mustCompile(t, patterns[r.IntN(len(patterns))]))
		}
		if r.IntN(2) == 0 && len(q.literals) > 0 {
			q.wantedLiterals, q.wantedTests = make([]bool, len(q.literals)), make([]bool, len(q.tests))
			q.wantedLiterals[r.IntN(len(q.literals))] = true
		}
		answers, err := q.run()
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{}
		for _, s := range stringsOver(alphabet, longest) {
			if a := answerOfString(&q, s); q.language.Matches(s) && wantedAnswer(&q, a) {
				want[combination(a)] = true
			}
		}
		for _, a := range answers {
			if !want[combination(a)] || combination(answerOfString(&q, a.witness)) != combination(a) {
				t.Errorf("seed %d: %+v is no answer", seed, a)
			}
			delete(want, combination(a))
		}
		if len(want) > 0 {
			t.Errorf("seed %d: %d combinations are missing", seed, len(want))
		}
	}
}

func mustCompile(t *testing.T, pattern string) *automaton.DFA {
	t.Helper()
	d, err := automaton.Compile(pattern, 0)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func stringsOver(alphabet string, longest int) []string {
	all, last := []string{""}, []string{""}
	for range longest {
		var next []string
		for _, s := range last {
			for _, b := range alphabet {
				next = append(next, s+string(b))
			}
		}
		all, last = append(all, next...), next
	}
	return all
}

func answerOfString(q *question, s string) answer {
	a := answer{witness: s}
	for i, l := range q.literals {
		rest, begins := strings.CutPrefix(s, l.text)
		if begins && map[literalKind]bool{
			exactly: rest == "", beginning: true, longer: rest != "", segmentwise: rest == "" || rest[0] == '/',
		}[l.kind] {
			a.literals = append(a.literals, i)
		}
	}
	for i, d := range q.tests {
		if d.Matches(s) {
			a.tests = append(a.tests, i)
		}
	}
	return a
}

func wantedAnswer(q *question, a answer) bool {
	return q.wantedLiterals == nil || slices.ContainsFunc(a.literals, func(i int) bool { return q.wantedLiterals[i] }) ||
		slices.ContainsFunc(a.tests, func(i int) bool { return q.wantedTests[i] })
}

func combination(a answer) string { return string(encodeSet(encodeSet(nil, a.literals), a.tests)) }

func TestBudgetEndsTheWalk(t *testing.T) {
	q := question{language: mustCompile(t, `/[!-~]*`), tests: []*automaton.DFA{mustCompile(t, `.*a.{11}`)}, budget: &budget{ctx: t.Context(), left: 1000}}
	if _, err := q.run(); err == nil {
		t.Error("more than 1000 steps were taken")
	}
}
