package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/plugin/github"
)

type commentCommand struct {
	streams
	repository string
	number     int
	report     string
	instance   string
	when       string
	dryRun     bool
}

func newComment(s streams) *cobra.Command {
	c := &commentCommand{streams: s}
	command := &cobra.Command{
		Use:   "comment --repo OWNER/NAME --pr N --report FILE",
		Short: "Post or update the comment on a pull request",
		Long: `Comment writes a report into the one comment that routedelta keeps on a pull request: created once, updated in place, left alone
when nothing changed. The token is read from GITHUB_TOKEN (or GH_TOKEN), the address of the API from GITHUB_API_URL.`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
	flags := command.Flags()
	flags.StringVar(&c.repository, "repo", "", "the repository, `OWNER/NAME`")
	flags.IntVar(&c.number, "pr", 0, "the `NUMBER` of the pull request")
	flags.StringVar(&c.report, "report", "-", "the JSON report in `FILE`, - for standard input")
	flags.StringVar(&c.instance, "instance", "", "a `NAME` that keeps several comments of routedelta on one pull request apart")
	flags.StringVar(&c.when, "comment", "on-change", "create the comment: on-change or always (an existing one is always updated)")
	flags.BoolVar(&c.dryRun, "dry-run", false, "print the comment instead")
	return command
}

func (c *commentCommand) run(ctx context.Context) error {
	if c.when != "on-change" && c.when != "always" {
		return fmt.Errorf("--comment %q is none of on-change, always", c.when)
	}
	owner, name, ok := strings.Cut(c.repository, "/")
	if !c.dryRun && (!ok || owner == "" || name == "" || strings.Contains(name, "/") || c.number <= 0) {
		return fail(codeInput, errors.New("want --repo OWNER/NAME and --pr NUMBER"), "in a workflow: --repo \"$GITHUB_REPOSITORY\" --pr \"$NUMBER\" with NUMBER from github.event.pull_request.number")
	}
	found, err := readReport(c.report, c.in)
	if err != nil {
		return err
	}
	text := func(limit int) string {
		return format.Markdown(found, format.MarkdownOptions{Limit: min(limit, format.DefaultLimit)})
	}
	if c.dryRun {
		_, err := fmt.Fprint(c.out, text(format.DefaultLimit))
		return err
	}
	return c.post(ctx, github.Place{Owner: owner, Repository: name, Number: c.number, Instance: c.instance}, github.Comment{
		Text: text, Clean: !found.HasFindings(), OnlyUpdate: c.when == "on-change" && !found.HasFindings(),
	})
}

func (c *commentCommand) post(ctx context.Context, place github.Place, comment github.Comment) error {
	token := c.env("GITHUB_TOKEN")
	if token == "" {
		token = c.env("GH_TOKEN")
	}
	if token == "" {
		return fail(codeInput, errors.New("no token in GITHUB_TOKEN"), "in a workflow: env: {GITHUB_TOKEN: ${{ github.token }}}, with permissions: pull-requests: write")
	}
	client, err := github.NewClient(token, c.env("GITHUB_API_URL"))
	if err != nil {
		return err
	}
	result, err := github.Upsert(ctx, client, place, comment)
	if err != nil {
		return outside(err)
	}
	_, err = fmt.Fprintf(c.out, "%s %s\n", result.Action, result.URL)
	return err
}
