package github

import (
	"context"

	"github.com/google/go-github/v60/github"
)

// actionsBot is who writes with the token of a workflow run. That token may not ask for its own name.
const actionsBot = "github-actions[bot]"

// maxPages bounds a listing. GitHub takes 2,500 comments on an issue, which is 25 pages.
const maxPages = 100

// login asks who the token writes as.
func (c *Client) login(ctx context.Context) (string, error) {
	user, _, err := c.api.Users.Get(ctx, "")
	if err == nil {
		return user.GetLogin(), nil
	}
	err = c.failed(ctx, "asking for the name of the token's owner", err)
	if IsKind(err, Forbidden) {
		return actionsBot, nil
	}
	return "", err
}

// list finds the comments of the instance, oldest first.
func (u *upsert) list(ctx context.Context) ([]*github.IssueComment, error) {
	var ours []*github.IssueComment
	options := &github.IssueListCommentsOptions{}
	err := paged(&options.ListOptions, func() (*github.Response, error) {
		page, response, err := u.client.api.Issues.ListComments(ctx, u.place.Owner, u.place.Repository, u.place.Number, options)
		for _, comment := range page {
			if isOurs(comment, u.author, u.place.instance()) {
				ours = append(ours, comment)
			}
		}
		return response, err
	})
	if err != nil {
		return nil, u.client.failed(ctx, u.place.operation("listing the comments of"), err)
	}
	oldestFirst(ours)
	return ours, nil
}

// paged asks for page after page, a hundred a page.
func paged(options *github.ListOptions, ask func() (*github.Response, error)) error {
	options.Page, options.PerPage = 1, 100
	for range maxPages {
		response, err := ask()
		if err != nil || response.NextPage == 0 {
			return err
		}
		options.Page = response.NextPage
	}
	return nil
}
