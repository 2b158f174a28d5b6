package format_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// TestCheckMarkdownIsBounded: a job summary stays small, and says how much is not there.
func TestCheckMarkdownIsBounded(t *testing.T) {
	c := &report.Check{Rules: 1000, Hosts: 1}
	for i := range 1000 {
		c.Findings = append(c.Findings, diagnostic.Diagnostic{Code: diagnostic.NeverWins, Severity: diagnostic.Warning, Message: fmt.Sprintf("rule %d", i)})
	}
	var out bytes.Buffer
	if err := format.CheckMarkdown(&out, c); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "RD3001"); n != 200 || !strings.Contains(out.String(), "and 800 more\n") {
		t.Errorf("%d findings in the summary, or the rest is not counted:\n%s", n, out.String())
	}
}

// TestCheckHostile: what a manifest says neither ends the block that it stands in nor hides from a reader.
func TestCheckHostile(t *testing.T) {
	c := &report.Check{Findings: diagnostic.List{{
		Code: diagnostic.NeverWins, Severity: diagnostic.Warning, Message: "```\n</details> @everyone \u202e\x1b[2J",
	}}}
	for name, write := range map[string]func(io.Writer, *report.Check) error{"text": format.CheckText, "markdown": format.CheckMarkdown} {
		var out bytes.Buffer
		if err := write(&out, c); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if strings.ContainsAny(text, "\u202e\x1b") || strings.Contains(text, "\n</details> @") {
			t.Errorf("%s: %q", name, text)
		}
		if name == "markdown" && !strings.Contains(text, "````text\n") {
			t.Errorf("the fence is no longer than what it holds: %q", text)
		}
	}
}
