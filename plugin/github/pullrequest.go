package github

import (
	"context"

	"github.com/google/go-github/v60/github"
)

// PullRequest is what GitHub itself says of a pull request.
type PullRequest struct {
	Number int
	Open   bool
	// Head and Base are full SHAs: the newest commit, and that of the branch that it is to be merged into, as GitHub last looked.
	Head, Base string
	// Merge is the commit of the two merged, "" while there is none.
	Merge string
	// HeadRef and BaseRef are the names of the branches. Whoever opened the pull request chose HeadRef.
	HeadRef, BaseRef string
	// HeadRepository is OWNER/NAME, "" if it was deleted since. BaseRepository is where the pull request is.
	HeadRepository, BaseRepository string
	URL                            string
}

// PullRequest asks for a pull request.
func (c *Client) PullRequest(ctx context.Context, owner, repository string, number int) (PullRequest, error) {
	pull, _, err := c.api.PullRequests.Get(ctx, owner, repository, number)
	if err != nil {
		return PullRequest{}, c.failed(ctx, Place{Owner: owner, Repository: repository, Number: number}.operation("asking for"), err)
	}
	return pullRequest(pull), nil
}

func pullRequest(pull *github.PullRequest) PullRequest {
	return PullRequest{
		Number:         pull.GetNumber(),
		Open:           pull.GetState() == "open",
		Head:           pull.GetHead().GetSHA(),
		Base:           pull.GetBase().GetSHA(),
		Merge:          pull.GetMergeCommitSHA(),
		HeadRef:        pull.GetHead().GetRef(),
		BaseRef:        pull.GetBase().GetRef(),
		HeadRepository: pull.GetHead().GetRepo().GetFullName(),
		BaseRepository: pull.GetBase().GetRepo().GetFullName(),
		URL:            pull.GetHTMLURL(),
	}
}
