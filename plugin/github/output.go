package github

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Output is one output of a step of a workflow.
type Output struct{ Name, Value string }

// outputName is what a workflow can refer to.
var outputName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// WriteOutputs writes outputs in the form of the file that GITHUB_OUTPUT names. A value of several lines stands between
// delimiters ("Workflow commands for GitHub Actions", "Multiline strings"). The delimiter needs no chance: it is made longer until
// no line of the value is equal to it, so a value can never end itself and set outputs of its own.
func WriteOutputs(w io.Writer, outputs []Output) error {
	var b strings.Builder
	for _, output := range outputs {
		if !outputName.MatchString(output.Name) {
			return fmt.Errorf("output %q: not a name", output.Name)
		}
		if !strings.ContainsAny(output.Value, "\r\n") {
			fmt.Fprintf(&b, "%s=%s\n", output.Name, output.Value)
			continue
		}
		end := "ROUTEDELTA_END"
		for strings.Contains(output.Value, end) {
			end += "_"
		}
		fmt.Fprintf(&b, "%s<<%s\n%s\n%s\n", output.Name, end, output.Value, end)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
