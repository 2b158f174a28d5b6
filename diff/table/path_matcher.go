package table

// PathMatcher matches single paths with one path condition, as the evaluator of requests does.
type PathMatcher struct {
	path      Path
	evaluator *Evaluator
}

// NewPathMatcher prepares a condition. A regular expression that is not understood matches any path.
func NewPathMatcher(p Path) *PathMatcher {
	return &PathMatcher{p, Compile(&Table{Hosts: []Host{{Rules: []Rule{{Path: p}}}}})}
}

// Matches tells whether a path, without its query, meets the condition.
func (m *PathMatcher) Matches(path string) bool { return m.evaluator.pathMatches(m.path, path) }
