package diagnostic

import (
	"strings"
	"unicode/utf8"
)

// Clip keeps a text of the input from filling the screen.
func Clip(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}

// Nearest is the name that a mistyped one most likely means: equal without regard to case, or at most two edits away and no
// more than a third of its length. It is "" if there is none.
func Nearest(name string, names []string) string {
	if len(name) > 256 { // nobody mistypes as long a name; counting edits is quadratic
		return ""
	}
	best, limit := "", min(len(name)/3+1, 3)
	for _, candidate := range names {
		if strings.EqualFold(candidate, name) {
			return candidate
		}
		if max(len(name)-len(candidate), len(candidate)-len(name)) >= limit {
			continue
		}
		if distance := edits(name, candidate); distance < limit {
			best, limit = candidate, distance
		}
	}
	return best
}

// edits is the Levenshtein distance.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
