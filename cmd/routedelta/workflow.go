package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/git"
	"github.com/routedelta/routedelta/plugin/github"
	"github.com/routedelta/routedelta/plugin/review"
)

// fetchTime bounds how long commits that the clone lacks are waited for.
const fetchTime = 10 * time.Minute

// workflow is the part of a run of GitHub Actions that needs no rights: it compares the two commits that the event is about. All that it
// knows of the run comes from the environment that the runner sets.
type workflow struct {
	streams
	flags  renderFlags
	policy policyFlags
	// path of the manifests from the root of the repository; base names the earlier commit in place of the event.
	path, base string
	// token, if there is one, is shown to the server that the run is on when a commit has to be fetched.
	token string
	// instance keeps several comparisons of one pull request apart.
	instance string
}

// reviewed is what a run has found.
type reviewed struct {
	event  github.Event
	sides  github.Sides
	report *report.Report
	// annotations are the findings, at the lines of the later commit.
	annotations []github.Annotation
}

// compare finds the sides, compares them, and judges.
func (w *workflow) compare(ctx context.Context) (*reviewed, error) {
	event, err := w.event()
	if err != nil {
		return nil, err
	}
	repository, err := git.Open(ctx, ".")
	if err != nil {
		return nil, outside(err)
	}
	sides, err := w.sides(ctx, repository, event)
	if err != nil {
		return nil, err
	}
	found, err := w.report(ctx, sides)
	if err != nil {
		return nil, err
	}
	annotations, err := annotations(ctx, found, repository.Nearest(sides.Before, sides.After))
	if err != nil {
		return nil, outside(err)
	}
	return &reviewed{event, sides, found, annotations}, nil
}

// event reads what started the run.
func (w *workflow) event() (github.Event, error) {
	file, err := os.Open(w.env("GITHUB_EVENT_PATH"))
	if err != nil {
		return github.Event{}, fail(codeInput, fmt.Errorf("reading the event: %w", err),
			"run it in a workflow of GitHub Actions, which sets GITHUB_EVENT_PATH; elsewhere use routedelta diff --base REVISION")
	}
	defer file.Close()
	return github.ReadEvent(w.env("GITHUB_EVENT_NAME"), file)
}

func (w *workflow) sides(ctx context.Context, repository *git.Repository, event github.Event) (github.Sides, error) {
	ctx, stop := context.WithTimeoutCause(ctx, fetchTime, fmt.Errorf("no answer within %s", fetchTime))
	defer stop()
	remote := git.Remote{Name: "origin", Server: w.env("GITHUB_SERVER_URL"), Token: w.token}
	sides, err := github.Clone{Repository: repository, Remote: remote}.Sides(ctx, event, w.base)
	return sides, outside(err)
}

func (w *workflow) report(ctx context.Context, sides github.Sides) (*report.Report, error) {
	source := func(commit git.Commit) review.Source {
		return review.Source{Kind: review.Revision, Revision: commit.Hash, Path: w.path, Relative: true}
	}
	before, after := source(sides.Before), source(sides.After)
	network, done := w.flags.network()
	defer done()
	options := review.Options{Environment: review.Environment{Dir: ".", Tool: toolVersion(), BlobURL: w.blobURL(sides.After), Network: network}}
	if err := w.flags.configure(ctx, &options, before, after); err != nil {
		return nil, outside(err)
	}
	if err := w.policy.override(options.Config); err != nil {
		return nil, err
	}
	found, err := review.Compare(ctx, before, after, options)
	if err != nil {
		return nil, err
	}
	found.Before.Label, found.After.Label = sides.Before.Label, sides.After.Label
	found.Before.BlobURL = w.blobURL(sides.Before)
	judge(found, options.Config, time.Now())
	return found, nil
}

// blobURL is where the files of a commit are seen; "" outside of a workflow.
func (w *workflow) blobURL(commit git.Commit) string {
	return git.BlobURLAt(w.env("GITHUB_SERVER_URL"), w.env("GITHUB_REPOSITORY"), commit)
}

// runURL leads to the run, and so to its summary; "" outside of a workflow.
func (w *workflow) runURL() string {
	server, repository, id := w.env("GITHUB_SERVER_URL"), w.env("GITHUB_REPOSITORY"), w.number("GITHUB_RUN_ID")
	if server == "" || repository == "" || id == 0 {
		return ""
	}
	return fmt.Sprintf("%s/%s/actions/runs/%d", strings.TrimSuffix(server, "/"), repository, id)
}

// number of the environment, 0 for none.
func (w *workflow) number(name string) int64 {
	n, err := strconv.ParseInt(w.env(name), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// shown is the instance where there is need to tell it from others.
func (w *workflow) shown() string {
	if w.instance == "default" {
		return ""
	}
	return w.instance
}

// complain says in the log why a run has no answer, and gives what its annotation says: an error, what to do, and the lines of the manifests
// that are to blame.
func (w *workflow) complain(err error) (code int, said []github.Annotation) {
	var bad *review.InputError
	if errors.As(err, &bad) {
		for _, d := range bad.Diagnostics {
			said = append(said, diagnosticAnnotation(d))
		}
	}
	code = exitCode(err)
	message := err.Error()
	var failed *failure
	if errors.As(err, &failed) && failed.hint != "" {
		message += "\n" + failed.hint
	}
	return code, append([]github.Annotation{{Level: github.LevelFailure, Title: "routedelta", Message: message}}, said...)
}
