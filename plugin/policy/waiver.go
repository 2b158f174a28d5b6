package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/config"
)

// waived is the waiver that allows a violation, nil if none does. What is in several targets is allowed in each of them, or not at all.
func (j *judgement) waived(rule string, about subject) *report.Waived {
	targets := about.targets
	if len(targets) == 0 {
		targets = []string{""}
	}
	var first *config.Waiver
	for _, target := range targets {
		i := slices.IndexFunc(j.policy.Waivers, func(w config.Waiver) bool {
			return w.Rule == rule && !j.expired(w) && fits(w, about) && (w.Target == "" || w.Target == target)
		})
		if i < 0 {
			return nil
		}
		j.used[i] = true
		// The one that ends first ends all of it.
		if found := &j.policy.Waivers[i]; first == nil || found.Until < first.Until {
			first = found
		}
	}
	return &report.Waived{By: first.By, Reason: first.Reason, Until: first.Until}
}

// expired tells whether the last day of a waiver is over. A day that cannot be read is no day: the configuration has refused it before.
func (j *judgement) expired(w config.Waiver) bool {
	_, err := time.Parse(time.DateOnly, w.Until)
	return err != nil || w.Until < j.today.Format(time.DateOnly)
}

// fits tells whether a waiver names a subject, its target aside. A host fits only if all requests are to it.
func fits(w config.Waiver, about subject) bool {
	if w.Class == "" && w.Host == "" || w.Class != "" && w.Class != about.class {
		return false
	}
	if w.Host == "" {
		return true
	}
	return len(about.areas) > 0 && !slices.ContainsFunc(about.areas, func(a report.Area) bool { return !hostsWithin(a.Hosts, w.Host) })
}

// hostsWithin tells whether a set of hosts lies in that of a pattern: one of Within does, or all of Include do.
func hostsWithin(hosts class.Terms, pattern string) bool {
	within := func(t class.Term) bool { return hostWithin(t, pattern) }
	outside := func(t class.Term) bool { return !within(t) }
	return slices.ContainsFunc(hosts.Within, within) || len(hosts.Include) > 0 && !slices.ContainsFunc(hosts.Include, outside)
}

func hostWithin(t class.Term, pattern string) bool {
	value := strings.ToLower(t.Value)
	suffix, wild := strings.CutPrefix(strings.ToLower(pattern), "*")
	switch t.Kind {
	case class.TermExact:
		return wild && strings.HasSuffix(value, suffix) && value != suffix || !wild && value == suffix
	case class.TermSuffix:
		return wild && strings.HasSuffix(strings.TrimPrefix(value, "*"), suffix)
	}
	return false
}

// notes are what is wrong with waivers: one that has expired, one for a rule that is not asked for, and one that allows nothing although
// its rule forbids something here. A waiver that is just not needed by this change is none.
func (j *judgement) notes(violations []report.Violation) []string {
	var notes []string
	for i, w := range j.policy.Waivers {
		forbidden := slices.ContainsFunc(violations, func(v report.Violation) bool { return v.Rule == w.Rule && v.Waived == nil })
		switch {
		case j.expired(w):
			notes = append(notes, waiverName(w)+" expired after "+quoted(w.Until))
		case !slices.Contains(j.policy.FailOn, w.Rule):
			notes = append(notes, waiverName(w)+" waives nothing: the policy does not ask for its rule")
		case !j.used[i] && forbidden:
			notes = append(notes, waiverName(w)+" waives nothing of this change")
		}
	}
	return notes
}

// waiverName is what a waiver is called by: its rule, what it is for, and who allows it.
func waiverName(w config.Waiver) string {
	said := "the waiver of " + w.Rule
	for _, part := range []struct{ word, value string }{{"class", w.Class}, {"host", w.Host}, {"target", w.Target}} {
		if part.value != "" {
			said += fmt.Sprintf(" for %s %s", part.word, quoted(part.value))
		}
	}
	return said + " by " + quoted(w.By)
}
