package report

import (
	"strings"
	"testing"
)

func TestDecodeForeign(t *testing.T) {
	head := `{"version":"` + Version + `",`
	found, err := DecodeForeign([]byte(head + `"before":{"label":"x","blobURL":"https://evil.example","source":"s"},"classes":[{"severity":"lost"},{"severity":"moves"}],
"policy":{"rules":[]},"counts":{"lost":0,"moves":9}}`))
	if err != nil {
		t.Fatal(err)
	}
	if found.Counts != (Counts{Lost: 1, Moves: 1}) || found.Policy != nil || found.Before != (Side{Source: "s"}) {
		t.Errorf("%+v", found)
	}
	// Brackets and commas inside of a text are no values.
	text := `"` + strings.Repeat(`[{,\"`, maxForeignValues) + `"`
	if found, err := DecodeForeign([]byte(head + `"tool":` + text + `}`)); err != nil || len(found.Tool) != 4*maxForeignValues {
		t.Errorf("a long text: %v", err)
	}
	for _, many := range []string{`"classes":[` + strings.Repeat(`{},`, maxForeignValues) + `{}]}`, `"tool":` + strings.Repeat("[", maxForeignValues+1)} {
		if _, err := DecodeForeign([]byte(head + many)); err == nil || !strings.Contains(err.Error(), "values, want at most") {
			t.Errorf("many values: %v", err)
		}
	}
}
