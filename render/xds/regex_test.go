package xds

import "testing"

func TestBytePattern(t *testing.T) {
	for pattern, want := range map[string]string{
		"/a+b":           "/a+b",
		"é":              "é",
		"é+x":            "(?:é)+x",
		"xé{2}":          "x(?:é){2}",
		"[é]+":           "[é]+",
		"[]é]*é?":        "[]é]*(?:é)?",
		"[^]é]é*":        "[^]é](?:é)*",
		"[[:alpha:]é]é*": "[[:alpha:]é](?:é)*",
		`[\]é]é*`:        `[\]é](?:é)*`,
		`\[é*`:           `\[(?:é)*`,
		`\Qé*\Eé*`:       `\Qé*\E(?:é)*`,
		`\Qé*`:           `\Qé*`,
		`[`:              `[`,
		`\`:              `\`,
		`[\`:             `[\`,
	} {
		if got := bytePattern(pattern); got != want {
			t.Errorf("bytePattern(%q) = %q, want %q", pattern, got, want)
		}
	}
}

func FuzzBytePattern(f *testing.F) {
	for _, seed := range []string{"é+", "[]é]*", `\Qé*\E`, "[[:alpha:]", "a{2}é{3}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		once := bytePattern(pattern)
		if twice := bytePattern(once); twice != once {
			t.Errorf("%q becomes %q, then %q", pattern, once, twice)
		}
	})
}
