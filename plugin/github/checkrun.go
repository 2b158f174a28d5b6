package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/go-github/v60/github"
)

// CheckRun is the verdict on a commit, shown beside it and in the list of checks of its pull request.
type CheckRun struct {
	// Name is how the check is called, "routedelta" and the instance if empty. Branch protection refers to it.
	Name       string
	Conclusion Conclusion
	Title      string
	// Summary writes Markdown with at most limit runes. It is asked again for a shorter one if GitHub finds it too long.
	Summary     func(limit int) string
	Annotations []Annotation
	// DetailsURL leads to the run, "" to the check itself.
	DetailsURL string
}

// Conclusion of a check run.
type Conclusion string

const (
	Success Conclusion = "success"
	Failure Conclusion = "failure"
	Neutral Conclusion = "neutral"
)

// SummaryLimit is how many characters GitHub takes in the summary of a check run ("Create a check run", output.summary).
const SummaryLimit = 65_535

// UpsertCheckRun makes the commit of the run have the check run: it creates, updates, or leaves it untouched. A second run for the
// same commit updates the check run of the first.
//
// GitHub adds annotations and never takes one away. So the annotations of a check run that is there are brought up to date only as
// long as all of them are wanted still; else a new one is created, which GitHub shows in its place.
func UpsertCheckRun(ctx context.Context, client *Client, place Place, check CheckRun) (Result, error) {
	if err := place.validate(); err != nil {
		return Result{}, err
	}
	if place.Run.Head == "" {
		return Result{}, errors.New("a check run is about a commit, and the head of the run is not known")
	}
	c := &checking{client: client, place: place, check: check, limit: SummaryLimit}
	c.name = cmp.Or(check.Name, defaultCheckName(place))
	err := client.untilDone(ctx, place.operation("checking"), c.once)
	return c.result, err
}

func defaultCheckName(place Place) string {
	if place.Instance == "" || place.Instance == "default" {
		return "routedelta"
	}
	return fmt.Sprintf("routedelta (%s)", place.Instance)
}

// checking is one UpsertCheckRun under way.
type checking struct {
	client *Client
	place  Place
	check  CheckRun
	name   string
	limit  int
	sent   Action // what was tried, when the answer is not known
	result Result
}

// once looks at what is there and writes what is missing.
func (c *checking) once(ctx context.Context) error {
	there, err := c.find(ctx)
	if err != nil {
		return err
	}
	if there == nil {
		return c.create(ctx)
	}
	shown, err := c.annotations(ctx, there)
	if err != nil {
		return err
	}
	missing, ok := without(c.check.Annotations, shown)
	if !ok {
		return c.create(ctx)
	}
	c.result = Result{Action: cmp.Or(c.sent, Unchanged), URL: there.GetHTMLURL()}
	if len(missing) == 0 && c.says(there) {
		return nil
	}
	return c.update(ctx, there, missing)
}

// externalID is how the check runs of an instance are known again.
func (c *checking) externalID() string { return "routedelta:" + c.place.instance() }

// find is the check run of the commit that GitHub shows, nil if there is none.
func (c *checking) find(ctx context.Context) (*github.CheckRun, error) {
	var newest *github.CheckRun
	options := &github.ListCheckRunsOptions{CheckName: &c.name, Filter: github.String("latest")}
	err := paged(&options.ListOptions, func() (*github.Response, error) {
		page, response, err := c.client.api.Checks.ListCheckRunsForRef(ctx, c.place.Owner, c.place.Repository, c.place.Run.Head, options)
		if err != nil {
			return response, err
		}
		for _, run := range page.CheckRuns {
			if run.GetExternalID() == c.externalID() && run.GetID() > newest.GetID() {
				newest = run
			}
		}
		return response, nil
	})
	if err != nil {
		return nil, c.client.failed(ctx, c.place.operation("listing the check runs of"), err)
	}
	return newest, nil
}

// says tells whether a check run says the same already, its annotations aside.
func (c *checking) says(there *github.CheckRun) bool {
	output := there.GetOutput()
	return there.GetStatus() == "completed" && there.GetConclusion() == string(c.check.Conclusion) &&
		output.GetTitle() == c.check.Title && settled(output.GetSummary()) == settled(c.check.Summary(c.limit)) &&
		(c.check.DetailsURL == "" || there.GetDetailsURL() == c.check.DetailsURL)
}

// create makes a check run with the first annotations, and adds the others.
func (c *checking) create(ctx context.Context) error {
	first, rest := batch(c.check.Annotations)
	c.sent = Created
	created, _, err := c.client.api.Checks.CreateCheckRun(ctx, c.place.Owner, c.place.Repository, github.CreateCheckRunOptions{
		Name: c.name, HeadSHA: c.place.Run.Head, ExternalID: github.String(c.externalID()), DetailsURL: optional(c.check.DetailsURL),
		Status: github.String("completed"), Conclusion: github.String(string(c.check.Conclusion)), Output: c.output(first),
	})
	if err != nil {
		return c.unsure(c.client.failed(ctx, c.place.operation("creating a check run on"), err))
	}
	c.result = Result{Action: Created, URL: created.GetHTMLURL()}
	return c.add(ctx, created.GetID(), rest)
}

// update brings a check run up to date.
func (c *checking) update(ctx context.Context, there *github.CheckRun, missing []Annotation) error {
	c.sent = cmp.Or(c.sent, Updated)
	first, rest := batch(missing)
	if err := c.send(ctx, there.GetID(), first); err != nil {
		return err
	}
	c.result.Action = c.sent
	return c.add(ctx, there.GetID(), rest)
}

// add sends annotations, as many at once as GitHub takes.
func (c *checking) add(ctx context.Context, id int64, annotations []Annotation) error {
	for len(annotations) > 0 {
		var next []Annotation
		next, annotations = batch(annotations)
		if err := c.send(ctx, id, next); err != nil {
			return err
		}
	}
	return nil
}

func (c *checking) send(ctx context.Context, id int64, annotations []Annotation) error {
	_, _, err := c.client.api.Checks.UpdateCheckRun(ctx, c.place.Owner, c.place.Repository, id, github.UpdateCheckRunOptions{
		Name: c.name, ExternalID: github.String(c.externalID()), DetailsURL: optional(c.check.DetailsURL),
		Status: github.String("completed"), Conclusion: github.String(string(c.check.Conclusion)), Output: c.output(annotations),
	})
	if err != nil {
		return c.unsure(c.client.failed(ctx, c.place.operation("updating the check run on"), err))
	}
	return nil
}

func (c *checking) output(annotations []Annotation) *github.CheckRunOutput {
	output := &github.CheckRunOutput{Title: &c.check.Title, Summary: github.String(c.check.Summary(c.limit))}
	for _, a := range annotations {
		output.Annotations = append(output.Annotations, a.wire())
	}
	return output
}

// unsure sorts the error of a request that writes: where the summary was too long, a shorter one is written.
func (c *checking) unsure(err error) error {
	if IsKind(err, TooLong) && c.limit > shortestText {
		c.limit /= 2
		return lookAgain(err, 0)
	}
	return unsure(err)
}

func optional(text string) *string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return &text
}
