package format

import (
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
)

// forbidden are violations that read alike: several classes of one host that break a rule in the same way.
type forbidden struct {
	report.Violation
	times int
}

// verdict is what the policy forbids, and what somebody has allowed, each in the order of the report.
func verdict(r *report.Report) (violated, waived []forbidden) {
	if r.Policy == nil {
		return nil, nil
	}
	at := map[string]int{}
	for _, v := range r.Policy.Violations {
		list := &violated
		if v.Waived != nil {
			list = &waived
		}
		key := report.Digest(v.Rule, v.Message, v.Waived)
		if i, seen := at[key]; seen {
			(*list)[i].times++
			continue
		}
		at[key] = len(*list)
		*list = append(*list, forbidden{v, 1})
	}
	return violated, waived
}

// policyHeadline is what the policy says in short, "" where it forbids nothing.
func policyHeadline(r *report.Report) string {
	violated, _ := verdict(r)
	n := 0
	for _, v := range violated {
		n += v.times
	}
	if n == 0 {
		return ""
	}
	return "The policy forbids this change: " + Plural(n, "violation", "violations")
}

// violation is "`backend-lost`: requests to `shop.example` lose their backend (2 kinds of requests)", and who has allowed it.
func (w words) violation(v forbidden) string {
	said := w.code(v.Rule) + ": " + w.word(v.Message)
	if v.times > 1 {
		said += fmt.Sprintf(" (%s)", Plural(v.times, "time", "times"))
	}
	if v.Waived != nil {
		said += fmt.Sprintf("; waived by %s until %s: %s", w.code(v.Waived.By), w.code(v.Waived.Until), w.code(v.Waived.Reason))
	}
	return said
}

// policyNotes are what is to be said of the policy itself.
func (w words) policyNotes(r *report.Report) []string {
	if r.Policy == nil {
		return nil
	}
	return each(r.Policy.Notes, w.word)
}

// policy stands right under the answer: whoever has to act on it must not look for it.
func (p *page) policy() {
	violated, waived := verdict(p.report)
	w := p.words(false)
	headline := policyHeadline(p.report)
	if p.detail.findings == 0 {
		if headline != "" {
			p.WriteString("\n**" + headline + ".**\n")
		}
		return
	}
	if headline != "" {
		p.WriteString("\n> [!CAUTION]\n> **" + headline + ".**\n")
		p.policyList(len(violated), func(i int) string { return w.violation(violated[i]) })
	}
	notes := w.policyNotes(p.report)
	if len(waived)+len(notes) == 0 {
		return
	}
	p.WriteString("\n> [!NOTE]\n> **" + waivedHeadline(waived) + ".**\n")
	p.policyList(len(waived), func(i int) string { return w.violation(waived[i]) })
	p.policyList(len(notes), func(i int) string { return notes[i] })
}

func waivedHeadline(waived []forbidden) string {
	n := 0
	for _, v := range waived {
		n += v.times
	}
	if n == 0 {
		return "About the policy"
	}
	return Plural(n, "violation of the policy is waived", "violations of the policy are waived")
}

func (p *page) policyList(n int, item func(int) string) {
	for i := range min(n, p.detail.findings) {
		fmt.Fprintf(p, "> - %s.\n", item(i))
	}
	if more := n - p.detail.findings; more > 0 {
		fmt.Fprintf(p, "> - …and %d more.\n", more)
	}
}

// policy stands above the answer, which is the last line of a terminal.
func (t *terminal) policy() {
	violated, waived := verdict(t.report)
	for _, v := range violated {
		fmt.Fprintf(t, "%-*s%s\n", indent, "forbidden", t.words.violation(v))
	}
	for _, v := range waived {
		fmt.Fprintf(t, "%-*s%s\n", indent, "waived", t.words.violation(v))
	}
	for _, note := range t.words.policyNotes(t.report) {
		fmt.Fprintf(t, "%-*s%s\n", indent, "policy", note)
	}
	if len(violated)+len(waived)+len(t.words.policyNotes(t.report)) > 0 {
		t.WriteString("\n")
	}
}

// judgedClass is what the policy says of a class, and whether it forbids it.
func (s *sarifWriter) judgedClass(id string) (said string, forbidden bool) {
	if s.report.Policy == nil {
		return "", false
	}
	for _, v := range s.report.Policy.Violations {
		switch {
		case v.Class != id || id == "":
		case v.Waived == nil:
			said, forbidden = said+". Forbidden by the policy: "+visible(v.Rule), true
		default:
			said += fmt.Sprintf(". Waived from the policy's rule %s by %s until %s: %s", visible(v.Rule), visible(v.Waived.By), visible(v.Waived.Until), visible(v.Waived.Reason))
		}
	}
	return said, forbidden
}

// violations are those that are about no class.
func (s *sarifWriter) violations() {
	violated, _ := verdict(s.report)
	for _, v := range violated {
		if v.Class == "" {
			text := "Forbidden by the policy: " + strings.TrimSpace(s.words.violation(v))
			s.add(finding{rule: rulePolicy, text: text, fingerprint: report.Digest(v.Rule, v.Message)})
		}
	}
}

// policy sets the verdict on the page, right under the answer.
func (p *htmlPage) policy(r *report.Report, w words) {
	p.Verdict = policyHeadline(r)
	violated, waived := verdict(r)
	for _, v := range violated {
		p.Forbidden = append(p.Forbidden, runs(w.violation(v)))
	}
	for _, v := range waived {
		p.Waived = append(p.Waived, runs(w.violation(v)))
	}
	for _, note := range w.policyNotes(r) {
		p.Waived = append(p.Waived, runs(note))
	}
}
