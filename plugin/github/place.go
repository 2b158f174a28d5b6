package github

import (
	"cmp"
	"fmt"
	"regexp"
)

// Place is where a run publishes, and which run it is.
type Place struct {
	Owner, Repository string
	// Number of the pull request; 0 outside of one: there is neither a comment nor a label then, only a check run.
	Number int
	// Instance keeps several comments of routedelta on one pull request apart; "default" if empty.
	Instance string
	// Author is the login that the token writes as; "" asks GitHub, and takes the bot of GitHub Actions where the token may not
	// ask.
	Author string
	Run    Run
}

// Run is the workflow run that publishes. It tells an older run that finishes late from a newer one.
type Run struct {
	// Head is the commit of the pull request that was compared, as a full SHA. "" is not known: whoever writes last is right then.
	Head string
	// ID and Attempt are GITHUB_RUN_ID and GITHUB_RUN_ATTEMPT; 0 is not known.
	ID      int64
	Attempt int
}

// compare orders runs of the same commit. IDs are given in the order in which runs begin. A run that is started again keeps its
// ID and the merge that it looked at, so a higher attempt of an older run still looks at an older base.
func (r Run) compare(other Run) int {
	return cmp.Or(cmp.Compare(r.ID, other.ID), cmp.Compare(r.Attempt, other.Attempt))
}

// pathPart is what GitHub allows in the name of an owner or a repository.
var pathPart = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// validate keeps names from leading to another address of the API than is meant.
func (p Place) validate() error {
	for _, part := range []string{p.Owner, p.Repository} {
		if !pathPart.MatchString(part) || part == "." || part == ".." {
			return fmt.Errorf("repository %q: want OWNER/NAME", p.Owner+"/"+p.Repository)
		}
	}
	if p.Run.Head != "" && !fullSHA.MatchString(p.Run.Head) {
		return fmt.Errorf("head %q: want the full SHA of a commit", p.Run.Head)
	}
	return nil
}

func (p Place) instance() string { return cmp.Or(p.Instance, "default") }

// operation names what is done in an error.
func (p Place) operation(doing string) string {
	if p.Number == 0 {
		return fmt.Sprintf("%s %s/%s", doing, p.Owner, p.Repository)
	}
	return fmt.Sprintf("%s %s/%s#%d", doing, p.Owner, p.Repository, p.Number)
}
