package github

import (
	"context"
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/plugin/git"
)

// Sides are the two commits that a run is to compare, named as people know them.
type Sides struct{ Before, After git.Commit }

// EventError says that an event does not tell what to compare, or must not be used to.
type EventError struct{ Message, hint string }

func (e *EventError) Error() string { return e.Message }

// Hint says what to do.
func (e *EventError) Hint() string { return e.hint }

// NothingError says that there is nothing to compare, through nobody's fault: the run passes.
type NothingError struct{ Reason string }

func (e *NothingError) Error() string { return "nothing to compare: " + e.Reason }

// Clone is where the sides are looked up, and where commits are brought from that it lacks.
type Clone struct {
	*git.Repository
	Remote git.Remote
}

// Sides finds the commits to compare. base, if it is not empty, names the earlier one in place of what the event says.
//
// On a pull request the answer is about what merging it would do now. actions/checkout checks out the merge of the pull request into its
// base (refs/pull/N/merge), whose first parent is the base as it is now; the event's own base.sha is older once the base has moved on,
// and would show the changes of others. Where the head of the pull request is checked out instead, it is compared with the commit at
// which the two parted.
func (c Clone) Sides(ctx context.Context, event Event, base string) (Sides, error) {
	if event.Name == "pull_request_target" {
		return Sides{}, &EventError{
			Message: "pull_request_target is refused: its runs have the rights of this repository, and what they would read here comes from whoever opened the pull request",
			hint:    "run on pull_request, and for pull requests from forks comment from a workflow_run: docs/github-action.md has both workflows",
		}
	}
	head, err := c.Resolve(ctx, "HEAD")
	if err != nil {
		return Sides{}, err
	}
	switch {
	case base != "":
		return c.named(ctx, event, head, base)
	case event.PullRequest != nil:
		return c.pullRequest(ctx, *event.PullRequest, head)
	case event.Name == "merge_group":
		return c.between(ctx, event)
	case event.Name == "push":
		return c.push(ctx, event)
	}
	return Sides{}, &EventError{Message: fmt.Sprintf("no commit to compare with on %q", event.Name), hint: "set the input base: a branch, a tag or a commit"}
}

// named compares what is checked out with what the caller names.
func (c Clone) named(ctx context.Context, event Event, head git.Commit, base string) (Sides, error) {
	before, err := c.Resolve(ctx, base)
	if err != nil {
		// A full hash can be brought, and so can a branch of the remote; nothing else is guessed at.
		hash := base
		if branch, asked := c.BranchAt(ctx, c.Remote, strings.TrimPrefix(base, "origin/")); asked == nil && branch != "" {
			hash = branch
		}
		brought, failed := c.Bring(ctx, c.Remote, hash)
		if failed != nil {
			return Sides{}, err
		}
		before = labelled(brought, base)
		if base == hash {
			before = brought
		}
	}
	if pull := event.PullRequest; pull != nil {
		head = labelledAt(head, pull.HeadRef, pull.Head)
	}
	return Sides{before, head}, nil
}

func (c Clone) pullRequest(ctx context.Context, pull PullRequest, head git.Commit) (Sides, error) {
	after := labelledAt(head, pull.HeadRef, pull.Head)
	if head.Hash == pull.Head {
		base, err := c.baseTip(ctx, pull)
		if err != nil {
			return Sides{}, err
		}
		parted, err := c.MeetingPoint(ctx, c.Remote, base, head)
		return Sides{labelled(parted, pull.BaseRef), after}, err
	}
	parents, err := c.Parents(ctx, head)
	if err != nil {
		return Sides{}, err
	}
	// The merge is made anew when the base moves, and only then: its second parent is the head that the event names.
	if len(parents) != 2 || parents[1] != pull.Head {
		return Sides{}, &EventError{
			Message: "what is checked out is neither the merge of the pull request nor its head",
			hint:    "use actions/checkout without ref, or set the input base",
		}
	}
	before, err := c.Bring(ctx, c.Remote, parents[0])
	return Sides{labelled(before, pull.BaseRef), after}, err
}

// baseTip is the newest commit that is known of the branch that a pull request is to be merged into. That of the event is older than the
// branch is: a pull request that was rebased meanwhile would seem to bring what others have merged. Where the branch cannot be asked for,
// the event has to do.
func (c Clone) baseTip(ctx context.Context, pull PullRequest) (git.Commit, error) {
	if hash, err := c.BranchAt(ctx, c.Remote, pull.BaseRef); err == nil && hash != "" {
		if tip, err := c.Bring(ctx, c.Remote, hash); err == nil {
			return tip, nil
		}
	}
	return c.Bring(ctx, c.Remote, pull.Base)
}

// push compares the branch before and after. A branch that is new is compared with the commit at which it left the default branch.
func (c Clone) push(ctx context.Context, event Event) (Sides, error) {
	switch {
	case event.After == NoCommit:
		return Sides{}, &NothingError{"the branch was removed"}
	case event.Before != NoCommit:
		return c.between(ctx, event)
	case event.Branch == event.DefaultBranch || event.DefaultBranch == "":
		return Sides{}, &NothingError{"the branch is new, and there is no other to compare it with"}
	}
	after, err := c.Bring(ctx, c.Remote, event.After)
	if err != nil {
		return Sides{}, err
	}
	hash, err := c.BranchAt(ctx, c.Remote, event.DefaultBranch)
	if err != nil {
		return Sides{}, err
	}
	if hash == "" {
		return Sides{}, &NothingError{"the branch is new, and the default branch is not there"}
	}
	tip, err := c.Bring(ctx, c.Remote, hash)
	if err != nil {
		return Sides{}, err
	}
	parted, err := c.MeetingPoint(ctx, c.Remote, tip, after)
	return Sides{labelled(parted, event.DefaultBranch), labelled(after, event.Branch)}, err
}

// between compares the two commits that the event names.
func (c Clone) between(ctx context.Context, event Event) (Sides, error) {
	before, err := c.Bring(ctx, c.Remote, event.Before)
	if err != nil {
		return Sides{}, err
	}
	after, err := c.Bring(ctx, c.Remote, event.After)
	return Sides{labelled(before, event.Branch), labelled(after, event.Branch)}, err
}

// labelled calls a commit by the branch that people know it on.
func labelled(commit git.Commit, branch string) git.Commit {
	return labelledAt(commit, branch, commit.Hash)
}

// labelledAt is labelled with another commit: people know the head of a pull request, and not its merge.
func labelledAt(commit git.Commit, branch, hash string) git.Commit {
	if branch != "" {
		commit.Label = fmt.Sprintf("%s@%.7s", branch, hash)
	}
	return commit
}
