package manifest

import (
	"strings"
	"testing"
)

func TestSubstitute(t *testing.T) {
	values := map[string]string{"A": "a", "B": "b", "EMPTY": "", "D": "shop.example.org", "LOOP": "${LOOP}"}
	for text, want := range map[string]string{
		"${A}.${B}":             "a.b",
		"x${A}x":                "xax",
		"${C}":                  "${C}",
		"${C:=c}":               "${C:=c}",
		"${C:-${A}}":            "${C:-a}",
		"${EMPTY}":              "",
		"${EMPTY:=e}":           "e",
		"${EMPTY:-${C:-${B}}}":  "${C:-b}",
		"${A:=other}":           "a",
		"$${A} ${A}":            "$${A} a",
		"${LOOP}":               "${LOOP}",
		"${D/./-} ${D//./-}":    "shop-example.org shop-example-org",
		"${A^^} ${A^} ${D:1:2}": "A ${A^} ${D:1:2}",
		"${C/./-}":              "${C/./-}",
		"${A":                   "${A",
		"$A {A} ${} ${1}":       "$A {A} ${} ${1}",
		"no variable, $ and }{": "no variable, $ and }{",
	} {
		if got := Substitute(text, values, 1000); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestSubstituteDeep: defaults inside of defaults cost no more than they are long, within reason.
func TestSubstituteDeep(t *testing.T) {
	deep := strings.Repeat("${X:=", 500_000) + strings.Repeat("}", 500_000)
	if got := Substitute(deep, nil, 1000); got != deep {
		t.Error("changed")
	}
}

// TestEscapedVariable: a variable with one more $ is the text without it, and none.
func TestEscapedVariable(t *testing.T) {
	met := 0
	got := substituteVariables("$${A} ${A}", aName, func(string, string) { met++ })
	if got != "${A} a" || met != 1 {
		t.Errorf("%q, %d variables", got, met)
	}
}

// TestSubstituteIsBounded: values that are used often, and replacements that make much of little, do not fill the memory.
func TestSubstituteIsBounded(t *testing.T) {
	values := map[string]string{"A": strings.Repeat("x", 1000)}
	for _, use := range []string{"${A}", "${A//x/" + strings.Repeat("y", 400) + "}", "${A:=${A}}", "${A^^}"} {
		text := strings.Repeat(use, 100_000)
		if got := Substitute(text, values, 50_000); len(got) > len(text)+50_000 {
			t.Errorf("%s: %d bytes of %d", use, len(got), len(text))
		}
	}
}
