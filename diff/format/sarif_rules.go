package format

import (
	"regexp"
	"slices"

	"github.com/routedelta/routedelta/diff/report"
)

// Rules that are no severity of a class and no code of a diagnostic.
const (
	ruleEffectless = "effectless"
	ruleUndecided  = "undecided"
	ruleUncompared = "uncompared"
	rulePolicy     = "policy"
)

const (
	informationURI = "https://github.com/routedelta/routedelta"
	// diagnosticPages has a page for every code.
	diagnosticPages = informationURI + "/blob/main/docs/diagnostics/"
)

// sarifKind is what a rule says of itself, and the beginning of the messages of its results.
type sarifKind struct {
	id, level, short, full string
}

// sarifKinds in the order in which they are printed. A class that only exists with a header sent twice is a note whatever
// its rule: few clients ever do that.
func sarifKinds() []sarifKind {
	return []sarifKind{
		{string(report.Lost), "error", "Requests lose their backend", "These requests had a backend or a redirect, and now get an error or no route."},
		{string(report.Moves), "warning", "Requests move", "These requests now get another backend, share of backends, redirect or answer."},
		{string(report.Gained), "note", "Requests gain a backend", "These requests had no backend, and now have one."},
		{string(report.Treated), "note", "Requests are treated differently", "These requests reach the same backend, and are handled otherwise on the way."},
		{string(report.Served), "note", "Requests are served differently", "The outcome is the same; the listener, certificate or endpoints that serve it are others."},
		{ruleEffectless, "warning", "An edit without effect", "This edit changes no request, though a reader may believe that it does."},
		{ruleUndecided, "warning", "Not decided", "Whether these requests change is not known. That is never to be taken for no change."},
		{ruleUncompared, "warning", "Not compared", "This differs and was not compared. What it does to requests is not known."},
		{rulePolicy, "error", "Forbidden by the policy", "The policy of the repository does not let this pass, and nobody has waived it."},
	}
}

// sarifRules are all kinds, found or not, so that the list is the same for every report, and the codes of diagnostics that
// the change brings.
func sarifRules(r *report.Report) []sarifRule {
	var rules []sarifRule
	for _, k := range sarifKinds() {
		rules = append(rules, sarifRule{
			ID:                   k.id,
			ShortDescription:     sarifMessage{k.short},
			FullDescription:      sarifMessage{k.full},
			Help:                 sarifMessage{k.full},
			DefaultConfiguration: sarifConfiguration{k.level},
		})
	}
	for _, code := range introducedCodes(r) {
		rules = append(rules, diagnosticRule(code))
	}
	return rules
}

// introducedCodes are sorted. A code of a strange report that is the word for a kind is no rule of its own.
func introducedCodes(r *report.Report) []string {
	var codes []string
	for _, d := range r.Diagnostics {
		code := visible(string(d.Code))
		isKind := slices.ContainsFunc(sarifKinds(), func(k sarifKind) bool { return k.id == code })
		if d.State == "introduced" && !isKind {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// ownCode is a code that this program writes, and so has a page.
var ownCode = regexp.MustCompile(`^RD[0-9]{4}$`)

func diagnosticRule(code string) sarifRule {
	said := sarifMessage{"Finding " + sarifText(code) + " of the rendering"}
	rule := sarifRule{ID: code, ShortDescription: said, FullDescription: said, Help: said,
		DefaultConfiguration: sarifConfiguration{"warning"}}
	if ownCode.MatchString(code) {
		rule.HelpURI = diagnosticPages + code + ".md"
		rule.Help.Text = "What it is, why it matters and what to do: " + rule.HelpURI
	}
	return rule
}
