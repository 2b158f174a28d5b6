package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/go-github/v60/github"
)

// actionsBot is who writes with the token of a workflow run. That token may not ask for its own name.
const actionsBot = "github-actions[bot]"

// maxPages bounds a listing. GitHub takes 2,500 comments on an issue, which is 25 pages.
const maxPages = 100

// Comment is what should stand on a pull request.
type Comment struct {
	Owner, Repository string
	Number            int
	// Instance keeps several comments of routedelta on one pull request apart; "default" if empty.
	Instance string
	// Body in Markdown, at most BodyLimit runes. The marker is added here.
	Body string
	// OnlyUpdate: a comment that is there is brought up to date, none is created. It is for a body that says "nothing changes"
	// under the policy "comment: on-change".
	OnlyUpdate bool
	// Author is the login that the token writes as; "" asks GitHub, and takes the bot of GitHub Actions where the token may not
	// ask.
	Author string
}

// Action is what was done.
type Action string

const (
	Created   Action = "created"
	Updated   Action = "updated"
	Unchanged Action = "unchanged" // it said the same already: nothing was written
	Skipped   Action = "skipped"   // OnlyUpdate, and there was none
)

// Result of an Upsert.
type Result struct {
	Action Action
	// URL of the comment, "" if there is none.
	URL string
}

// Upsert makes the pull request have exactly one comment of the instance with the body: it creates, updates, or leaves it
// untouched. Of several (runs that raced each other) the oldest stays and the others go, whoever of the runs sees it.
func Upsert(ctx context.Context, client *Client, comment Comment) (Result, error) {
	if comment.Instance == "" {
		comment.Instance = "default"
	}
	body, err := signed(comment.Body, comment.Instance)
	if err != nil {
		return Result{}, err
	}
	u := &upsert{client: client, comment: comment, body: body, author: comment.Author}
	if u.author == "" {
		if u.author, err = client.login(ctx); err != nil {
			return Result{}, err
		}
	}
	// What is listed may be gone when it is written to, and a creation whose answer is lost may have happened: look again then.
	const looks = 3
	for look := 1; ; look++ {
		result, err := u.once(ctx)
		if err == nil || look == looks || !errors.Is(err, errLookAgain) {
			return result, err
		}
		if err := client.retry.wait(ctx, time.Duration(look)*time.Second); err != nil {
			return Result{}, client.failed(ctx, u.operation("commenting on"), err)
		}
	}
}

// errLookAgain marks errors after which the pull request may hold something else than was listed.
var errLookAgain = errors.New("look again")

// lookAgain is an error whose text is that of the error inside.
type lookAgain struct{ error }

func (e lookAgain) Is(target error) bool { return target == errLookAgain }
func (e lookAgain) Unwrap() error        { return e.error }

// login asks who the token writes as.
func (c *Client) login(ctx context.Context) (string, error) {
	user, _, err := c.api.Users.Get(ctx, "")
	if err == nil {
		return user.GetLogin(), nil
	}
	err = c.failed(ctx, "asking for the name of the token's owner", err)
	var failure *Error
	if errors.As(err, &failure) && failure.Kind == Forbidden {
		return actionsBot, nil
	}
	return "", err
}

// upsert is one Upsert under way.
type upsert struct {
	client  *Client
	comment Comment
	body    string
	author  string
}

func (u *upsert) operation(doing string) string {
	return fmt.Sprintf("%s %s/%s#%d", doing, u.comment.Owner, u.comment.Repository, u.comment.Number)
}

// once looks at what is there and does what is to be done about it.
func (u *upsert) once(ctx context.Context) (Result, error) {
	ours, err := u.list(ctx)
	switch {
	case err != nil:
		return Result{}, err
	case len(ours) > 0:
		return u.keepOldest(ctx, ours)
	case u.comment.OnlyUpdate:
		return Result{Action: Skipped}, nil
	}
	created, err := u.create(ctx)
	if err != nil {
		return Result{}, err
	}
	return u.settle(ctx, created)
}

// list finds the comments of the instance, oldest first.
func (u *upsert) list(ctx context.Context) ([]*github.IssueComment, error) {
	var ours []*github.IssueComment
	options := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{Page: 1, PerPage: 100}}
	for range maxPages {
		page, response, err := u.client.api.Issues.ListComments(ctx, u.comment.Owner, u.comment.Repository, u.comment.Number, options)
		if err != nil {
			return nil, u.client.failed(ctx, u.operation("listing the comments of"), err)
		}
		for _, comment := range page {
			if isOurs(comment, u.author, u.comment.Instance) {
				ours = append(ours, comment)
			}
		}
		if response.NextPage == 0 {
			break
		}
		options.Page = response.NextPage
	}
	oldestFirst(ours)
	return ours, nil
}

// create posts the comment. When the answer is lost, the comment may be there all the same.
func (u *upsert) create(ctx context.Context) (*github.IssueComment, error) {
	created, _, err := u.client.api.Issues.CreateComment(ctx, u.comment.Owner, u.comment.Repository, u.comment.Number, &github.IssueComment{Body: &u.body})
	if err == nil {
		return created, nil
	}
	err = u.client.failed(ctx, u.operation("creating a comment on"), err)
	var failure *Error
	if errors.As(err, &failure) && failure.Kind == Unavailable {
		err = lookAgain{err}
	}
	return nil, err
}

// settle looks whether another run created a comment at the same time: the older one stays, ours goes. The author that GitHub
// gave the comment is the true one: with the token of a GitHub App it is not what we took it for.
func (u *upsert) settle(ctx context.Context, created *github.IssueComment) (Result, error) {
	result := Result{Action: Created, URL: created.GetHTMLURL()}
	u.author = created.GetUser().GetLogin()
	ours, err := u.list(ctx)
	if err != nil {
		return result, err
	}
	if len(ours) == 0 || ours[0].GetID() >= created.GetID() {
		return result, nil
	}
	if err := u.remove(ctx, created); err != nil {
		return result, err
	}
	return u.update(ctx, ours[0])
}

// keepOldest updates the first comment and removes the others.
func (u *upsert) keepOldest(ctx context.Context, ours []*github.IssueComment) (Result, error) {
	for _, superfluous := range ours[1:] {
		if err := u.remove(ctx, superfluous); err != nil {
			return Result{}, err
		}
	}
	return u.update(ctx, ours[0])
}

// update brings a comment up to date, without a request if it is.
func (u *upsert) update(ctx context.Context, there *github.IssueComment) (Result, error) {
	result := Result{Action: Unchanged, URL: there.GetHTMLURL()}
	if settled(there.GetBody()) == settled(u.body) {
		return result, nil
	}
	_, _, err := u.client.api.Issues.EditComment(ctx, u.comment.Owner, u.comment.Repository, there.GetID(), &github.IssueComment{Body: &u.body})
	if err == nil {
		result.Action = Updated
		return result, nil
	}
	err = u.client.failed(ctx, u.operation("updating the comment on"), err)
	var failure *Error
	if errors.As(err, &failure) && failure.Kind == NotFound { // removed since it was listed
		err = lookAgain{err}
	}
	return Result{}, err
}

// remove deletes a comment of ours. Another run may have done so already.
func (u *upsert) remove(ctx context.Context, comment *github.IssueComment) error {
	response, err := u.client.api.Issues.DeleteComment(ctx, u.comment.Owner, u.comment.Repository, comment.GetID())
	if err == nil || (response != nil && response.StatusCode == http.StatusNotFound) {
		return nil
	}
	return u.client.failed(ctx, u.operation("removing a second comment on"), err)
}
