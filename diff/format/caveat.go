package format

import (
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// caveat says what the answer takes for granted and what it does not speak of, "" if there is nothing of that: a reader of "nothing
// else changes" has to know of what. Like the headline it holds numbers and words of ours only; the findings have the names.
func caveat(r *report.Report) string {
	counted := map[diagnostic.Code]map[string]bool{}
	for _, d := range r.Diagnostics {
		if counted[d.Code] == nil {
			counted[d.Code] = map[string]bool{}
		}
		counted[d.Code][d.Object.String()+d.Message+chart(d.Diagnostic)] = true
	}
	count := func(code diagnostic.Code, one, many string) string {
		if n := len(counted[code]); n > 0 {
			return plural(n, one, many)
		}
		return ""
	}
	return joined("; ",
		labelled("assumed", joined(", ",
			count(diagnostic.GatewayAssumed, "Gateway that is not in the input", "Gateways that are not in the input"),
			count(diagnostic.UnsetVariable, "value of a variable", "values of variables"),
			count(diagnostic.NamespaceUnknown, "namespace", "namespaces"),
		)),
		labelled("not read", joined(", ",
			count(diagnostic.UnsupportedKind, "route of another kind", "routes of other kinds"),
			count(diagnostic.TemplatesSkipped, "Helm chart", "Helm charts"),
		)),
	)
}

// chart is the place of a finding that names its object by nothing else.
func chart(d diagnostic.Diagnostic) string {
	if d.Code == diagnostic.TemplatesSkipped {
		return d.Position.File
	}
	return ""
}

func labelled(label, said string) string {
	if said == "" {
		return ""
	}
	return fmt.Sprintf("%s: %s", label, said)
}

// joined leaves out what is empty.
func joined(separator string, parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, separator)
}
