package format_test

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
)

// judged is the report "several" with a verdict of every kind. name stands wherever a verdict holds a name.
func judged(t testing.TB, name string) *report.Report {
	t.Helper()
	r := renamed(t, "several", "")
	waived := &report.Waived{By: name, Reason: "because of " + name, Until: "2027-03-31"}
	lose := "requests to " + strconv.Quote(name) + " lose their backend"
	r.Policy = &report.Policy{
		Rules: []string{"backend-lost", "host-lost", "undecided"},
		Violations: []report.Violation{
			{Rule: "backend-lost", Class: r.Classes[0].ID, Message: lose},
			{Rule: "backend-lost", Class: r.Classes[1].ID, Message: lose},
			{Rule: "host-lost", Class: r.Classes[2].ID, Message: "requests are not served any more", Waived: waived},
			{Rule: "undecided", Message: strconv.Quote("TCPRoute "+name) + " is not compared"},
		},
		Notes: []string{"the waiver of backend-lost for host " + strconv.Quote(name) + " expired after " + strconv.Quote("2026-01-01")},
	}
	return r
}

// TestPolicyIsRightUnderTheAnswer in the comment, and right above it in the terminal.
func TestPolicyIsRightUnderTheAnswer(t *testing.T) {
	r := judged(t, "shop.example")
	lines := strings.SplitN(format.Markdown(r, format.MarkdownOptions{}), "\n", 5)
	if lines[0] != "### routedelta · "+format.Headline(r) || lines[2] != "> [!CAUTION]" || !strings.Contains(lines[3], "3 violations") {
		t.Errorf("the comment begins with %q", lines[:4])
	}
	for _, v := range r.Policy.Violations {
		v.Waived = &report.Waived{By: "a", Reason: "b", Until: "2027-03-31"}
	}
	r.Policy.Violations = nil
	if text := format.Markdown(r, format.MarkdownOptions{}); strings.Contains(text, "CAUTION") {
		t.Errorf("a policy that forbids nothing says:\n%s", text)
	}
}

// TestPolicyAtEveryLength: however little room there is, it is said that the policy forbids the change.
func TestPolicyAtEveryLength(t *testing.T) {
	for _, limit := range []int{0, 3000, 1500, 700, 400, 300} {
		r := judged(t, strings.Repeat("x", 300))
		text := format.Markdown(r, format.MarkdownOptions{Limit: limit})
		if !strings.Contains(text, "The policy forbids this change: 3 violations") {
			t.Errorf("at %d characters:\n%s", limit, text)
		}
		checkWhole(t, text)
	}
}

// TestHostileNamesInAVerdict: no name of a verdict adds a line, or stands outside of code.
func TestHostileNamesInAVerdict(t *testing.T) {
	want := shape(format.Markdown(judged(t, "x"), format.MarkdownOptions{}))
	for _, name := range hostileNames {
		r := judged(t, name)
		if diff := cmp.Diff(want, shape(format.Markdown(r, format.MarkdownOptions{}))); diff != "" {
			t.Errorf("%q changes the shape (-want +got):\n%s", name, diff)
		}
		var text bytes.Buffer
		if err := format.Text(&text, r, format.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if i := strings.IndexFunc(text.String(), func(c rune) bool { return c != '\n' && (c < ' ' || c == 0x7f || c == 0x202e) }); i >= 0 {
			t.Errorf("a control character reaches the terminal: %q", text.String()[i:])
		}
		if err := validate(sarifSchema(t), sarif(t, r)); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestPolicyInSARIF: what the policy forbids is an error, whatever its severity.
func TestPolicyInSARIF(t *testing.T) {
	r := judged(t, "shop.example")
	found := sarif(t, r)
	for _, want := range []string{`"ruleId": "policy"`, "Forbidden by the policy: backend-lost", "Waived from the policy's rule host-lost by shop.example until 2027-03-31"} {
		if !strings.Contains(found, want) {
			t.Errorf("SARIF lacks %q", want)
		}
	}
	before := strings.Count(sarif(t, renamed(t, "several", "")), `"level": "error"`)
	if after := strings.Count(found, `"level": "error"`); after != before+2 {
		t.Errorf("%d errors, want %d: %s", after, before+2, fmt.Sprint(r.Policy.Violations))
	}
}
