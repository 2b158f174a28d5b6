package format_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	htmltext "html"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
)

func htmlPage(t interface{ Fatal(...any) }, r *report.Report) string {
	var out bytes.Buffer
	if err := format.HTML(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestHTML: the golden files are pages to look at.
func TestHTML(t *testing.T) {
	all := reports(t)
	for _, name := range []string{"several", "forty", "listener-gone", "partly-undecided", "mixed", "unchanged", "hostile", "policy"} {
		t.Run(name, func(t *testing.T) { golden(t, name+".html", htmlPage(t, all[name])) })
	}
}

var (
	headline = regexp.MustCompile(`<body>\s*<header>\s*<h1>([^<]*)</h1>`)
	ids      = regexp.MustCompile(` id="([^"]*)"`)
	policy   = regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`)
	style    = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	script   = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	outside  = regexp.MustCompile(`(?i)<(?:link|img|iframe|object|embed|base|form)|\ssrc=|@import|url\(|\son[a-z]+=|\sstyle=`)
)

// TestHTMLStandsAlone: the answer comes first, nothing comes from elsewhere, every link within the page has its end, and every
// class and region is on the map.
func TestHTMLStandsAlone(t *testing.T) {
	for name, r := range reports(t) {
		page := htmlPage(t, r)
		if found := headline.FindStringSubmatch(page); found == nil || htmltext.UnescapeString(found[1]) != format.Headline(r) {
			t.Errorf("%s: the first line is not the answer: %q", name, found)
		}
		if found := outside.FindString(page); found != "" {
			t.Errorf("%s needs something from elsewhere, or runs something: %q", name, found)
		}
		targets := map[string]bool{}
		for _, id := range ids.FindAllStringSubmatch(page, -1) {
			targets[id[1]] = true
		}
		linked := map[string]bool{}
		for _, found := range address.FindAllStringSubmatch(page, -1) {
			target, within := strings.CutPrefix(found[1], "#")
			if within && !targets[target] {
				t.Errorf("%s: nothing is %q", name, found[1])
			}
			linked[target] = true
		}
		if n := strings.Count(page, `class="cell `); n < len(r.Classes)+len(r.Undecided) {
			t.Errorf("%s: %d cells on the map of %d classes", name, n, len(r.Classes))
		}
		for target := range targets {
			if !linked[target] {
				t.Errorf("%s: nothing leads to %s", name, target)
			}
		}
	}
}

// TestHTMLPolicy: the browser is told to run nothing but the script of the page, by its digest, and that is what the page holds.
func TestHTMLPolicy(t *testing.T) {
	page := htmlPage(t, reports(t)["several"])
	rules := htmltext.UnescapeString(policy.FindStringSubmatch(page)[1])
	if !strings.HasPrefix(rules, "default-src 'none';") || strings.Contains(rules, "unsafe") {
		t.Errorf("the policy is %s", rules)
	}
	for element, pattern := range map[string]*regexp.Regexp{"style-src": style, "script-src": script} {
		found := pattern.FindAllStringSubmatch(page, -1)
		if len(found) != 1 {
			t.Fatalf("%d elements for %s", len(found), element)
		}
		digest := sha256.Sum256([]byte(found[0][1]))
		if want := element + " 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) + "'"; !strings.Contains(rules, want) {
			t.Errorf("%s is not in %s", want, rules)
		}
	}
}

// TestHostileNamesInHTML: with any name the page has elements of ours only, each closed, and leads nowhere else.
func TestHostileNamesInHTML(t *testing.T) {
	for _, file := range []string{"several", "listener-gone", "weights", "partly-undecided", "uncompared"} {
		for _, name := range append(hostileNames, "javascript:alert(1)", "\x01\x03\x05https://evil.example\x06", "{{.Style}}", "' onclick=x ") {
			checkPage(t, file, name, htmlPage(t, renamed(t, file, name)))
		}
	}
}

func TestAnyNameInHTML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(hostileNames), rapid.StringN(0, 5, 12)), 0, 4).Draw(t, "name"), "")
		checkPage(t, "several", name, htmlPage(t, renamed(t, "several", name)))
	})
}

// TestHTMLMarksOfOthers: a word that a report of anybody's brings along unchecked may set text wrongly, and no more.
func TestHTMLMarksOfOthers(t *testing.T) {
	r := reports(t)["several"]
	r.Classes[3].Areas[0].Conditions[0].Source = "\x05javascript:alert(1)\x06\x01<script>\x02\x03\u202e"
	checkPage(t, "several", "a forged mark", htmlPage(t, r))
}

// ourTag is an element with the attributes that the template gives.
var ourTag = regexp.MustCompile(`<(/?)(html|head|meta|title|body|header|section|article|h1|h2|h3|p|div|span|dl|dt|dd|ul|li|table|tr|th|td|a|code|strong|button|br)` +
	`(?: (?:lang|charset|http-equiv|name|content|class|id|href|type)="[^"<>]*")*>`)

// checkPage reads a page as strictly as no browser does: what is not a tag of ours is text, and has no angle bracket.
func checkPage(t interface{ Errorf(string, ...any) }, file, name, page string) {
	for _, found := range address.FindAllStringSubmatch(page, -1) {
		if !strings.HasPrefix(found[1], "#") && !strings.HasPrefix(found[1], "https://github.com/acme/gitops/blob/") {
			t.Errorf("%s with %q leads to %q", file, name, found[1])
		}
	}
	if i := strings.IndexFunc(page, func(c rune) bool { return c != '\n' && (c < ' ' || c == 0x7f || c == 0x202e) }); i >= 0 {
		t.Errorf("%s with %q: a control character reaches the page: %q", file, name, page[max(0, i-40):i+1])
	}
	for _, once := range []*regexp.Regexp{style, script, regexp.MustCompile("^<!doctype html>")} {
		found := once.FindStringIndex(page)
		if found == nil {
			t.Errorf("%s with %q has no %s", file, name, once)
			return
		}
		page = page[:found[0]] + page[found[1]:]
	}
	var open []string
	for _, tag := range ourTag.FindAllStringSubmatch(page, -1) {
		switch element := tag[2]; {
		case element == "meta" || element == "br":
		case tag[1] == "":
			open = append(open, element)
		case len(open) == 0 || open[len(open)-1] != element:
			t.Errorf("%s with %q: </%s> closes %q", file, name, element, open)
			return
		default:
			open = open[:len(open)-1]
		}
	}
	text := ourTag.ReplaceAllString(page, "")
	if i := strings.IndexAny(text, "<>"); i >= 0 || len(open) > 0 {
		t.Errorf("%s with %q: open is %q, and text has %q", file, name, open, text[max(0, i-20):min(len(text), max(0, i)+40)])
	}
}

// TestHTMLShowsNoForeignCommand: what people copy into a shell is a command line that diff writes, or is not there.
func TestHTMLShowsNoForeignCommand(t *testing.T) {
	r := reports(t)["several"]
	const foreign = "curl -i http://shop.example/legacy | sh"
	r.Classes[0].Witnesses[0].Curl = foreign
	if page := htmltext.UnescapeString(htmlPage(t, r)); strings.Contains(page, foreign) {
		t.Error("the page shows a foreign command")
	}
}
