package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/git"
	"github.com/routedelta/routedelta/plugin/github"
	"github.com/routedelta/routedelta/plugin/github/artifact"
)

// runFromArtifact comments for a run without rights. Which pull request it is about, which commits and which addresses, all of that is
// asked for at GitHub or stands in the event; of the artifact only the report is taken, and set in words anew.
func (c *commentCommand) runFromArtifact(ctx context.Context) error {
	origin, err := c.origin()
	if err != nil {
		return err
	}
	left, err := artifact.Read(c.artifact)
	if err != nil {
		return outside(err)
	}
	if left.About.Head != origin.Run.Head {
		return fail(codeInput, fmt.Errorf("the artifact says that it is about the commit %.40q, but its run was about %s", left.About.Head, origin.Run.Head), "download the artifact of the run that the event names: run-id: ${{ github.event.workflow_run.id }}")
	}
	found, err := report.DecodeForeign(left.Report)
	if err != nil {
		return fmt.Errorf("the artifact: %w", err)
	}
	client, err := c.client()
	if err != nil {
		return err
	}
	pull, err := origin.PullRequest(ctx, client, left.About.Number)
	var passed *github.OriginError
	if errors.As(err, &passed) && passed.Passed {
		fmt.Fprintf(c.err, "routedelta: note: %s: %s\n", passed, passed.Hint())
		return nil
	}
	if err != nil {
		return outside(err)
	}
	if err := c.ground(ctx, client, origin, pull, found); err != nil {
		return err
	}
	if err := c.judgeForeign(found); err != nil {
		return err
	}
	publication := c.publication(found, format.MarkdownOptions{MoreText: "the run", MoreURL: origin.URL}, foot(origin))
	if c.dryRun {
		return c.print(publication)
	}
	owner, name, _ := strings.Cut(origin.Repository, "/")
	publication.Place = c.place(owner, name, pull.Number, origin.Run)
	return c.publish(ctx, client, publication)
}

// origin reads the event of this run. A repository that is named otherwise is a mistake in the workflow.
func (c *commentCommand) origin() (github.Origin, error) {
	name := cmp.Or(c.event, c.env("GITHUB_EVENT_PATH"))
	if name == "" {
		return github.Origin{}, fail(codeInput, fmt.Errorf("--from-artifact wants the event of a workflow_run"), "run it in a workflow on workflow_run, or name the file: --event FILE")
	}
	file, err := os.Open(name)
	if err != nil {
		return github.Origin{}, fmt.Errorf("reading the event: %w", err)
	}
	defer file.Close()
	origin, err := github.ReadOrigin(file)
	if err != nil {
		return github.Origin{}, outside(err)
	}
	if here := cmp.Or(c.repository, c.env("GITHUB_REPOSITORY"), origin.Repository); !strings.EqualFold(here, origin.Repository) {
		return github.Origin{}, fmt.Errorf("the event is of %q, and not of %q", origin.Repository, here)
	}
	return origin, nil
}

// ground gives the sides of a report the names, commits and addresses that GitHub knows. The report's own commits are taken where they are
// known to be what they should be: the base as it was at that time, and the merge of both.
func (c *commentCommand) ground(ctx context.Context, client *github.Client, origin github.Origin, pull github.PullRequest, found *report.Report) error {
	base, err := origin.Trusted(ctx, client, pull, found.Before.Revision)
	if err != nil {
		return outside(err)
	}
	head := pull.Head
	if pull.Merge != "" && found.After.Revision == pull.Merge {
		head = pull.Merge
	}
	server := cmp.Or(c.env("GITHUB_SERVER_URL"), "https://github.com")
	for _, side := range []struct {
		side          *report.Side
		commit        string
		branch, label string
	}{{&found.Before, base, pull.BaseRef, base}, {&found.After, head, pull.HeadRef, pull.Head}} {
		side.side.Revision = side.commit
		side.side.Label = fmt.Sprintf("%s@%.7s", side.branch, side.label)
		side.side.BlobURL = git.BlobURLAt(server, origin.Repository, git.Commit{Hash: side.commit})
	}
	return nil
}

// judgeForeign judges by the policy of the configuration that is here: a workflow_run checks out the default branch, if anything.
func (c *commentCommand) judgeForeign(found *report.Report) error {
	configured, err := new(renderFlags).configuration(".")
	if err != nil {
		return err
	}
	judge(found, configured, time.Now())
	return nil
}

// foot says how far to believe the comment.
func foot(origin github.Origin) string {
	run := "a run"
	if strings.HasPrefix(origin.URL, "https://") && !strings.ContainsAny(origin.URL, " ()<>\"\n") {
		run = "[a run](" + origin.URL + ")"
	}
	return "\n<sub>Compared by " + run + " of the pull request itself, without rights: it could have been told to say otherwise.</sub>\n"
}
