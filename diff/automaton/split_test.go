package automaton

import "testing"

func TestSplitLiteral(t *testing.T) {
	for _, tt := range []struct{ pattern, text, rest string }{
		{`/a/v[0-9]+`, "/a/v", "[0-9]+"},
		{`/a/(b|c)/.*`, "/a/", "(b|c)/.*"},
		{`/a/b*`, "/a/", "b*"},
		{`/a{2}`, "/", "a{2}"},
		{`/a|/b`, "", `/a|/b`},
		{`/a.|/b`, "", `/a.|/b`},
		{`/a(b)|c`, "", `/a(b)|c`},
		{`/a\(|b`, "", `/a\(|b`},
		{`/a[|]`, "", `/a[|]`},
		{`/a\Q(\E|b`, "", `/a\Q(\E|b`},
		{`/a/\.well`, "/a/", `\.well`},
		{`(?i)/a`, "", `(?i)/a`},
		{`/a^b`, "", `/a^b`},
		{`/a\bb`, "", `/a\bb`},
		{`/a/[^/]+`, "/a/", `[^/]+`},
		{`a*`, "", `a*`},
		{`*`, "", `*`},
		{`/a`, "/a", ""},
		{"/\xe9?", "/", "\xe9?"},
		{``, "", ""},
	} {
		text, rest := SplitLiteral(tt.pattern)
		if text != tt.text || rest != tt.rest {
			t.Errorf("%q: %q and %q", tt.pattern, text, rest)
		}
		if whole := LiteralPrefix(tt.pattern); whole != text+LiteralPrefix(rest) {
			t.Errorf("%q begins with %q, not with %q and %q", tt.pattern, whole, text, LiteralPrefix(rest))
		}
	}
}

// FuzzSplitLiteral: a text is in the language of a pattern exactly when it is the literal and a text of the language of the rest.
func FuzzSplitLiteral(f *testing.F) {
	for _, pattern := range []string{`/a/(b|c)/.*`, `/ab*|c`, `/a[|]b|c`, `a(|b)`, `a\||b`, `ab??c`, `a(?i)b`, `a(^|/)b`, `a\b\bc`} {
		f.Add(pattern, "ab")
	}
	f.Fuzz(func(t *testing.T, pattern, tail string) {
		text, rest := SplitLiteral(pattern)
		whole, err := Compile(pattern, 2000)
		if err != nil {
			return
		}
		part, err := Compile(rest, 2000)
		if err != nil {
			t.Fatalf("%q is a pattern and its rest %q is not: %v", pattern, rest, err)
		}
		for _, s := range []string{tail, text + tail, text} {
			in := len(s) >= len(text) && s[:len(text)] == text && part.Matches(s[len(text):])
			if whole.Matches(s) != in {
				t.Errorf("%q in %q: %v, in %q and %q: %v", s, pattern, !in, text, rest, in)
			}
		}
	})
}
