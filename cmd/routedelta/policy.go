package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/policy"
)

// noRule is the word for no rule at all.
const noRule = "none"

// policyFlags ask for rules in place of those of the configuration. Its waivers hold all the same.
type policyFlags struct{ failOn []string }

func (f *policyFlags) add(command *cobra.Command) {
	command.Flags().StringSliceVar(&f.failOn, "fail-on", nil, "exit with 1 when a change breaks one of these `RULES` of docs/policy.md, as backend-lost,moved-share=25, or none, in place of spec.policy.failOn")
}

// override lays the rules over the policy of a configuration.
func (f *policyFlags) override(configured *config.Config) error {
	if len(f.failOn) == 0 {
		return nil
	}
	rules := &configured.Spec.Policy
	rules.FailOn = nil
	for _, word := range f.failOn {
		rule, share, hasShare := strings.Cut(strings.TrimSpace(word), "=")
		if rule == noRule && len(f.failOn) == 1 {
			break
		}
		rules.FailOn = append(rules.FailOn, rule)
		if rule == config.MovedShare && !hasShare && rules.MaxMovedShare == 0 {
			return fail(codeInput, fmt.Errorf("--fail-on %s wants how much may move", rule), "--fail-on "+rule+"=25 fails where more than 25 % of a kind of requests move")
		}
		if !hasShare {
			continue
		}
		percent, err := strconv.Atoi(share)
		if err != nil || rule != config.MovedShare || percent < 1 {
			return fmt.Errorf("--fail-on %q: want a rule, or %s=PERCENT", word, config.MovedShare)
		}
		rules.MaxMovedShare = percent
	}
	return configured.Validate("--fail-on")
}

// judge writes the verdict of the policy into a report. Waivers end with a day in UTC, so that every machine gives the same answer.
func judge(found *report.Report, configured *config.Config, now time.Time) {
	found.Policy = policy.Judge(found, configured.Spec.Policy, now.UTC())
}
