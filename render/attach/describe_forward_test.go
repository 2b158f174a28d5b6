package attach_test

import (
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/status"
)

// describeForward prints what a chain passes on, and to whom.
func describeForward(f *model.Forward) string {
	if f == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "    %s %s%s line %d ->", f.Origin.Kind, f.Origin.Name, note(f.Origin.RuleName != "", " rule "+f.Origin.RuleName), f.Origin.Line)
	if f.Reason != "" {
		b.WriteString(" nobody: " + f.Reason)
	}
	for _, w := range f.Backends {
		to := "nobody"
		if w.Backend != nil {
			to = backend(w.Backend)
		}
		fmt.Fprintf(&b, " %d*%s", w.Weight, to)
	}
	return b.String() + "\n"
}

// describeTLS prints how a backend proves who it is.
func describeTLS(tls *model.BackendTLS) string {
	if tls == nil {
		return ""
	}
	text := fmt.Sprintf(" tls %s%s%s", tls.Hostname, note(tls.System, " system"), list(" names ", tls.SubjectAltNames))
	if tls.AuthoritiesFrom != nil {
		text += " authorities from " + tls.AuthoritiesFrom.String()
	}
	return text + note(tls.Authorities != "", fmt.Sprintf(" authorities %d", strings.Count(tls.Authorities, "BEGIN CERTIFICATE")))
}

func describePolicies(policies []status.Policy) string {
	var b strings.Builder
	for _, p := range policies {
		for _, a := range p.Ancestors {
			fmt.Fprintf(&b, "status %s %s on %s %s/%s: %s\n", p.Kind, p.Policy, *a.Ancestor.Kind, *a.Ancestor.Namespace, a.Ancestor.Name, conditions(a.Conditions))
		}
	}
	return b.String()
}
