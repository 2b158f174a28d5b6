package manifest

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// integer reads a number as Kubernetes does: hexadecimal, octal, underscores, and a float without a fraction, since
// the way to the API server is JSON, which has one kind of number. value is the text with its variables replaced.
func integer(n *yaml.Node, value string) (int64, bool) {
	replaced := value != n.Value && n.Style == 0
	if n.Tag != "!!int" && n.Tag != "!!float" && !replaced {
		return 0, false
	}
	plain := strings.ReplaceAll(value, "_", "")
	if whole, err := strconv.ParseInt(plain, 0, 64); err == nil {
		return whole, true
	}
	float, err := strconv.ParseFloat(plain, 64)
	if err != nil || float != math.Trunc(float) || math.Abs(float) > 1<<53 {
		return 0, false
	}
	return int64(float), true
}

// scalarJSON writes a scalar as JSON.
func scalarJSON(n *yaml.Node) []byte {
	switch typeName(n) {
	case "boolean":
		value, _ := isBoolean(n)
		return strconv.AppendBool(nil, value)
	case "integer", "number":
		if whole, is := integer(n, n.Value); is {
			return strconv.AppendInt(nil, whole, 10)
		}
		if float, err := strconv.ParseFloat(n.Value, 64); err == nil && !math.IsInf(float, 0) && !math.IsNaN(float) {
			return strconv.AppendFloat(nil, float, 'g', -1, 64)
		}
	}
	quoted, _ := json.Marshal(n.Value) // a string always marshals
	return quoted
}

// clip keeps a text of the input from filling the screen.
func clip(s string) string {
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

// visible is a text of the input as it may stand in a line of output: clipped, with control characters and marks of
// direction escaped, so that a name cannot end the line or turn it around.
func visible(s string) string {
	quoted := strconv.Quote(clip(s))
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// nearest is the name that a mistyped one most likely means: equal without regard to case, or at most two edits away and
// no more than a third of its length. It is "" if there is none.
func nearest(name string, names []string) string {
	best, bestDistance := "", len(name)/3+1
	if bestDistance > 3 {
		bestDistance = 3
	}
	if len(name) > 64 { // no field is as long; edit distance is quadratic
		return ""
	}
	for _, candidate := range names {
		if strings.EqualFold(candidate, name) {
			return candidate
		}
		if distance := edits(name, candidate); distance < bestDistance {
			best, bestDistance = candidate, distance
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
