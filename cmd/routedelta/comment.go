package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/github"
)

type commentCommand struct {
	streams
	repository string
	number     int
	report     string
	// artifact is a folder or ZIP file of another run, in place of a report; event is what started this run.
	artifact, event string
	head            string
	instance        string
	when            string
	whenClean       string
	check           bool
	dryRun          bool
}

func newComment(s streams) *cobra.Command {
	c := &commentCommand{streams: s}
	command := &cobra.Command{
		Use:   "comment --repo OWNER/NAME --pr N --report FILE | --from-artifact DIR",
		Short: "Post or update the comment on a pull request",
		Long: `Comment writes a report into the one comment that routedelta keeps on a pull request: created once, updated in place, left alone
when nothing changed, and never overwritten by the run of an older commit. The token is read from GITHUB_TOKEN (or GH_TOKEN), the
address of the API from GITHUB_API_URL.

With --from-artifact it is the second half of the workflow for forks: on workflow_run it reads what "routedelta report" left in a run
without rights, asks GitHub which open pull request that run was about, and believes nothing that the artifact says of it.`,
		Example: `  routedelta comment --repo acme/gitops --pr 7 --report report.json
  routedelta comment --from-artifact routedelta-report`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
	flags := command.Flags()
	flags.StringVar(&c.repository, "repo", "", "the repository, `OWNER/NAME`")
	flags.IntVar(&c.number, "pr", 0, "the `NUMBER` of the pull request")
	flags.StringVar(&c.head, "head", "", "the newest commit of the pull request that was compared, as a full `SHA`: the run of an older one then overwrites nothing")
	flags.StringVar(&c.report, "report", "-", "the JSON report in `FILE`, - for standard input")
	flags.StringVar(&c.artifact, "from-artifact", "", "take the report and the pull request from the artifact in `DIR` or a ZIP file, in a workflow_run")
	flags.StringVar(&c.event, "event", "", "with --from-artifact, the `FILE` with the event (GITHUB_EVENT_PATH)")
	flags.StringVar(&c.instance, "instance", "", "a `NAME` that keeps several comments of routedelta on one pull request apart")
	flags.StringVar(&c.when, "comment", "on-change", "create the comment: on-change or always (an existing one is always updated)")
	flags.StringVar(&c.whenClean, "when-clean", "update", "what becomes of the comment when nothing changes any more: update, hide or delete")
	flags.BoolVar(&c.check, "check-run", false, "create or update a check run on the commit too; wants --head or --from-artifact")
	flags.BoolVar(&c.dryRun, "dry-run", false, "print the comment instead")
	return command
}

func (c *commentCommand) run(ctx context.Context) error {
	if err := c.validate(); err != nil {
		return err
	}
	if c.artifact != "" {
		return c.runFromArtifact(ctx)
	}
	found, err := readReport(c.report, c.in)
	if err != nil {
		return err
	}
	publication := c.publication(found, format.MarkdownOptions{}, "")
	if c.dryRun {
		return c.print(publication)
	}
	client, err := c.client()
	if err != nil {
		return err
	}
	owner, name, _ := strings.Cut(c.repository, "/")
	publication.Place = c.place(owner, name, c.number, github.Run{Head: c.head, ID: c.runID(), Attempt: int(c.number64("GITHUB_RUN_ATTEMPT"))})
	return c.publish(ctx, client, publication)
}

func (c *commentCommand) validate() error {
	for _, flag := range []struct {
		name, value string
		known       []string
	}{
		{"--comment", c.when, []string{"on-change", "always"}},
		{"--when-clean", c.whenClean, []string{string(github.UpdateClean), string(github.HideClean), string(github.DeleteClean)}},
	} {
		if !slices.Contains(flag.known, flag.value) {
			return fmt.Errorf("%s %q is none of %s", flag.name, flag.value, strings.Join(flag.known, ", "))
		}
	}
	if c.artifact != "" {
		if c.number != 0 || c.head != "" {
			return errors.New("--from-artifact finds the pull request itself: leave out --pr and --head")
		}
		return nil
	}
	owner, name, ok := strings.Cut(c.repository, "/")
	switch {
	case c.check && c.head == "":
		return errors.New("--check-run wants --head, the commit that it is about")
	case !c.dryRun && (!ok || owner == "" || name == "" || strings.Contains(name, "/") || c.number <= 0):
		return fail(codeInput, errors.New("want --repo OWNER/NAME and --pr NUMBER"), "in a workflow: --repo \"$GITHUB_REPOSITORY\" --pr \"$NUMBER\" with NUMBER from github.event.pull_request.number")
	}
	return nil
}

// runID and its attempt tell which of two runs for the same commit is the later one.
func (c *commentCommand) runID() int64 { return c.number64("GITHUB_RUN_ID") }

// number64 is 0 outside of a workflow.
func (c *commentCommand) number64(name string) int64 {
	n, _ := strconv.ParseInt(c.env(name), 10, 64)
	return n
}

func (c *commentCommand) place(owner, name string, number int, run github.Run) github.Place {
	return github.Place{Owner: owner, Repository: name, Number: number, Instance: c.instance, Run: run}
}

// publication is what the flags ask for. The foot, in Markdown of ours, ends the comment.
func (c *commentCommand) publication(found *report.Report, options format.MarkdownOptions, foot string) github.Publication {
	if c.instance != "default" { // nothing to tell it from
		options.Instance = c.instance
	}
	text := func(limit int) string {
		options.Limit = max(1, min(limit, format.DefaultLimit)-len(foot))
		return format.Markdown(found, options) + foot
	}
	clean := !found.HasFindings() && !found.Fails()
	publication := github.Publication{Comment: &github.Comment{
		Text: text, Clean: clean, OnlyUpdate: clean && c.when == "on-change", WhenClean: github.WhenClean(c.whenClean),
	}}
	if c.check {
		publication.CheckRun = &github.CheckRun{Title: format.Headline(found), Conclusion: conclusion(found), Summary: text}
	}
	return publication
}

// conclusion of a check run: what is not decided is no success.
func conclusion(found *report.Report) github.Conclusion {
	switch {
	case found.Fails():
		return github.Failure
	case found.Open():
		return github.Neutral
	}
	return github.Success
}

func (c *commentCommand) print(publication github.Publication) error {
	_, err := fmt.Fprint(c.out, publication.Comment.Text(format.DefaultLimit))
	return err
}

// client needs a token from the environment.
func (c *commentCommand) client() (*github.Client, error) {
	token := c.env("GITHUB_TOKEN")
	if token == "" {
		token = c.env("GH_TOKEN")
	}
	if token == "" {
		return nil, fail(codeInput, errors.New("no token in GITHUB_TOKEN"), "in a workflow: env: {GITHUB_TOKEN: ${{ github.token }}}, with permissions: pull-requests: write")
	}
	return github.NewClient(token, c.env("GITHUB_API_URL"))
}

func (c *commentCommand) publish(ctx context.Context, client *github.Client, publication github.Publication) error {
	published := github.Publish(ctx, client, publication)
	for _, part := range []struct {
		name    string
		outcome github.Outcome
	}{{"", published.Comment}, {"check run ", published.CheckRun}} {
		if part.outcome.Warning != nil {
			fmt.Fprintf(c.err, "routedelta: warning: %s\n", part.outcome.Warning)
		}
		if part.outcome.Err == nil && part.outcome.Action != "" {
			if _, err := fmt.Fprintf(c.out, "%s%s %s\n", part.name, part.outcome.Action, part.outcome.URL); err != nil {
				return err
			}
		}
	}
	if err := published.Err(); err != nil {
		return outside(err)
	}
	return nil
}
