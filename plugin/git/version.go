package git

import (
	"context"
	"errors"
	"fmt"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// errTooManyVersions ends a search at its limit. What has been found stands.
var errTooManyVersions = errors.New("more old versions of files than the limit")

// errUnread is an old version that cannot be read: too large, or not in a partial clone.
var errUnread = errors.New("an old version of a file that is not read")

// versions answers which objects an old version of a file holds.
type versions struct {
	objects *objects
	query   LandingQuery
	// left is how many versions may still be read.
	left int
	// known are the versions of one step. Older ones are never asked for again, and all together would not fit in memory.
	known map[string]version
}

type version struct {
	holds map[diagnostic.Object]bool
	err   error
}

func (r *Repository) openVersions(ctx context.Context, query LandingQuery) (*versions, error) {
	conversation, err := r.openObjects(ctx, true)
	if err != nil {
		return nil, err
	}
	return &versions{objects: conversation, query: query, left: query.Limits.Blobs, known: map[string]version{}}, nil
}

func (v *versions) close()  { v.objects.close() }
func (v *versions) forget() { clear(v.known) }

// hold tells whether a version ("" is no file) holds an object.
func (v *versions) hold(name, blob string, object diagnostic.Object) (bool, error) {
	if blob == "" || (v.query.Match != nil && !v.query.Match(name)) {
		return false, nil
	}
	found, ok := v.known[blob]
	if !ok {
		if v.left--; v.left < 0 {
			return false, errTooManyVersions
		}
		found = v.read(name, blob)
		v.known[blob] = found
	}
	return found.holds[object], found.err
}

func (v *versions) read(name, blob string) version {
	if err := v.objects.ask(blob); err != nil {
		return version{err: fmt.Errorf("git cat-file: %w", err)}
	}
	_, data, err := v.objects.answer(v.query.Limits.FileBytes)
	var missing *MissingError
	switch {
	case errors.As(err, &missing), errors.Is(err, ErrTooLarge):
		return version{err: errUnread}
	case err != nil:
		return version{err: err}
	}
	holds := map[diagnostic.Object]bool{}
	for _, o := range v.query.Identify(name, data) {
		holds[o] = true
	}
	return version{holds: holds}
}
