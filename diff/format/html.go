package format

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
)

var (
	//go:embed template/report.html
	pageTemplate string
	//go:embed template/report.css
	pageStyle string
	//go:embed template/copy.js
	pageScript string
)

// HTML writes the report as one page that needs nothing else: no script, style, font or picture from elsewhere, so that it
// can be read from a file, from an artifact, and years later. The first line is the answer; a map of hosts and paths shows
// where what changes; then every class.
//
// All strings reach the page through html/template as text. Behind that the page's own policy lets only the style and the
// script of this package run, by their digests.
func HTML(w io.Writer, r *report.Report) error {
	page, err := template.New("report").Parse(pageTemplate)
	if err != nil {
		return fmt.Errorf("parsing the template of the page: %w", err)
	}
	if err := page.Execute(w, newHTMLPage(r)); err != nil {
		return fmt.Errorf("writing HTML: %w", err)
	}
	return nil
}

// htmlPage is all that the template sets.
type htmlPage struct {
	Policy   string
	Style    template.CSS
	Script   template.JS
	Headline string
	Compared []run
	Caveat   string
	Caveats  [][]run
	// Forbidden is what the policy says of the change, with its violations; Waived is what somebody has allowed.
	Verdict   string
	Forbidden [][]run
	Waived    [][]run
	Map       []*mapPlace
	// Also are the parts of the page that nobody should overlook, below the answer.
	Also []htmlAnchor
	// Rest says what the map does not show.
	Rest       string
	Uncompared [][]run
	Classes    []htmlClass
	Effectless [][]run
	Undecided  []htmlUndecided
	Refactored string
	Introduced [][]run
	Fixed      [][]run
	Unread     [][]run
	Targets    []htmlTarget
	Gateways   []htmlGateway
	Sides      []htmlSide
	Tool       string
}

type htmlAnchor struct{ Target, Text string }

type htmlUndecided struct {
	Target                string
	Area, Reason, Gateway []run
	Commands              []string
}

type htmlGateway struct {
	Target, Name, Change string
	Rules, Hosts         int
	Decided              bool
}

type htmlTarget struct{ Name, Path, Order, State string }

type htmlSide struct{ Which, Name, Source, Revision, Digest, Order string }

func newHTMLPage(r *report.Report) htmlPage {
	w := htmlWords(r)
	drawn := makeMap(r, w)
	page := htmlPage{
		Policy:   fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", sourceDigest(pageStyle), sourceDigest(pageScript)),
		Style:    template.CSS(pageStyle),
		Script:   template.JS(pageScript),
		Headline: Headline(r),
		Compared: runs(fmt.Sprintf("%s · %s → %s · %s", w.gatewayNames(r), w.code(revision(r.Before)), w.code(revision(r.After)), compared(r))),
		Caveat:   caveat(r),
		Map:      drawn.Places,
		Rest:     restOfMap(r, drawn.Partial),
		Tool:     visible(r.Tool),
		Sides:    []htmlSide{newHTMLSide("before", r.Before), newHTMLSide("after", r.After)},
	}
	for i, c := range r.Classes {
		page.Classes = append(page.Classes, newHTMLClass(r, w, i, c))
	}
	page.findings(r, w)
	for _, g := range r.Gateways {
		page.Gateways = append(page.Gateways, htmlGateway{visible(g.Target), visible(g.Name), visible(g.Change), g.Rules, g.Hosts, g.Decided})
	}
	for _, t := range r.Targets {
		page.Targets = append(page.Targets, htmlTarget{visible(t.Name), visible(t.Path), visible(t.Order), visible(string(t.State))})
	}
	return page
}

// findings are everything but the classes.
func (p *htmlPage) findings(r *report.Report, w words) {
	for _, said := range w.caveats(r) {
		p.Caveats = append(p.Caveats, runs(said))
	}
	p.policy(r, w)
	for _, u := range r.Uncompared {
		p.Uncompared = append(p.Uncompared, runs(w.uncompared(r, u)))
	}
	for _, e := range r.Effectless {
		p.Effectless = append(p.Effectless, runs(w.effectless(r, e)))
	}
	for i, u := range r.Undecided {
		p.Undecided = append(p.Undecided, htmlUndecided{undecidedTarget(i), runs(w.area(u.Area)), runs(w.word(u.Reason)), runs(w.regionPlace(r, u)), commands(u.Samples)})
	}
	if n := len(r.Undecided); n > 0 {
		p.Also = append(p.Also, htmlAnchor{undecidedTarget(0), Plural(n, "region not decided", "regions not decided")})
	}
	if n := len(r.Effectless); n > 0 {
		p.Also = append(p.Also, htmlAnchor{"effectless", Plural(n, "edit without effect", "edits without effect")})
	}
	if r.Refactored > 0 {
		p.Refactored = Plural(r.Refactored, "edit leaves", "edits leave") + " every outcome as it was"
	}
	for _, d := range r.Diagnostics {
		switch d.State {
		case "introduced":
			p.Introduced = append(p.Introduced, runs(w.diagnostic(r, "after", d)))
		case "fixed":
			p.Fixed = append(p.Fixed, runs(w.diagnostic(r, "before", d)))
		}
	}
	for _, said := range w.unreadParts(r) {
		p.Unread = append(p.Unread, runs(said))
	}
	if n := len(p.Introduced); n > 0 {
		p.Also = append(p.Also, htmlAnchor{"introduced", Plural(n, "finding introduced", "findings introduced")})
	}
}

func newHTMLSide(which string, s report.Side) htmlSide {
	return htmlSide{which, visible(revision(s)), visible(s.Source), visible(s.Revision), visible(s.Digest), visible(s.Order)}
}

// restOfMap promises that nothing else changes only where the headline does.
func restOfMap(r *report.Report, partial bool) string {
	if partial {
		return "More changes than the map holds: the list below has all."
	}
	if r.Open() || !strings.Contains(compared(r), "every request decided") {
		return "No change was found elsewhere, but not everything is known."
	}
	return "Every request that is not on the map is answered as before."
}

func classTarget(i int) string { return fmt.Sprintf("class-%d", i+1) }

func undecidedTarget(i int) string { return fmt.Sprintf("undecided-%d", i+1) }

// sourceDigest is how a policy names an element's text.
func sourceDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
