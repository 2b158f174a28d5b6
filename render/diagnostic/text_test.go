package diagnostic_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/routedelta/routedelta/render/diagnostic"
)

func TestNearest(t *testing.T) {
	names := []string{"backendRefs", "filters", "matches", "name", "shop/web/80", "shop/web/8080"}
	for name, want := range map[string]string{
		"backendrefs":            "backendRefs", // case
		"backendRef":             "backendRefs", // one letter less
		"macthes":                "matches",     // two letters changed places
		"shop/wbe/80":            "shop/web/80",
		"shop/web/80x":           "shop/web/80",
		"nam":                    "name",
		"nm":                     "", // two of two letters are no likeness
		"fliters and more":       "",
		"":                       "",
		strings.Repeat("x", 1e6): "",
	} {
		if got := diagnostic.Nearest(name, names); got != want {
			t.Errorf("nearest to %q: got %q, want %q", diagnostic.Clip(name), got, want)
		}
	}
}

func TestClipKeepsCharactersWhole(t *testing.T) {
	for length := range 200 {
		text := strings.Repeat("a", length) + strings.Repeat("ü", 100)
		if got := diagnostic.Clip(text); !utf8.ValidString(got) || len(got) > 123 || !strings.HasSuffix(got, "...") {
			t.Errorf("%d letters: %q", length, got)
		}
	}
	if got := diagnostic.Clip("short"); got != "short" {
		t.Errorf("got %q", got)
	}
}
