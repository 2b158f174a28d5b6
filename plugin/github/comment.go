package github

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"github.com/google/go-github/v60/github"
)

// Comment is what should stand on a pull request.
type Comment struct {
	// Text writes the comment in Markdown with at most limit runes. It is asked again for a shorter one if GitHub, which counts
	// otherwise than it says at times, finds it too long. The marker is added here.
	Text func(limit int) string
	// OnlyUpdate: a comment that is there is brought up to date, none is created. It is for a text that says "nothing changes"
	// under the policy "comment: on-change".
	OnlyUpdate bool
	// Clean: the text says that nothing changes. WhenClean says what becomes of the comment then.
	Clean     bool
	WhenClean WhenClean
}

// WhenClean is what becomes of a comment that was about changes when there are none any more.
type WhenClean string

const (
	UpdateClean WhenClean = "update" // it says so in place; the default
	HideClean   WhenClean = "hide"   // it says so and is folded as outdated, until there is news
	DeleteClean WhenClean = "delete" // it goes
)

// Action is what was done.
type Action string

const (
	Created   Action = "created"
	Updated   Action = "updated"
	Unchanged Action = "unchanged" // it said the same already: nothing was written
	Skipped   Action = "skipped"   // OnlyUpdate, and there was none
	Outdated  Action = "outdated"  // the pull request has a newer commit: a newer run has spoken, or will
	Removed   Action = "removed"   // Clean under DeleteClean
)

// Result of what was written.
type Result struct {
	Action Action
	// URL of the comment or check run, "" if there is none.
	URL string
	// Warning is why a comment that was written could not be folded, or unfolded; nil if it could, or was not to be.
	Warning error
}

// Upsert makes the pull request have exactly one comment of the instance with the text: it creates, updates, or leaves it
// untouched. Of several (runs that raced each other) the oldest stays and the others go, whoever of the runs sees it. A run whose
// commit is not the newest any more does not overwrite what a newer one wrote.
func Upsert(ctx context.Context, client *Client, place Place, comment Comment) (Result, error) {
	if err := place.validate(); err != nil {
		return Result{}, err
	}
	u := &upsert{client: client, place: place, comment: comment, author: place.Author, limit: BodyLimit}
	if err := u.compose(); err != nil {
		return Result{}, err
	}
	if u.author == "" {
		var err error
		if u.author, err = client.login(ctx); err != nil {
			return Result{}, err
		}
	}
	err := client.untilDone(ctx, place.operation("commenting on"), u.once)
	return u.result, err
}

// upsert is one Upsert under way.
type upsert struct {
	client  *Client
	place   Place
	comment Comment
	author  string
	limit   int
	body    string // with its marker
	// sent is what was tried, and wasHidden whether on a folded comment: known still when the answer is lost.
	sent      Action
	wasHidden bool
	result    Result
}

// hides tells whether the comment is to be folded.
func (u *upsert) hides() bool { return u.comment.Clean && u.comment.WhenClean == HideClean }

// compose writes the body for the limit.
func (u *upsert) compose() error {
	body, err := signed(u.comment.Text(u.limit), marker{instance: u.place.instance(), run: u.place.Run, hidden: u.hides()})
	u.body = body
	return err
}

// once looks at what is there and does what is to be done about it.
func (u *upsert) once(ctx context.Context) error {
	u.result = Result{}
	ours, err := u.list(ctx)
	if err != nil {
		return err
	}
	removes := u.comment.Clean && u.comment.WhenClean == DeleteClean
	switch {
	case len(ours) == 0 && (u.comment.OnlyUpdate || removes):
		u.result.Action = Skipped
		return nil
	case len(ours) == 1 && !removes && u.says(ours[0]):
		u.written(ctx, cmp.Or(u.sent, Unchanged), ours[0])
		return nil
	}
	outdated, err := u.outdated(ctx, ours)
	switch {
	case err != nil:
		return err
	case outdated:
		u.result.Action = Outdated
		if len(ours) > 0 {
			u.result.URL = ours[0].GetHTMLURL()
		}
		return nil
	case removes:
		u.result.Action = Removed
		return u.removeAll(ctx, ours)
	case len(ours) == 0:
		return u.create(ctx)
	}
	return u.keepOldest(ctx, ours)
}

