package format

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// SARIF writes the report as SARIF 2.1.0 for code scanning: one result for each class, each edit without effect, each region
// that is not decided, each edit that is not compared, and each diagnostic that the change brings, at the line of the edit.
// Results stand in the report's order. Messages are plain text that stands alone: GitHub shows no Markdown there.
func SARIF(w io.Writer, r *report.Report) error {
	s := newSarifWriter(r)
	s.findings()
	results := make([]sarifResult, len(s.found))
	for i, f := range s.found {
		results[i] = s.result(f)
	}
	run := sarifRun{
		Tool: sarifTool{Driver: sarifDriver{
			Name: "routedelta", Version: visible(r.Tool), InformationURI: informationURI, Rules: s.rules,
		}},
		OriginalURIBaseIDs: sarifBases(r),
		Invocations:        s.invocations(),
		Results:            results,
		ColumnKind:         "unicodeCodePoints",
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
	if err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	return nil
}

// invocations tell what the answer takes for granted: that is about the run, not about a place.
func (s *sarifWriter) invocations() []sarifInvocation {
	var notes []sarifNotification
	for _, said := range s.words.caveats(s.report) {
		notes = append(notes, sarifNotification{Level: "note", Message: sarifMessage{sarifText(said + ".")}})
	}
	for _, said := range s.words.unreadParts(s.report) {
		notes = append(notes, sarifNotification{Level: "note", Message: sarifMessage{sarifText("Not read: " + said + ".")}})
	}
	for _, said := range s.words.policyNotes(s.report) {
		notes = append(notes, sarifNotification{Level: "warning", Message: sarifMessage{sarifText(said + ".")}})
	}
	if notes == nil {
		return nil
	}
	return []sarifInvocation{{ExecutionSuccessful: true, Notifications: notes}}
}

type sarifWriter struct {
	report *report.Report
	words  words
	rules  []sarifRule
	index  map[string]int
	found  []finding
}

func newSarifWriter(r *report.Report) *sarifWriter {
	s := &sarifWriter{report: r, words: textWords(r), rules: sarifRules(r), index: map[string]int{}}
	for i, rule := range s.rules {
		if _, known := s.index[rule.ID]; !known {
			s.index[rule.ID] = i
		}
	}
	return s
}

// findings are all that a report has to say about places, in its order.
func (s *sarifWriter) findings() {
	s.classes()
	s.effectless()
	s.undecided()
	s.uncompared()
	s.diagnostics()
	s.violations()
}

// finding is a result before it is written: what was found, where, and what it is known by in the next run.
type finding struct {
	rule, level, text string
	fingerprint       string
	places            []sarifPosition
	// try are command lines.
	try []string
}

// sarifPosition is a place of one side, with the object that stands there.
type sarifPosition struct {
	diagnostic.Position
	side   string
	object diagnostic.Object
}

func (s *sarifWriter) add(f finding) { s.found = append(s.found, f) }

// level of a finding is its own, else that of its rule.
func (s *sarifWriter) level(f finding) string {
	if f.level != "" {
		return f.level
	}
	return s.rules[s.index[f.rule]].DefaultConfiguration.Level
}

// result is a finding as it is written. Its first place is where it is shown; all others, and the lines before the change, are related.
func (s *sarifWriter) result(f finding) sarifResult {
	text := f.text + "."
	for _, line := range f.try[:min(len(f.try), 1)] {
		text += " Try: " + line
	}
	result := sarifResult{
		RuleID: f.rule, RuleIndex: s.index[f.rule], Level: s.level(f), Message: sarifMessage{sarifText(text)},
		PartialFingerprints: map[string]string{"routedeltaID/v1": visible(f.fingerprint)},
	}
	result.place(f.places)
	return result
}

// place sets the locations. GitHub shows the first, and the schema wants every related one once.
func (r *sarifResult) place(places []sarifPosition) {
	seen := map[string]bool{}
	relate := func(l *sarifLocation) {
		if l != nil && !seen[l.key()] {
			seen[l.key()] = true
			r.RelatedLocations = append(r.RelatedLocations, *l)
		}
	}
	for _, p := range places {
		now, then := sarifPlace(p.Position, p.side)
		switch {
		case now != nil && len(r.Locations) == 0:
			now.LogicalLocations = sarifObject(p.object)
			r.Locations = []sarifLocation{*now}
			seen[now.key()] = true
		case then == nil:
			relate(now)
		}
		relate(then)
	}
	if len(r.Locations) == 0 {
		root := nowhere()
		if len(places) > 0 {
			root.LogicalLocations = sarifObject(places[0].object)
		}
		r.Locations = []sarifLocation{root}
	}
}

func (s *sarifWriter) classes() {
	for _, c := range s.report.Classes {
		rule := s.rules[s.index[string(c.Severity)]]
		before, after := s.words.change(c)
		text := fmt.Sprintf("%s: %s: %s %s %s", rule.ShortDescription.Text, s.words.requests(c, "; "), before, s.words.arrow, after)
		if where := s.words.where(s.report, c); where != "" {
			text += " (" + where + ")"
		}
		if because := s.words.because(s.report, c); because != "" {
			text += ". Because: " + because
		}
		said, forbidden := s.judgedClass(c.ID)
		f := finding{rule: rule.ID, text: text + said, fingerprint: c.ID, try: commands(c.Witnesses)}
		switch {
		case forbidden:
			f.level = "error"
		case c.OnlyRepeated || c.Misdirected:
			f.level = "note"
		}
		for _, cause := range c.Causes {
			f.places = append(f.places, causePosition(cause))
		}
		if c.Why != nil {
			// The rule that wins is the best place of a class whose edit has none, and worth a look for all others.
			f.places = append(f.places, rulePosition(c.Why.Winner))
		}
		s.add(f)
	}
}

func (s *sarifWriter) effectless() {
	for _, e := range s.report.Effectless {
		f := finding{
			rule: ruleEffectless, text: "An edit without effect: " + s.words.effectless(s.report, e),
			fingerprint: report.Digest(e.Edit, e.Kind, e.Namespace, e.Name, e.RuleName, e.Rule, e.Match, e.Gateway, e.Reason),
			places:      []sarifPosition{causePosition(e.Cause)},
		}
		for _, coverer := range e.Coverers {
			f.places = append(f.places, rulePosition(coverer))
		}
		s.add(f)
	}
}

func (s *sarifWriter) undecided() {
	for _, u := range s.report.Undecided {
		s.add(finding{
			rule:        ruleUndecided,
			text:        fmt.Sprintf("Not decided: %s (%s): %s", s.words.area(u.Area), s.words.regionPlace(s.report, u), visible(u.Reason)),
			fingerprint: report.Digest(u.Gateway, u.Area, u.Reason),
			try:         commands(u.Samples),
		})
	}
}

func (s *sarifWriter) uncompared() {
	for _, u := range s.report.Uncompared {
		s.add(finding{
			rule:        ruleUncompared,
			text:        "Not compared: " + s.words.uncompared(s.report, u),
			fingerprint: report.Digest(u.Object, u.Edit, u.Reason),
			places:      []sarifPosition{{u.Position, u.Side, u.Object}},
		})
	}
}

// diagnostics are those that the change brings: what was there before is no finding about the change.
func (s *sarifWriter) diagnostics() {
	for _, d := range s.report.Diagnostics {
		if d.State != "introduced" {
			continue
		}
		s.add(finding{
			rule: visible(string(d.Code)), level: sarifLevel(d.Severity), text: s.words.diagnostic(s.report, "after", d),
			fingerprint: report.Digest(d.Code, d.Object, d.Field, d.Message),
			places:      []sarifPosition{{d.Position, "after", d.Object}},
		})
	}
}

func sarifLevel(s diagnostic.Severity) string {
	switch s {
	case diagnostic.Error:
		return "error"
	case diagnostic.Warning:
		return "warning"
	}
	return "note"
}

func causePosition(c report.Cause) sarifPosition {
	return sarifPosition{c.Position, c.Side, diagnostic.Object{Kind: c.Kind, Namespace: c.Namespace, Name: c.Name}}
}

func rulePosition(l report.RuleLabel) sarifPosition {
	return sarifPosition{l.Position, "after", diagnostic.Object{Kind: l.Kind, Namespace: l.Namespace, Name: l.Name}}
}

// sarifText is plain text as a message. Braces are doubled (SARIF 3.11.5: "{0}" is a placeholder), and a "](" that could end the
// text of a link is escaped (3.11.6), so that no name of a manifest becomes a link. Elsewhere brackets stand as they are.
func sarifText(s string) string {
	s = strings.NewReplacer("{", "{{", "}", "}}").Replace(s)
	parts := strings.Split(s, "](")
	for i, part := range parts[:len(parts)-1] {
		// An odd number of backslashes ahead escapes the bracket already.
		if backslashes := len(part) - len(strings.TrimRight(part, `\`)); backslashes%2 == 0 {
			parts[i] += `\`
		}
	}
	return strings.Join(parts, "](")
}
