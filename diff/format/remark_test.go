package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/diff/format"
)

// TestRemarks: each finding has its line, of the side that the line is in, and the gravest come first.
func TestRemarks(t *testing.T) {
	var said []string
	for _, r := range format.Remarks(judged(t, "shop.example")) {
		place := "nowhere"
		if len(r.Places) > 0 {
			place = fmt.Sprintf("%s %s:%d", r.Places[0].Side, r.Places[0].File, r.Places[0].Line)
		}
		said = append(said, fmt.Sprintf("%s, %s, %s", r.Level, place, r.Title))
	}
	want := []string{
		"error, before before/routes/shop.yaml:13, Requests lose their backend",
		"error, after after/teams/b/promo.yaml:8, Requests move",
		"error, nowhere, Forbidden by the policy",
		"warning, after after/routes/api.yaml:9, Requests move",
		"warning, after after/routes/shop.yaml:12, Requests move",
		"warning, after after/routes/shop.yaml:14, An edit without effect",
		"warning, after after/routes/shop.yaml:13, Finding RD1203 of the rendering",
		"note, after after/routes/pay.yaml:8, Requests are treated differently",
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, r := range format.Remarks(judged(t, "shop.example")) {
		if strings.HasPrefix(r.Message, r.Title) || r.Message == "" {
			t.Errorf("%q repeats its title: %q", r.Title, r.Message)
		}
	}
}

// TestRemarksAreTheResultsOfSARIF: neither has a finding that the other lacks.
func TestRemarksAreTheResultsOfSARIF(t *testing.T) {
	for name, r := range reports(t) {
		levels := map[string]int{}
		for _, remark := range format.Remarks(r) {
			levels[remark.Level]++
		}
		document := sarif(t, r)
		_, results, _ := strings.Cut(document, `"results":`)
		for _, level := range []string{"error", "warning", "note"} {
			if n := strings.Count(results, `"level": "`+level+`"`); n != levels[level] {
				t.Errorf("%s: %d remarks of level %s, %d results", name, levels[level], level, n)
			}
		}
		if len(format.Remarks(r)) != levels["error"]+levels["warning"]+levels["note"] {
			t.Errorf("%s: a level that is none", name)
		}
	}
}
