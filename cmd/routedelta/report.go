package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/plugin/github"
)

// reportCommand is the half of a review that needs no rights. It talks to no API.
type reportCommand struct {
	workflow
	artifact string
	annotate bool
}

func newReport(s streams) *cobra.Command {
	c := &reportCommand{workflow: workflow{streams: s}}
	command := &cobra.Command{
		Use:   "report [PATH]",
		Short: "In a GitHub workflow: compare the commits of the event, and leave the report as files, summary and annotations",
		Long: `Report compares the two commits that the event of a workflow run is about: on pull_request the merge of the pull request with what it is
merged into. Commits that a shallow clone lacks are fetched. It leaves the report in a folder, for "routedelta comment --from-artifact", and
writes the summary of the job, outputs and annotations. It needs no token that can write, and asks GitHub nothing: it is what to run for
pull requests from forks.`,
		Example: `  routedelta report --artifact routedelta-report clusters/production`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, arguments []string) error {
			if len(arguments) == 1 {
				c.path = arguments[0]
			}
			return c.run(command.Context())
		},
	}
	c.flags.add(command)
	c.flags.addTargets(command, compareTargets)
	c.policy.add(command)
	flags := command.Flags()
	flags.StringVar(&c.base, "base", "", "compare with this `REVISION` in place of what the event says")
	flags.StringVar(&c.artifact, "artifact", "routedelta-report", "leave the report in `DIR`, which must be new or empty")
	flags.StringVar(&c.instance, "instance", "", "a `NAME` for the heading, where several comparisons are made")
	flags.BoolVar(&c.annotate, "annotate", true, "write the findings as annotations on the lines of the manifests")
	return command
}

func (c *reportCommand) run(ctx context.Context) error {
	c.token = c.env("GITHUB_TOKEN")
	return c.logged(func(log *github.Log) (int, error) {
		found, err := c.compare(ctx)
		if err != nil {
			return c.conclude(log, err)
		}
		return c.leave(log, found, c.artifact, c.annotate)
	})
}

// logged runs the job of a step with a log from which the runner takes no commands but ours. What goes to standard error is in it too: the
// runner reads both, in no certain order.
func (w *workflow) logged(job func(*github.Log) (int, error)) error {
	log, err := github.NewLog(w.out)
	if err != nil {
		return err
	}
	w.out, w.err = log, log
	code, err := job(log)
	if err := errors.Join(err, log.Close()); err != nil {
		return err
	}
	if code == codeNothing {
		return nil
	}
	return fail(code, nil, "")
}

// leave leaves everything that needs no rights, and gives the exit code. What is not decided fails a step only if the policy asks for it.
func (w *workflow) leave(log *github.Log, r *reviewed, artifact string, annotate bool) (int, error) {
	files, err := w.leaveFiles(artifact, r)
	if err != nil {
		return w.conclude(log, err)
	}
	if err := format.Text(log, r.report, format.TextOptions{}); err != nil {
		return 0, err
	}
	if annotate {
		if err := log.Annotate(r.annotations, "the summary of this job has all of them"); err != nil {
			return 0, err
		}
	}
	code := exitCode(verdict(r.report, false))
	outputs := append(reportOutputs(r.report), github.Output{Name: "report", Value: files.report}, github.Output{Name: "artifact", Value: files.dir},
		github.Output{Name: "sarif", Value: files.sarif}, github.Output{Name: "exit-code", Value: strconv.Itoa(code)})
	if err := errors.Join(w.leaveSummary(r.report), w.leaveOutputs(outputs)); err != nil {
		return w.conclude(log, err)
	}
	if code == codeUndecided {
		code = codeNothing
	}
	return code, nil
}

// conclude ends a run without an answer: by an annotation that says why, and outputs that later steps can ask.
func (w *workflow) conclude(log *github.Log, err error) (int, error) {
	var nothing *github.NothingError
	if errors.As(err, &nothing) {
		outputs := []github.Output{{Name: "changed", Value: "false"}, {Name: "failed", Value: "false"}, {Name: "violations", Value: "0"}, {Name: "exit-code", Value: "0"}}
		return 0, errors.Join(log.Annotate([]github.Annotation{{Level: github.LevelNotice, Title: "routedelta", Message: nothing.Error()}}, ""), w.leaveOutputs(outputs))
	}
	code, said := w.complain(err)
	for _, a := range said {
		fmt.Fprintf(log, "routedelta: error: %s\n", printable(where(a)+a.Message))
	}
	return code, errors.Join(log.Annotate(said, "the log of this step has all of them"), w.leaveOutputs([]github.Output{{Name: "exit-code", Value: strconv.Itoa(code)}}))
}

// where is the place of an annotation as a log has it.
func where(a github.Annotation) string {
	if a.Path == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d: ", a.Path, a.StartLine)
}
