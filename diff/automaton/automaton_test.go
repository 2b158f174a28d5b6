package automaton

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"testing"
)

// latin1 decodes bytes one to one, which makes Go's regexp work as RE2 does in Latin-1.
func latin1(s string) string {
	out := make([]rune, len(s))
	for i := range len(s) {
		out[i] = rune(s[i])
	}
	return string(out)
}

func matchesGo(t *testing.T, pattern, text string) bool {
	t.Helper()
	re, err := regexp.Compile(`^(?:` + latin1(pattern) + `)$`)
	if err != nil {
		t.Skip("not a pattern for Go")
	}
	// $ without (?m) is \z for Go's Perl flags, so a full match needs no more.
	return re.MatchString(latin1(text))
}

func TestCompileAsRE2InLatin1(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		want          bool
	}{
		{`a.b`, "a\xffb", true}, // notes C1: any byte is one character
		{`a.b`, "aéb", false},
		{`a..b`, "aéb", true},
		{`[é]`, "\xc3", true},
		{`[é]`, "\xa9", true},
		{`[é]`, "é", false},
		{`\pL`, "\xe9", true},
		{`(?i)k`, "K", true},
		{`/api/v[0-9]+/orders(/.*)?`, "/api/v12/orders/x", true},
		{`/api/v[0-9]+/orders(/.*)?`, "/api/v12/ordersx", false},
		{`a\b`, "a", true},
		{`a\bb`, "ab", false},
		{`(?m)a$\n^b`, "a\nb", true},
		{``, "", true},
		{`a{3}`, "aaa", true},
	} {
		d, err := Compile(tt.pattern, 0)
		if err != nil {
			t.Fatalf("Compile(%q): %v", tt.pattern, err)
		}
		if got := d.Matches(tt.text); got != tt.want {
			t.Errorf("%q on %q: %v, want %v", tt.pattern, tt.text, got, tt.want)
		}
	}
}

// Envoy folds ASCII letters only; Go's parser folds é with É and does not say which was written.
func TestFoldingBeyondASCIIIsRefused(t *testing.T) {
	for pattern, refused := range map[string]bool{
		`(?i)\x{e9}`: true, `(?i)[é]`: true, `(?i)\p{Lu}`: true,
		`(?i)[^/]+`: false, `(?i)/a.*`: false, `(?i)\w`: false, `(?i)\xff`: false, `\x{e9}`: false,
	} {
		if _, err := Compile(pattern, 0); errors.Is(err, ErrFold) != refused {
			t.Errorf("Compile(%q): %v; refused should be %v", pattern, err, refused)
		}
	}
}

func FuzzCompileAgainstGo(f *testing.F) {
	for _, p := range []string{`/api/v[0-9]+/(a|b)*`, `(?i)ab|c`, `a.*\bz`, `\x{e9}?x`, `[^/]+`, `^a$|(?m)^b$`, `(a|ab)(c|bcd)(d*)`} {
		f.Add(p, "/api/v1/ab")
		f.Add(p, "abcd")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		d, err := Compile(pattern, 2000)
		if errors.Is(err, ErrBudget) {
			return
		}
		if errors.Is(err, ErrFold) {
			return
		}
		if err != nil {
			if _, goErr := regexp.Compile(latin1(pattern)); goErr == nil {
				t.Fatalf("Compile(%q): %v, but Go takes it", pattern, err)
			}
			return
		}
		if got, want := d.Matches(text), matchesGo(t, pattern, text); got != want {
			t.Errorf("%q on %q: %v, Go says %v", pattern, text, got, want)
		}
	})
}

func TestRandomPatternsAgainstGo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", "/", ".", "[ab]", "[^a]", "(a|b)", "(ab)*", "a+", "b?", ".*", `\d`, `\w`, "\xe9", `\b`, "x{2,3}"}
	letters := []byte("ab/x1é\n\xff_")
	for range 400 {
		pattern := ""
		for range 1 + r.IntN(5) {
			pattern += pieces[r.IntN(len(pieces))]
		}
		d, err := Compile(pattern, 0)
		if err != nil {
			t.Fatalf("Compile(%q): %v", pattern, err)
		}
		prefix := LiteralPrefix(pattern)
		for range 60 {
			text := make([]byte, r.IntN(7))
			for i := range text {
				text[i] = letters[r.IntN(len(letters))]
			}
			got := d.Matches(string(text))
			if want := matchesGo(t, pattern, string(text)); got != want {
				t.Fatalf("%q on %q: %v, Go says %v", pattern, text, got, want)
			}
			if got && !(Literal{Prefix, prefix}).Contains(string(text)) {
				t.Fatalf("%q matches %q without its literal prefix %q", pattern, text, prefix)
			}
		}
		if w, ok := d.Shortest(); ok && !d.Matches(w) {
			t.Fatalf("shortest member %q of %q is none", w, pattern)
		}
	}
}

func TestLiterals(t *testing.T) {
	must := func(d *DFA, err error) *DFA {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, tt := range []struct {
		name    string
		d       *DFA
		in, out []string
	}{
		{"exactly", must(Exactly("/a", false, 0)), []string{"/a"}, []string{"/", "/A", "/a/"}},
		{"exactly, folded", must(Exactly("/a", true, 0)), []string{"/a", "/A"}, []string{"/"}},
		{"beginning", must(Beginning("/a", false, 0)), []string{"/a", "/a/b", "/ab"}, []string{"/", "a/a"}},
		{"ending", must(Ending("ab", false, 0)), []string{"ab", "aab", "abab"}, []string{"", "aba"}},
		{"containing", must(Containing("ab", true, 0)), []string{"ab", "xAbx"}, []string{"", "a-b"}},
		{"segments", must(Segments("/a", false, 0)), []string{"/a", "/a/", "/a/b"}, []string{"/ab", "/a-/"}},
	} {
		for _, s := range tt.in {
			if !tt.d.Matches(s) {
				t.Errorf("%s lacks %q", tt.name, s)
			}
		}
		for _, s := range tt.out {
			if tt.d.Matches(s) {
				t.Errorf("%s has %q", tt.name, s)
			}
		}
	}
}

func TestCombine(t *testing.T) {
	a, _ := Compile(`a*b`, 0)
	b, _ := Compile(`(ab|b)c?`, 0)
	both, err := Intersect(a, b, 0)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := Compile(`a?b`, 0)
	if !Equal(both, want) {
		w, _ := both.Shortest()
		t.Errorf("intersection is not a?b; shortest %q", w)
	}
	left, err := Minus(a, both, 0)
	if err != nil {
		t.Fatal(err)
	}
	if w, _ := left.Shortest(); w != "aab" {
		t.Errorf("shortest of the difference: %q, want aab", w)
	}
	all, err := Union(left, both, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !Equal(all, a) || Equal(all, b) {
		t.Error("difference and intersection do not sum up to the first language")
	}
	none, err := Intersect(a, Complement(a), 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := none.Shortest(); ok || !none.IsEmpty() {
		t.Error("a language and its complement have a common member")
	}
}

func TestBudget(t *testing.T) {
	for _, pattern := range []string{`.*a.{16}`, `.{900}a.{900}`} {
		if _, err := Compile(pattern, 1000); !errors.Is(err, ErrBudget) {
			t.Errorf("Compile(%q) within 1,000 states: %v", pattern, err)
		}
	}
}
