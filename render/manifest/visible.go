package manifest

import (
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// visible is a text of the input as it may stand in a line of output: clipped, with control characters and marks of
// direction escaped, so that a name cannot end the line or turn it around.
func visible(s string) string {
	quoted := strconv.Quote(diagnostic.Clip(s))
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// visiblePath is the path of a field as it may stand in a line of output.
func visiblePath(path string) string {
	const longest = 500
	for _, r := range path {
		if r < ' ' || r > '~' {
			return visible(path)
		}
	}
	if len(path) > longest {
		return path[:longest] + "..."
	}
	return path
}
