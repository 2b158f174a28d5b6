package manifest

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/diagnostic"
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

// visible is a text of the input as it may stand in a line of output: clipped, with control characters and marks of
// direction escaped, so that a name cannot end the line or turn it around.
func visible(s string) string {
	quoted := strconv.Quote(diagnostic.Clip(s))
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