// says tells whether a comment says the same already, about the same commit.
func (u *upsert) says(there *github.IssueComment) bool {
	theirs, ourText := split(there.GetBody())
	ours, text := split(u.body)
	return theirs.run.Head == ours.run.Head && theirs.hidden == ours.hidden && ourText == text
}

// create posts the comment, and looks whether another run created one at the same time: the older one stays, ours goes. The author
// that GitHub gave the comment is the true one: with the token of a GitHub App it is not what we took it for.
func (u *upsert) create(ctx context.Context) error {
	u.sent = Created
	created, _, err := u.client.api.Issues.CreateComment(ctx, u.place.Owner, u.place.Repository, u.place.Number, &github.IssueComment{Body: &u.body})
	if err != nil {
		return u.unsure(u.client.failed(ctx, u.place.operation("creating a comment on"), err))
	}
	u.author = created.GetUser().GetLogin()
	ours, err := u.list(ctx)
	switch {
	case err != nil:
		return err
	case len(ours) == 0 || ours[0].GetID() >= created.GetID():
		u.written(ctx, Created, created)
		return nil
	}
	if err := u.remove(ctx, created); err != nil {
		return err
	}
	return lookAgain(fmt.Errorf("another run created a comment on %s/%s#%d", u.place.Owner, u.place.Repository, u.place.Number), 0)
}

// keepOldest updates the first comment and removes the others.
func (u *upsert) keepOldest(ctx context.Context, ours []*github.IssueComment) error {
	if err := u.removeAll(ctx, ours[1:]); err != nil {
		return err
	}
	return u.update(ctx, ours[0])
}

// update brings a comment up to date, without a request if it is.
func (u *upsert) update(ctx context.Context, there *github.IssueComment) error {
	if u.says(there) {
		u.written(ctx, Unchanged, there)
		return nil
	}
	was, _ := split(there.GetBody())
	u.sent, u.wasHidden = Updated, was.hidden
	_, _, err := u.client.api.Issues.EditComment(ctx, u.place.Owner, u.place.Repository, there.GetID(), &github.IssueComment{Body: &u.body})
	if err != nil {
		return u.unsure(u.client.failed(ctx, u.place.operation("updating the comment on"), err), NotFound) // it may be removed since it was listed
	}
	u.written(ctx, Updated, there)
	return nil
}

// written ends an Upsert whose text stands in a comment.
func (u *upsert) written(ctx context.Context, action Action, comment *github.IssueComment) {
	u.result = Result{Action: action, URL: comment.GetHTMLURL()}
	if action != Unchanged {
		u.result.Warning = u.fold(ctx, comment)
	}
}

// unsure sorts the error of a request that writes: where the comment was too long, a shorter one is written.
func (u *upsert) unsure(err error, more ...Kind) error {
	if IsKind(err, TooLong) && u.limit > shortestText {
		u.limit /= 2
		if err := u.compose(); err != nil {
			return err
		}
		return lookAgain(err, 0)
	}
	return unsure(err, more...)
}

func (u *upsert) removeAll(ctx context.Context, comments []*github.IssueComment) error {
	for _, comment := range comments {
		if err := u.remove(ctx, comment); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes a comment of ours. Another run may have done so already.
func (u *upsert) remove(ctx context.Context, comment *github.IssueComment) error {
	response, err := u.client.api.Issues.DeleteComment(ctx, u.place.Owner, u.place.Repository, comment.GetID())
	if err == nil || (response != nil && response.StatusCode == http.StatusNotFound) {
		return nil
	}
	return u.client.failed(ctx, u.place.operation("removing a comment on"), err)
}
