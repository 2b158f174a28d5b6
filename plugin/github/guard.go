package github

import (
	"context"
	"slices"

	"github.com/google/go-github/v60/github"
)

// outdated tells whether a newer run than this one has spoken, or will. The commit that the pull request has now decides: it is
// asked for anew before each writing. Where this run's commit is not that one,
//
//   - and there is no comment, the run of the newer commit has found nothing to say, or will say it itself;
//   - a comment about the newest commit stays, and one about a descendant of ours, too;
//   - between commits of which neither descends from the other (a rebase, a forced push) the later run is right.
//
// Where it is, only a later run of the same commit is newer: the base may have moved.
//
// Between this question and the writing another run may write: GitHub knows no condition for the change of a comment. That is the time of
// one request, since one that has to be repeated is asked about anew.
func (u *upsert) outdated(ctx context.Context, ours []*github.IssueComment) (bool, error) {
	run := u.place.Run
	if run.Head == "" {
		return false, nil
	}
	pull, err := u.client.PullRequest(ctx, u.place.Owner, u.place.Repository, u.place.Number)
	if err != nil {
		return false, err
	}
	if len(ours) == 0 {
		return pull.Head != run.Head, nil
	}
	for _, comment := range ours {
		theirs, _ := split(comment.GetBody())
		newer, err := u.isNewer(ctx, theirs.run, pull.Head)
		if newer || err != nil {
			return newer, err
		}
	}
	return false, nil
}

// isNewer tells whether the run that wrote a comment is newer than this one, while the pull request is at a commit.
func (u *upsert) isNewer(ctx context.Context, theirs Run, now string) (bool, error) {
	run := u.place.Run
	switch {
	case theirs.Head == "":
		return false, nil // of a version that did not say
	case theirs.Head == run.Head:
		return theirs.compare(run) > 0, nil
	case now == run.Head:
		return false, nil
	case now == theirs.Head:
		return true, nil
	}
	relation, err := u.client.relation(ctx, u.place.Owner, u.place.Repository, run.Head, theirs.Head)
	switch {
	case err != nil:
		return false, err
	case relation == "ahead":
		return true, nil
	case relation == "behind":
		return false, nil
	}
	return theirs.compare(run) > 0, nil
}

// relation tells how one commit stands to another: "ahead" of it, "behind", "identical" or "diverged".
func (c *Client) relation(ctx context.Context, owner, repository, from, to string) (string, error) {
	// Files, with all their patches, are on the first page only ("Compare two commits").
	comparison, _, err := c.api.Repositories.CompareCommits(ctx, owner, repository, from, to, &github.ListOptions{Page: 2, PerPage: 1})
	if err == nil {
		return comparison.GetStatus(), nil
	}
	err = c.failed(ctx, Place{Owner: owner, Repository: repository}.operation("comparing two commits of"), err)
	if IsKind(err, NotFound) { // one of them was pushed away
		return "diverged", nil
	}
	return "", err
}

// isAncestor tells whether a commit is in the history of another.
func (c *Client) isAncestor(ctx context.Context, owner, repository, ancestor, of string) (bool, error) {
	relation, err := c.relation(ctx, owner, repository, ancestor, of)
	return slices.Contains([]string{"ahead", "identical"}, relation), err
}
