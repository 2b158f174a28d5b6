package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/github"
)

// actionCommand is what action.yml runs: a report, and what is published of it.
type actionCommand struct {
	reportCommand
	inputs actionInputs
}

func newAction(s streams) *cobra.Command {
	c := &actionCommand{reportCommand: reportCommand{workflow: workflow{streams: s}}}
	return &cobra.Command{
		Use:   "action",
		Short: "What the GitHub Action runs: a report, and the comment, check run and labels of it",
		Long: `Action is "routedelta report", and publishes what it found. It takes no flags: the inputs of the action are in the environment
(INPUT_PATH, INPUT_COMMENT...; see action.yml), so that no value ever stands in a script. With INPUT_FROM_ARTIFACT it is
"routedelta comment --from-artifact".`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
}

func (c *actionCommand) run(ctx context.Context) error {
	return c.logged(func(log *github.Log) (int, error) {
		err := c.inputs.read(c.env)
		if err == nil && c.inputs.fromArtifact != "" {
			return c.forward(ctx, log)
		}
		if err != nil {
			return c.conclude(log, err)
		}
		return c.review(ctx, log)
	})
}

// review compares, leaves what needs no rights, and then publishes what does. What the policy forbids is the last word.
func (c *actionCommand) review(ctx context.Context, log *github.Log) (int, error) {
	c.path, c.base, c.instance, c.token = c.inputs.path, c.inputs.base, c.inputs.instance, c.inputs.token
	c.policy.failOn, c.flags.targets = c.inputs.failOn, c.inputs.targets
	found, err := c.compare(ctx)
	if err != nil {
		return c.conclude(log, err)
	}
	dir, err := c.folder()
	if err != nil {
		return c.conclude(log, err)
	}
	code, err := c.leave(log, found, dir, c.inputs.annotations)
	if err != nil || code == codeInput || code == codeOutside {
		return code, err
	}
	if err := c.publish(ctx, log, found); err != nil {
		return c.conclude(log, err)
	}
	return code, nil
}

// folder is where the report is left: outside of the workspace, where no file of the pull request can be in its way.
func (c *actionCommand) folder() (string, error) {
	if c.inputs.artifact != "" {
		return c.inputs.artifact, nil
	}
	dir, err := os.MkdirTemp(c.env("RUNNER_TEMP"), "routedelta-")
	if err != nil {
		return "", fmt.Errorf("the artifact: %w", err)
	}
	return dir, nil
}

// publish publishes what the inputs ask for. A token that may not do so fails nothing: the summary, the annotations and the artifact have
// been left already, and say the same.
func (c *actionCommand) publish(ctx context.Context, log *github.Log, r *reviewed) error {
	publication := c.publication(r)
	if publication.Comment == nil && publication.CheckRun == nil && publication.Labels == nil {
		return nil
	}
	client, err := github.NewClient(c.inputs.token, c.env("GITHUB_API_URL"))
	if err != nil {
		return outside(err)
	}
	published := github.Publish(ctx, client, publication)
	tell(log, published)
	if published.Forbidden() {
		return log.Annotate([]github.Annotation{c.forbidden(r, published.Err())}, "")
	}
	return outside(published.Err())
}

// tell says in the log what became of each part. Labels are a convenience: that one could not be set fails nobody's run.
func tell(log *github.Log, published github.Published) {
	for _, part := range []struct {
		name    string
		outcome github.Outcome
	}{{"comment", published.Comment}, {"check run", published.CheckRun}, {"labels", published.Labels}} {
		if part.outcome.Action != "" && part.outcome.Err == nil {
			fmt.Fprintf(log, "%s: %s %s\n", part.name, part.outcome.Action, part.outcome.URL)
		}
		if part.outcome.Warning != nil {
			fmt.Fprintf(log, "routedelta: warning: %s\n", part.outcome.Warning)
		}
	}
	if err := published.Labels.Err; err != nil {
		fmt.Fprintf(log, "routedelta: warning: %s\n", printable(err.Error()))
	}
}

// forbidden says that a token could only read. In the run of a fork that is so by design.
func (c *actionCommand) forbidden(r *reviewed, err error) github.Annotation {
	a := github.Annotation{Level: github.LevelNotice, Title: "routedelta", Message: "no comment from a fork, whose token can only read: the report is in the summary of this job; docs/github-action.md says how to comment all the same"}
	if !r.event.FromFork() {
		a.Level = github.LevelWarning
		a.Message = err.Error() + "\nthe job needs permissions: pull-requests: write for the comment, checks: write for the check run; the report is in the summary of this job"
	}
	return a
}

// publication is what the inputs ask for. Outside of a pull request there is at most a check run.
func (c *actionCommand) publication(r *reviewed) github.Publication {
	owner, name, _ := strings.Cut(c.env("GITHUB_REPOSITORY"), "/")
	publication := github.Publication{Place: github.Place{
		Owner: owner, Repository: name, Number: r.event.Number(), Instance: c.inputs.instance,
		Run: github.Run{Head: c.head(r), ID: c.number("GITHUB_RUN_ID"), Attempt: int(c.number("GITHUB_RUN_ATTEMPT"))},
	}}
	text := func(limit int) string {
		return format.Markdown(r.report, format.MarkdownOptions{
			Limit: min(limit, format.DefaultLimit), Instance: c.shown(), MoreText: "the summary of the job", MoreURL: c.runURL(),
		})
	}
	clean := !r.report.HasFindings() && !r.report.Fails()
	if c.inputs.comment != "never" && r.event.Number() != 0 {
		publication.Comment = &github.Comment{Text: text, Clean: clean, OnlyUpdate: clean && c.inputs.comment == "on-change", WhenClean: github.WhenClean(c.inputs.whenClean)}
	}
	if c.inputs.checkRun {
		publication.CheckRun = &github.CheckRun{
			Title: format.Headline(r.report), Conclusion: conclusion(r.report), Summary: text, DetailsURL: c.runURL(),
			Annotations: slices.DeleteFunc(slices.Clone(r.annotations), func(a github.Annotation) bool { return a.Path == "" }),
		}
	}
	if len(c.inputs.labels) > 0 && r.event.Number() != 0 {
		publication.Labels = c.inputs.labelsFor(r.report)
	}
	return publication
}

// forward comments for the run of a fork, with the rights of this one.
func (c *actionCommand) forward(ctx context.Context, log *github.Log) (int, error) {
	comment := &commentCommand{
		streams: c.streams, artifact: c.inputs.fromArtifact, instance: c.inputs.instance, when: c.inputs.comment,
		whenClean: c.inputs.whenClean, check: c.inputs.checkRun,
	}
	environment := c.env
	comment.env = func(name string) string {
		if name == "GITHUB_TOKEN" {
			return c.inputs.token
		}
		return environment(name)
	}
	if c.inputs.comment == "never" {
		return c.conclude(log, errors.New("the input comment is never: there is nothing to do with an artifact"))
	}
	if err := comment.run(ctx); err != nil {
		return c.conclude(log, err)
	}
	return codeNothing, nil
}

// labelsFor are the labels whose condition holds, and those whose does not.
func (i actionInputs) labelsFor(found *report.Report) *github.Labels {
	labels := &github.Labels{}
	for _, l := range i.labels {
		if l.holds(found) {
			labels.Add = append(labels.Add, l.name)
		} else {
			labels.Remove = append(labels.Remove, l.name)
		}
	}
	// One label for several conditions is there while any of them holds.
	labels.Remove = slices.DeleteFunc(labels.Remove, func(name string) bool { return slices.Contains(labels.Add, name) })
	return labels
}
