// Package policy judges a report by the rules that a configuration asks for.
//
// In come a report, the policy in force and the day; out goes the verdict: which rules the change breaks, which of that somebody has
// allowed, and what is to be said of the policy itself. What each rule means is in rules.go and, for users, in docs/policy.md. Whose
// policy is in force is not decided here: on a pull request it is that of the base commit, see review.Environment.InForce.
package policy

import (
	"slices"
	"time"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/config"
)

// Judge says what the policy forbids of a report. It is nil where no rule is asked for. today decides whether a waiver still holds; its
// day counts, as it is in its own time zone.
func Judge(found *report.Report, policy config.Policy, today time.Time) *report.Policy {
	asked := rulesOf(policy)
	if len(asked) == 0 {
		return nil
	}
	judgement := &judgement{policy: policy, today: today, used: make([]bool, len(policy.Waivers))}
	verdict := &report.Policy{Rules: asked}
	for i := range found.Classes {
		class := &found.Classes[i]
		for _, rule := range asked {
			if said := judgement.class(rule, class); said != "" {
				verdict.Violations = append(verdict.Violations, judgement.violation(rule, said, ofClass(class)))
			}
		}
	}
	if slices.Contains(asked, config.UndecidedChange) {
		verdict.Violations = append(verdict.Violations, judgement.open(found)...)
	}
	verdict.Notes = judgement.notes(verdict.Violations)
	return verdict
}

// rulesOf are the rules that are asked for, each once, in the order in which they are documented.
func rulesOf(policy config.Policy) []string {
	var asked []string
	for _, rule := range config.PolicyRules() {
		if slices.Contains(policy.FailOn, rule) {
			asked = append(asked, rule)
		}
	}
	return asked
}

// judgement is one Judge under way.
type judgement struct {
	policy config.Policy
	today  time.Time
	// used tells which waivers allow something of this report.
	used []bool
}

// subject is what a violation is about, as far as waivers ask for it.
type subject struct {
	class   string
	areas   []report.Area
	targets []string
}

func ofClass(c *report.Class) subject {
	return subject{class: c.ID, areas: c.Areas, targets: c.Targets}
}

func (j *judgement) violation(rule, said string, about subject) report.Violation {
	return report.Violation{Rule: rule, Class: about.class, Message: said, Waived: j.waived(rule, about)}
}

// open are the violations of the rule "undecided".
func (j *judgement) open(found *report.Report) []report.Violation {
	var violations []report.Violation
	for _, u := range found.Undecided {
		about := subject{areas: []report.Area{u.Area}}
		violations = append(violations, j.violation(config.UndecidedChange, requestsTo(about.areas)+" are not decided", about))
	}
	for _, u := range found.Uncompared {
		violations = append(violations, j.violation(config.UndecidedChange, quoted(u.Object.String())+" is not compared", subject{}))
	}
	return violations
}
