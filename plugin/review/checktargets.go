package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// checkTargets looks at each target by itself, and joins what is found. What targets share is said once, with the names of those that it is
// found in.
func checkTargets(ctx context.Context, options CheckOptions, list *suppressions) (*report.Check, error) {
	joined := &joinedCheck{Check: report.Check{Tool: options.Tool}, in: map[diagnostic.Diagnostic][]string{}}
	for i, target := range options.Targets {
		found, err := checkTarget(ctx, options, target, list)
		if err != nil {
			return nil, ofTarget(options.configuration(), target, err)
		}
		if joined.add(found, target.Name); i == 0 {
			joined.Order = found.Order
		}
	}
	if len(options.Targets) > 1 {
		joined.nameTargets()
	}
	return &joined.Check, nil
}

func checkTarget(ctx context.Context, options CheckOptions, target config.Target, list *suppressions) (*report.Check, error) {
	name, err := options.PathOf(ctx, target)
	if err != nil {
		return nil, err
	}
	options.Config = options.configuration().ForTarget(target)
	return checkOne(ctx, []string{name}, options, list)
}

// joinedCheck is what was found in several targets, and in which of them.
type joinedCheck struct {
	report.Check
	in map[diagnostic.Diagnostic][]string
}

func (j *joinedCheck) add(found *report.Check, target string) {
	j.Sources = append(j.Sources, found.Sources...)
	j.Rules, j.Hosts, j.Suppressed = j.Rules+found.Rules, j.Hosts+found.Hosts, j.Suppressed+found.Suppressed
	if j.Order != found.Order {
		j.Order = "" // it is that of no target alone
	}
	for _, d := range found.Findings {
		names := j.in[d]
		if names == nil {
			j.Findings = append(j.Findings, d)
		}
		if !slices.Contains(names, target) {
			j.in[d] = append(names, target)
		}
	}
}

// nameTargets has each finding say in which targets it is found.
func (j *joinedCheck) nameTargets() {
	for i, d := range j.Findings {
		word := "target"
		if len(j.in[d]) > 1 {
			word = "targets"
		}
		j.Findings[i].Message += fmt.Sprintf(" (%s %s)", word, strings.Join(j.in[d], ", "))
	}
}
