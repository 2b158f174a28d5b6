package github

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/google/go-github/v60/github"
)

// Origin is the workflow run that a workflow_run event is about, as GitHub tells it: a run with no rights that compared a pull request.
// Nothing here comes from what that run left behind.
type Origin struct {
	// Repository is OWNER/NAME of where the event is.
	Repository string
	Run        Run
	// HeadRepository and HeadBranch are where the run's commit was pushed to. Whoever pushed it chose the branch's name.
	HeadRepository, HeadBranch string
	// URL of the run.
	URL string
}

// OriginError says why nothing is published for a run.
type OriginError struct {
	Message, hint string
	// Passed: the pull request went on meanwhile, or was closed; nobody did anything wrong.
	Passed bool
}

func (e *OriginError) Error() string { return e.Message }

// Hint says what to do.
func (e *OriginError) Hint() string { return e.hint }

// runPayload is what is read of the JSON of the event.
type runPayload struct {
	WorkflowRun *struct {
		ID             int64  `json:"id"`
		Attempt        int    `json:"run_attempt"`
		Event          string `json:"event"`
		HeadSHA        string `json:"head_sha"`
		HeadBranch     string `json:"head_branch"`
		HTMLURL        string `json:"html_url"`
		HeadRepository *struct {
			FullName string `json:"full_name"`
		} `json:"head_repository"`
	} `json:"workflow_run"`
	Repository struct {
		FullName string `json:"full_name"`
	} `json:"repository"`
}

// ReadOrigin reads the file that GITHUB_EVENT_PATH names, of the event workflow_run.
func ReadOrigin(file io.Reader) (Origin, error) {
	var said runPayload
	if err := readPayload("workflow_run", file, &said); err != nil {
		return Origin{}, err
	}
	run := said.WorkflowRun
	switch {
	case run == nil:
		return Origin{}, &OriginError{Message: "the event is about no workflow run", hint: "run comment --from-artifact in a workflow on workflow_run"}
	case run.Event != "pull_request":
		return Origin{}, &OriginError{Message: fmt.Sprintf("the run was started by %q, and only that of a pull_request has one to comment on", run.Event),
			hint: "in the workflow: if: github.event.workflow_run.event == 'pull_request'"}
	case run.HeadRepository == nil:
		return Origin{}, &OriginError{Message: "the repository that the run's commit comes from is gone", Passed: true}
	case !fullSHA.MatchString(run.HeadSHA):
		return Origin{}, &OriginError{Message: fmt.Sprintf("the event names no commit: %q", run.HeadSHA)}
	}
	return Origin{Repository: said.Repository.FullName, Run: Run{Head: run.HeadSHA, ID: run.ID, Attempt: run.Attempt},
		HeadRepository: run.HeadRepository.FullName, HeadBranch: run.HeadBranch, URL: run.HTMLURL}, nil
}

// PullRequest finds the pull request that a run was about. It is asked for at GitHub, by the branch of the run: it has to be
// open, and to be at the run's commit still. claimed is the number that the run itself gives, 0 for none. Whoever opened one pull
// request may have forged it, so that it chooses among those that fit, and never adds to them.
func (o Origin) PullRequest(ctx context.Context, client *Client, claimed int) (PullRequest, error) {
	fitting, err := o.fitting(ctx, client)
	if err != nil {
		return PullRequest{}, err
	}
	i := slices.IndexFunc(fitting, func(pull PullRequest) bool { return pull.Number == claimed })
	switch {
	case len(fitting) == 0:
		return PullRequest{}, &OriginError{Passed: true, Message: fmt.Sprintf("no open pull request of %s is at %.7s, which the run compared", o.Repository, o.Run.Head),
			hint: "it was closed, or has a newer commit, whose own run comments"}
	case i >= 0:
		return fitting[i], nil
	case claimed != 0:
		return PullRequest{}, &OriginError{Message: fmt.Sprintf("the artifact says that it is about #%d, which is not at the run's commit %.7s", claimed, o.Run.Head),
			hint: "the artifact is not what routedelta report wrote in that run"}
	case len(fitting) > 1:
		return PullRequest{}, &OriginError{Message: fmt.Sprintf("%d open pull requests are at %.7s, and the artifact does not say which one was compared", len(fitting), o.Run.Head)}
	}
	return fitting[0], nil
}

// fitting are the open pull requests that are at the run's commit. Those of forks are in no event, and GitHub does not find them by
// their commit, but by their branch.
func (o Origin) fitting(ctx context.Context, client *Client) ([]PullRequest, error) {
	owner, name, _ := strings.Cut(o.Repository, "/")
	place := Place{Owner: owner, Repository: name}
	if err := place.validate(); err != nil {
		return nil, err
	}
	headOwner, _, _ := strings.Cut(o.HeadRepository, "/")
	options := &github.PullRequestListOptions{State: "open", Head: headOwner + ":" + o.HeadBranch}
	var fitting []PullRequest
	err := paged(&options.ListOptions, func() (*github.Response, error) {
		page, response, err := client.api.PullRequests.List(ctx, owner, name, options)
		for _, pull := range page {
			if found := pullRequest(pull); o.fits(found) {
				fitting = append(fitting, found)
			}
		}
		return response, err
	})
	if err != nil {
		return nil, client.failed(ctx, place.operation("listing the pull requests of"), err)
	}
	return fitting, nil
}

func (o Origin) fits(pull PullRequest) bool {
	return pull.Open && pull.Head == o.Run.Head && strings.EqualFold(pull.HeadRepository, o.HeadRepository) &&
		strings.EqualFold(pull.BaseRepository, o.Repository)
}

// Trusted is the commit that links may lead to: the one that somebody claims to have looked at, if it is in the history of the pull
// request's base, and else the base itself.
func (o Origin) Trusted(ctx context.Context, client *Client, pull PullRequest, claimed string) (string, error) {
	if !fullSHA.MatchString(claimed) || claimed == pull.Base {
		return pull.Base, nil
	}
	owner, name, _ := strings.Cut(o.Repository, "/")
	below, err := client.isAncestor(ctx, owner, name, claimed, pull.Base)
	if err != nil || !below {
		return pull.Base, err
	}
	return claimed, nil
}
