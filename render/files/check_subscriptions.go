package files

import (
	"github.com/routedelta/routedelta/render/diagnostic"
)

// Subscriptions counts the files that Envoy watches: each is an inotify instance, and beyond the user's limit Envoy aborts.
func Subscriptions(set *Set) int {
	s := subscriptions{secrets: map[string]bool{}}
	count := func(r reference) bool { s.add(r); return false }
	if set.Bootstrap != nil {
		eachReference(set.Bootstrap, count)
	}
	for _, listener := range set.Listeners {
		eachReference(listener, count)
	}
	for _, cluster := range set.Clusters {
		eachReference(cluster, count)
	}
	return s.count()
}

// subscriptions are the files that an Envoy watches. A secret is one however many listeners use it; a file of endpoints is one for
// each cluster that uses it.
type subscriptions struct {
	secrets map[string]bool
	others  int
}

func (s *subscriptions) add(r reference) {
	switch {
	case r.file() == "":
	case r.Kind == secretKind:
		s.secrets[r.Name] = true
	default:
		s.others++
	}
}

func (s *subscriptions) count() int { return len(s.secrets) + s.others }

// checkSubscriptions warns of more files than the kernel's default permits.
func (c *checker) checkSubscriptions() {
	s := subscriptions{secrets: map[string]bool{}}
	for _, r := range c.resources {
		for _, n := range r.nodes {
			for _, ref := range referencesOf(n.message) {
				s.add(ref)
			}
		}
	}
	count := s.count()
	if count > MaxSubscriptions && len(c.resources) > 0 {
		c.current = c.resources[0]
		c.warnf(diagnostic.TooManyFiles, "", "Envoy will watch %d files and takes one inotify instance for each: with fs.inotify.max_user_instances at its default of 128 it aborts", count)
	}
}
