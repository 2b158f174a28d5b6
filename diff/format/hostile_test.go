package format_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
)

// named are the keys of the wire form whose strings come from manifests, or may come from anybody who wrote a report.
var named = strings.Fields("name namespace ruleName value file label match service host path message hint detail rung " +
	"location gateway listener note edit cluster")

// renamed is the report of a file with a string behind every name that comes from a manifest.
func renamed(t interface{ Fatal(...any) }, file, suffix string) *report.Report {
	data, err := os.ReadFile("testdata/" + file + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	rename(tree, suffix)
	changed, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.Decode(bytes.NewReader(changed))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func rename(tree any, suffix string) {
	switch tree := tree.(type) {
	case []any:
		for _, item := range tree {
			rename(item, suffix)
		}
	case map[string]any:
		for key, value := range tree {
			if s, ok := value.(string); ok && slices.Contains(named, key) {
				tree[key] = s + suffix
				continue
			}
			rename(value, suffix)
		}
	}
}

// hostileNames are what a pull request could try. Each is short enough to be printed in full.
var hostileNames = []string{
	"```", "`", "``x`", "a|b", `\|`, `\\|`, `\`, "|\n|---|", "<script>alert(1)</script>", "<!-- ", "--> ", "</details>", "</sub>",
	"<img src=x onerror=alert(1)>", "@everyone", "#123", "GH-1", "acme/gitops#1", "\n\n# heading", "\r\n> [!CAUTION]\n> x",
	"\n```\n", "~~~", "**b** _i_ ~~s~~", "[x](javascript:alert(1))", "![x](http://evil.example/x.png)", "](http://evil.example)",
	"http://evil.example", "www.evil.example", "a@evil.example", "\u202egnp.exe", "\u200b\u2066", "\u2028\u2029", "\x1b[31mred\x1b[0m\x07",
	"\x00", "&lt;script&gt;", "&#64;everyone", "$x^2$", "$$", ":tada:", "- [ ] x", "1. x", " ", "\t", "\u00a0", "ﷺ", "👩‍👩‍👧", `"`, `"x" y "`, "'; rm -rf /",
}

// TestHostileNamesKeepTheLines: no name adds a line, ends a cell, or changes what kind of line a line is.
func TestHostileNamesKeepTheLines(t *testing.T) {
	for _, file := range []string{"several", "listener-gone", "weights", "partly-undecided"} {
		want := shape(format.Markdown(renamed(t, file, "x"), format.MarkdownOptions{}))
		for _, name := range hostileNames {
			got := shape(format.Markdown(renamed(t, file, name), format.MarkdownOptions{}))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s with %q changes its shape (-want +got):\n%s", file, name, diff)
			}
		}
	}
}

func TestAnyNameKeepsTheLines(t *testing.T) {
	want := shape(format.Markdown(renamed(t, "several", "x"), format.MarkdownOptions{}))
	rapid.Check(t, func(t *rapid.T) {
		name := strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(hostileNames), rapid.StringN(0, 5, 12)), 0, 4).Draw(t, "name"), "")
		r := renamed(t, "several", name)
		if diff := cmp.Diff(want, shape(format.Markdown(r, format.MarkdownOptions{}))); diff != "" {
			t.Fatalf("%q changes the shape (-want +got):\n%s", name, diff)
		}
		var text bytes.Buffer
		if err := format.Text(&text, r, format.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if i := strings.IndexFunc(text.String(), func(c rune) bool { return c != '\n' && (c < ' ' || c == 0x7f || c == 0x202e) }); i >= 0 {
			t.Fatalf("a control character reaches the terminal: %q", text.String()[i:])
		}
	})
}

// shape is what kind each line is, with the number of cells for rows of a table.
func shape(markdown string) []string {
	var lines []string
	for _, line := range strings.Split(markdown, "\n") {
		kind := "text"
		switch {
		case line == "", strings.HasPrefix(line, "<"), strings.HasPrefix(line, "|---"):
			kind = line
			if strings.HasPrefix(line, "<sub>") {
				kind = "<sub>"
			}
		case strings.HasPrefix(line, "|"):
			kind = "row of " + strings.Repeat("|", len(unescapedPipe.FindAllString(line, -1)))
		case strings.HasPrefix(line, "### "), strings.HasPrefix(line, "> ["):
			kind = line
		case strings.HasPrefix(line, "```"):
			kind = "fence"
		case strings.HasPrefix(line, "> "), strings.HasPrefix(line, "- "), strings.HasPrefix(line, "# "):
			kind = line[:2]
		}
		lines = append(lines, kind)
	}
	return lines
}

