package files

import (
	"github.com/routedelta/routedelta/render/diagnostic"
)

// checkSubscriptions counts the files that Envoy watches: each is an inotify instance, and beyond the user's limit Envoy aborts.
// A secret is one however many listeners use it; a file of endpoints is one for each cluster that uses it.
func (c *checker) checkSubscriptions() {
	count := 0
	secrets := map[string]bool{}
	for _, r := range c.resources {
		for _, n := range r.nodes {
			for _, ref := range referencesOf(n.message) {
				switch {
				case ref.file() == "":
				case ref.Kind == secretKind:
					secrets[ref.Name] = true
				default:
					count++
				}
			}
		}
	}
	count += len(secrets)
	if count > MaxSubscriptions && len(c.resources) > 0 {
		c.current = c.resources[0]
		c.warnf(diagnostic.TooManyFiles, "", "Envoy will watch %d files and takes one inotify instance for each: with fs.inotify.max_user_instances at its default of 128 it aborts", count)
	}
}
