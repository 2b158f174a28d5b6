package classtest

import (
	"strings"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/class"
)

// budget is more than the patterns of random tables need.
const budget = 2000

// sampleOf is a short text that a regular expression matches; "" if there is none within the budget.
func sampleOf(pattern string) string {
	d, err := automaton.Compile(pattern, budget)
	if err != nil {
		return ""
	}
	text, _ := d.Shortest()
	return text
}

// insidePath is a path of a term.
func insidePath(t class.Term) string {
	switch t.Kind {
	case class.TermAny:
		return "/"
	case class.TermRegex:
		return sampleOf(t.Value)
	}
	return t.Value
}

// pathsNear are the neighbours of a path: longer and shorter by a byte or a segment, in other case, with what normalisation
// and path parameters take away.
func pathsNear(path string) []string {
	near := []string{
		path, path + "/", path + "x", path + "/x", path + ";v", path + "%2F", path + "/..", path + "/.", path + "//", path + "/;v", path + "/x/..",
		strings.ToUpper(path), "/" + path, "/x/.." + path, strings.Replace(path, "/", "//", 1),
	}
	if len(path) > 1 {
		near = append(near, path[:len(path)-1], path[:len(path)-1]+"/", path[:len(path)-1]+"%"+hex(path[len(path)-1]))
	}
	if before, after, found := strings.Cut(path[min(1, len(path)):], "/"); found {
		near = append(near, "/"+before+";v=1/"+after, "/"+before)
	}
	return near
}

func hex(b byte) string { return string([]byte{"0123456789abcdef"[b>>4], "0123456789abcdef"[b&15]}) }

// insideHost is a host of a term.
func insideHost(t class.Term) string {
	switch t.Kind {
	case class.TermAny:
		return "other.test"
	case class.TermSuffix:
		return "z" + t.Value
	case class.TermPrefix:
		return t.Value + "z"
	}
	return t.Value
}

// hostsNear are hosts just inside and just outside of a term, also by what the options take off or fold.
func hostsNear(t class.Term) []string {
	host := insideHost(t)
	return []string{
		host, t.Value, "x" + host, "x." + host, host + "x", host + ".x", strings.TrimPrefix(host, "z."), strings.ToUpper(host),
		host + ":80", host + ":", host + ":8x", host + ".", host + "..", host + ".:80", "other.test",
	}
}