// unescapedPipe ends a cell: cmark-gfm takes the longest match, so a "|" with a backslash ahead is always part of a cell.
var unescapedPipe = regexp.MustCompile(`(^|[^\\])\|`)

// TestHostileNamesAsHTML asks a real renderer, GitHub's own, whether the page has the same elements with a hostile name as with
// a harmless one, and none of the name outside of code.
func TestHostileNamesAsHTML(t *testing.T) {
	if _, err := exec.LookPath("cmark-gfm"); err != nil {
		t.Skip("cmark-gfm is not installed: the shape of lines was tested, the HTML was not")
	}
	for _, file := range []string{"several", "listener-gone", "weights"} {
		want := elements(html(t, format.Markdown(renamed(t, file, "x"), format.MarkdownOptions{})))
		for _, name := range hostileNames {
			page := html(t, format.Markdown(renamed(t, file, "MARK"+name), format.MarkdownOptions{}))
			if diff := cmp.Diff(want, elements(page)); diff != "" {
				t.Errorf("%s with %q has other elements (-want +got):\n%s", file, name, diff)
			}
			for _, address := range address.FindAllStringSubmatch(page, -1) {
				if !strings.HasPrefix(address[1], "https://github.com/acme/gitops/blob/") {
					t.Errorf("%s with %q leads to %q", file, name, address[1])
				}
			}
			if at := strings.Index(outsideCode(page), "MARK"+name); at >= 0 && strings.ContainsAny(name, "@#<:") {
				t.Errorf("%s with %q: the name stands outside of code: %q", file, name, outsideCode(page)[at:min(at+80, len(outsideCode(page)))])
			}
		}
	}
}

func html(t *testing.T, markdown string) string {
	t.Helper()
	cmd := exec.Command("cmark-gfm", "-e", "table", "-e", "strikethrough", "-e", "autolink", "-e", "tagfilter", "-e", "tasklist", "--unsafe")
	cmd.Stdin = strings.NewReader(markdown)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("cmark-gfm: %v", err)
	}
	return string(out)
}

var (
	tag      = regexp.MustCompile(`</?[a-zA-Z][a-zA-Z0-9]*`)
	codeText = regexp.MustCompile(`(?s)<code[^>]*>.*?</code>`)
	address  = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	anyTag   = regexp.MustCompile(`(?s)<[^>]*>`)
)

// elements are the tags of a page in order. A name that is no harmless link text is shown as code, and one that no address
// can hold has no link, so these two do not count.
func elements(page string) []string {
	var tags []string
	for _, found := range tag.FindAllString(page, -1) {
		if !slices.Contains([]string{"<code", "</code", "<a", "</a"}, found) {
			tags = append(tags, found)
		}
	}
	return tags
}

func outsideCode(page string) string {
	return anyTag.ReplaceAllString(codeText.ReplaceAllString(page, ""), "")
}

// TestLongReportsFit: whatever a report holds, the comment is within its limit, ends whole, and begins with the answer.
func TestLongReportsFit(t *testing.T) {
	for _, file := range []string{"several", "forty", "weights", "listener-gone", "hostile"} {
		for _, suffix := range []string{"", strings.Repeat("x", 200), strings.Repeat("long|`\u202e", 500)} {
			r := renamed(t, file, suffix)
			heading := "### routedelta · " + format.Headline(r)
			for _, limit := range []int{0, 5000, 1500, 400, 200} {
				text := format.Markdown(r, format.MarkdownOptions{Limit: limit, MoreText: "job summary", MoreURL: "https://github.com/acme/gitops/actions/runs/1"})
				if limit == 0 {
					limit = format.DefaultLimit
				}
				if n := utf8.RuneCountInString(text); n > limit {
					t.Errorf("%s: %d characters, the limit is %d", file, n, limit)
				}
				checkWhole(t, text)
				if first, _, _ := strings.Cut(text, "\n"); first != heading {
					t.Errorf("%s at %d begins with %q", file, limit, first)
				}
			}
		}
	}
}

// checkWhole holds that nothing is left open.
func checkWhole(t *testing.T, text string) {
	t.Helper()
	if !utf8.ValidString(text) || !strings.HasSuffix(text, "\n") {
		t.Errorf("cut inside of a character or a line: %q", text[max(0, len(text)-40):])
	}
	if opened, closed := strings.Count(text, "\n<details>"), strings.Count(text, "\n</details>\n"); opened != closed {
		t.Errorf("%d <details> and %d </details>", opened, closed)
	}
	fences := 0
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "```") {
			fences++
		}
	}
	if fences%2 != 0 {
		t.Errorf("a fence is open")
	}
}
