package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/review"
	"github.com/routedelta/routedelta/render/diagnostic"
)

type checkCommand struct {
	streams
	flags  renderFlags
	output string
	failOn string
}

func newCheck(s streams) *cobra.Command {
	c := &checkCommand{streams: s}
	command := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Find rules that never win, rules that cross, and what else one side says wrongly",
		Long: `Check looks at one side by itself. A side is a directory of manifests (by default the current one, or each target that the configuration in it
names), git:REVISION[:PATH], - for manifests on standard input, or Envoy files of any origin: a rendering, a bootstrap, a config dump. Findings of the rendering are printed along with those
about rules: a code each, explained in docs/diagnostics. They are suppressed by the configuration (spec.check.suppress) or by the annotation
routedelta.dev/suppress: CODE,CODE on the object.

Exit codes: 0 nothing at or above --fail-on, 1 findings there, 2 bad input, 3 not decided.`,
		Example: `  routedelta check routes
  routedelta check --fail-on warning git:HEAD:routes
  curl -s localhost:19000/config_dump | routedelta check -`,
		RunE: func(command *cobra.Command, arguments []string) error { return c.run(command.Context(), arguments) },
	}
	c.flags.add(command)
	c.flags.addTargets(command, "look at the target of this `NAME` in the configuration only (can be repeated)")
	command.Flags().StringVar(&c.output, "output", "text", "print text, json, markdown or sarif")
	command.Flags().StringVar(&c.failOn, "fail-on", "", "exit with 1 when there is a finding of this `SEVERITY`, or a worse one: info, warning or error")
	return command
}

func (c *checkCommand) run(ctx context.Context, arguments []string) error {
	print, err := checkPrinter(c.output)
	if err != nil {
		return err
	}
	threshold, err := severities(c.failOn)
	if err != nil {
		return err
	}
	configured, err := c.flags.configuration(".")
	if err != nil {
		return err
	}
	targets, err := review.TargetsOfSide(configured, arguments, c.flags.targets)
	if err != nil {
		return outside(err)
	}
	if len(arguments) == 0 {
		arguments = []string{"."}
	}
	network, done := c.flags.network()
	defer done()
	found, err := review.Check(ctx, arguments, review.CheckOptions{
		Environment: review.Environment{Stdin: c.in, Dir: ".", Tool: toolVersion(), RunCommands: c.flags.vouched(), Network: network},
		Config:      configured,
		Targets:     targets,
		Today:       time.Now(),
	})
	if err != nil {
		return outside(err)
	}
	if err := print(c.out, found); err != nil {
		return err
	}
	return checkVerdict(found, threshold)
}

func checkPrinter(output string) (func(io.Writer, *report.Check) error, error) {
	switch output {
	case "text":
		return format.CheckText, nil
	case "json":
		return report.EncodeCheck, nil
	case "markdown":
		return format.CheckMarkdown, nil
	case "sarif":
		return format.CheckSARIF, nil
	}
	return nil, fmt.Errorf("--output %q is none of text, json, markdown, sarif", output)
}

// severities are those from a threshold upwards.
func severities(threshold string) ([]diagnostic.Severity, error) {
	all := []diagnostic.Severity{diagnostic.Error, diagnostic.Warning, diagnostic.Info}
	if threshold == "" {
		return nil, nil
	}
	for i, s := range all {
		if string(s) == threshold {
			return all[:i+1], nil
		}
	}
	return nil, fmt.Errorf("--fail-on %q is none of info, warning, error", threshold)
}

// checkVerdict is the exit code. An error of the input is bad input, whatever the threshold.
func checkVerdict(found *report.Check, threshold []diagnostic.Severity) error {
	counts := found.Worst()
	if counts[diagnostic.Error] > 0 {
		return fail(codeInput, nil, "")
	}
	for _, s := range threshold {
		if counts[s] > 0 {
			return fail(codeFindings, nil, "")
		}
	}
	if found.Open() {
		return fail(codeUndecided, nil, "")
	}
	return nil
}
