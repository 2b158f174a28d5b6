package format_test

import (
	"testing"

	"github.com/routedelta/routedelta/diff/format"
)

func TestInert(t *testing.T) {
	for text, want := range map[string]string{
		"a ##[error]b":               "a ##‹U+005B›error]b",
		"##vso[task.setvariable]x":   "##vso‹U+005B›task.setvariable]x",
		"##teamcity[x] # [y] ## [z]": "##teamcity‹U+005B›x] # [y] ## [z]",
		"a\n  ::error::b\n::c::":     "a\n  ‹U+003A›:error::b\n‹U+003A›:c::",
		"fd00::1 a::b":               "fd00::1 a::b",
	} {
		if got := format.Inert(text); got != want {
			t.Errorf("Inert(%q) = %q, want %q", text, got, want)
		}
		if again := format.Inert(format.Inert(text)); again != want {
			t.Errorf("Inert twice of %q = %q", text, again)
		}
	}
}
