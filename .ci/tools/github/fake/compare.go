package fake

import (
	"net/http"
)

// compare tells how two commits stand to each other.
func (c *call) compare(parts []string) answer {
	base, head := parts[0], parts[1]
	commits := c.world.state.Commits
	if _, there := commits[base]; !there {
		return notFound()
	}
	if _, there := commits[head]; !there {
		return notFound()
	}
	ofBase, ofHead := history(commits, base), history(commits, head)
	ahead, behind := countWithout(ofHead, ofBase), countWithout(ofBase, ofHead)
	status := "diverged"
	switch {
	case ahead == 0 && behind == 0:
		status = "identical"
	case behind == 0:
		status = "ahead"
	case ahead == 0:
		status = "behind"
	}
	return answer{status: http.StatusOK, form: form{"status": status, "ahead_by": ahead, "behind_by": behind, "total_commits": ahead,
		"base_commit": form{"sha": base}, "merge_base_commit": form{}, "commits": []any{}}}
}

// history is a commit with all that it descends from.
func history(commits map[string][]string, of string) map[string]bool {
	seen, open := map[string]bool{}, []string{of}
	for len(open) > 0 {
		next := open[0]
		open = open[1:]
		if !seen[next] {
			seen[next] = true
			open = append(open, commits[next]...)
		}
	}
	return seen
}

func countWithout(of, without map[string]bool) int {
	n := 0
	for commit := range of {
		if !without[commit] {
			n++
		}
	}
	return n
}
