package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Landing is when an object came to a branch.
type Landing struct {
	// Commit is the commit on the branch (for a merge the merge) that brought the object.
	Commit string
	Time   time.Time
}

// ObjectAt is an object and the file of the commit that holds it.
type ObjectAt struct {
	diagnostic.Object
	File string
}

// LandingQuery asks for the landings of objects.
type LandingQuery struct {
	// Objects of the commit.
	Objects []ObjectAt
	// Paths are the directories that count as "there": an object that comes from elsewhere is new. None is the whole tree.
	Paths []string
	// Match says which names are manifests; nil is every name. Only those are read.
	Match func(name string) bool
	// Identify names the objects that a file holds. It is called for old versions too, so it must take any text.
	Identify func(name string, data []byte) []diagnostic.Object
	Limits   LandingLimits
}

// LandingLimits bound the search. A zero field has the default that it states.
type LandingLimits struct {
	Commits   int   // commits on the branch that touch the paths: 200,000
	Blobs     int   // old versions of files that are read: 200,000
	FileBytes int64 // one version: 32 MiB
}

func (l LandingLimits) withDefaults() LandingLimits {
	return LandingLimits{
		Commits:   cmp.Or(l.Commits, 200_000),
		Blobs:     cmp.Or(l.Blobs, 200_000),
		FileBytes: cmp.Or(l.FileBytes, 32<<20),
	}
}

// Landings tells when objects landed on the branch that ends in a commit: the latest commit of the first-parent history that
// has the object while its first parent has not (product.md, R9). So an object that was deleted and added again counts
// as new, one that moved to another file or changed does not, and what a merge brings landed with the merge, however old
// its commits are. An object is missing in the answer where the clone does not hold enough to tell, or a limit was reached.
func (r *Repository) Landings(ctx context.Context, commit Commit, query LandingQuery) (map[diagnostic.Object]Landing, error) {
	query.Limits = query.Limits.withDefaults()
	boundary, err := r.shallowBoundary(ctx)
	if err != nil {
		return nil, err
	}
	versions, err := r.openVersions(ctx, query)
	if err != nil {
		return nil, err
	}
	defer versions.close()
	search := newSearch(query.Objects, versions)
	steps := 0
	err = r.firstParents(ctx, commit, query.Paths, func(step step) error {
		if steps++; steps > query.Limits.Commits || len(search.waiting) == 0 || boundary[step.commit] {
			// The commits at the boundary of a shallow clone look as if they had brought everything.
			return errEnough
		}
		return search.step(step)
	})
	if errors.Is(err, errTooManyVersions) {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("history of commit %s: %w", commit.Short, err)
	}
	return search.landed, nil
}

// search goes back in history with the objects whose landing is not known yet.
type search struct {
	versions *versions
	// waiting holds, for each file as it is named at this point of history, the objects in it without a landing.
	waiting map[string][]diagnostic.Object
	landed  map[diagnostic.Object]Landing
}

func newSearch(objects []ObjectAt, versions *versions) *search {
	s := &search{versions: versions, waiting: map[string][]diagnostic.Object{}, landed: map[diagnostic.Object]Landing{}}
	for _, o := range objects {
		s.waiting[o.File] = append(s.waiting[o.File], o.Object)
	}
	return s
}

// step goes behind one commit: each object in a file that the commit touched was there before, in this file or another that
// the commit touched, or landed here.
func (s *search) step(step step) error {
	s.versions.forget()
	moved := map[string][]diagnostic.Object{}
	for _, change := range step.changes {
		objects := s.waiting[change.name]
		if len(objects) == 0 {
			continue
		}
		delete(s.waiting, change.name)
		for _, object := range objects {
			file, err := s.before(step, change, object)
			switch {
			case errors.Is(err, errUnread):
				// Its history ends here: nothing is claimed.
			case err != nil:
				return err
			case file == "":
				s.landed[object] = Landing{Commit: step.commit, Time: step.time}
			default:
				moved[file] = append(moved[file], object)
			}
		}
	}
	for file, objects := range moved {
		s.waiting[file] = append(s.waiting[file], objects...)
	}
	return nil
}

// before is the file that held the object before the commit, "" if none did. The file itself is asked first: in nearly
// every commit the object is still in it.
func (s *search) before(step step, here change, object diagnostic.Object) (string, error) {
	if held, err := s.versions.hold(here.name, here.before, object); err != nil || held {
		return here.name, err
	}
	for _, other := range step.changes {
		if other.name == here.name || other.before == "" {
			continue
		}
		if held, err := s.versions.hold(other.name, other.before, object); err != nil || held {
			return other.name, err
		}
	}
	return "", nil
}
