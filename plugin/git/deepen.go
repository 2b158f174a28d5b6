package git

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
)

// deepenings are the numbers of commits by which a shallow clone is deepened, one after the other, until two commits meet. What has not
// met within these is further apart than a pull request is.
func deepenings() []int { return []int{32, 128, 512, 2048, 8192} }

// Parents are the hashes of a commit's parents as the commit itself names them, those among them that a shallow clone has cut off.
func (r *Repository) Parents(ctx context.Context, commit Commit) ([]string, error) {
	header, err := r.commitHeader(ctx, commit.Hash)
	if err != nil {
		return nil, err
	}
	var parents []string
	for line := range strings.Lines(header) {
		if hash, ok := strings.CutPrefix(strings.TrimSpace(line), "parent "); ok {
			parents = append(parents, hash)
		}
	}
	return parents, nil
}

// MeetingPoint is the merge base of two commits, for which a shallow clone is deepened as far as it takes and no further.
func (r *Repository) MeetingPoint(ctx context.Context, remote Remote, a, b Commit) (Commit, error) {
	for _, by := range deepenings() {
		base, certain, err := r.certainBase(ctx, a, b)
		if certain || err != nil {
			return base, err
		}
		if err := r.fetch(ctx, remote, []string{"--deepen=" + strconv.Itoa(by)}, a.Hash, b.Hash); err != nil {
			return Commit{}, err
		}
	}
	base, certain, err := r.certainBase(ctx, a, b)
	if err == nil && !certain {
		err = &RevisionError{Revision: a.Short + "..." + b.Short, Shallow: true, reason: "no common ancestor within the " + strconv.Itoa(deepest()) + " newest commits"}
	}
	return base, err
}

func deepest() int {
	sum := 0
	for _, by := range deepenings() {
		sum += by
	}
	return sum
}

// certainBase is the merge base of two commits. It is not certain where a shallow clone has cut off history between one of them and the
// base: a nearer base may be behind the cut.
func (r *Repository) certainBase(ctx context.Context, a, b Commit) (Commit, bool, error) {
	base, err := r.MergeBase(ctx, a, b)
	var none *RevisionError
	if errors.As(err, &none) && r.Shallow {
		return Commit{}, false, nil
	}
	if err != nil {
		return Commit{}, false, err
	}
	boundary, err := r.shallowBoundary(ctx)
	if err != nil || len(boundary) == 0 {
		return base, err == nil, err
	}
	cut := false
	err = r.git.stream(ctx, func(out io.Reader) error {
		commits := bufio.NewScanner(out)
		for commits.Scan() {
			if boundary[commits.Text()] {
				cut = true
				return errEnough
			}
		}
		return commits.Err()
	}, "rev-list", a.Hash, b.Hash, "^"+base.Hash)
	return base, err == nil && !cut, err
}
