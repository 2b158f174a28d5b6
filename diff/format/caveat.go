package format

import (
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// caveat says what was read, where that is more than manifests, what the answer takes for granted and what it does not speak of, "" if
// there is nothing of that: a reader of "nothing else changes" has to know of what. Like the headline it holds numbers and words of
// ours only; the findings have the names.
func caveat(r *report.Report) string {
	var said []string
	if forms := formsRead(r); forms != "" {
		said = append(said, forms)
	}
	if assumed := assumed(r); assumed != "" {
		said = append(said, "assumed: "+assumed)
	}
	if unread := unread(r); unread != "" {
		said = append(said, "not read: "+unread)
	}
	return strings.Join(said, "; ")
}

// assumed is what either side takes for granted.
func assumed(r *report.Report) string {
	message := func(d report.Diagnostic) string { return d.Message }
	return joined(
		count(r, diagnostic.GatewayAssumed, message, "Gateway that is not in the input", "Gateways that are not in the input"),
		count(r, diagnostic.UnsetVariable, message, "value of a variable", "values of variables"),
		count(r, diagnostic.NamespaceUnknown, object, "namespace that a manifest leaves open", "namespaces that manifests leave open"),
	)
}

// unread is what either side holds and nobody looked into.
func unread(r *report.Report) string {
	_, parts := partsRead(r)
	unread := ""
	if len(parts) > 0 {
		unread = Plural(len(parts), "part of the tree", "parts of the tree")
	}
	file := func(d report.Diagnostic) string { return d.Position.File }
	return joined(
		count(r, diagnostic.UnsupportedKind, object, "route of another kind", "routes of other kinds"),
		count(r, diagnostic.TemplatesSkipped, file, "Helm chart", "Helm charts"),
		unread,
	)
}

func object(d report.Diagnostic) string { return d.Object.String() }

// count is how many different things findings of a code are about, "" if there are none.
func count(r *report.Report, code diagnostic.Code, subject func(report.Diagnostic) string, one, many string) string {
	seen := map[string]bool{}
	for _, d := range r.Diagnostics {
		if d.Code == code {
			seen[subject(d)] = true
		}
	}
	if len(seen) == 0 {
		return ""
	}
	return Plural(len(seen), one, many)
}

// joined leaves out what is empty.
func joined(parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, ", ")
}

// caveats are what the answer takes for granted about the Envoys, each as a sentence without its full stop.
func (w words) caveats(r *report.Report) []string {
	var said []string
	for _, c := range r.Caveats {
		sentence := w.caveat(c)
		if len(gatewaysByName(r, c.Targets)) > 1 {
			sentence = w.code(c.Gateway) + ": " + sentence
		}
		said = append(said, w.scoped(r, c.Targets, sentence))
	}
	return said
}

func (w words) caveat(c report.Caveat) string {
	names := w.some(each(c.Names, w.code), ", ")
	switch c.About {
	case report.Rerouters:
		return "the filters " + names + " may rewrite a request before its route is chosen: the answer is about what they leave"
	case report.Endpoints:
		return "the endpoints of " + names + " are known on one side only, so they are not compared"
	case report.RuntimeKeys:
		return "an operator can set other shares by the runtime keys " + names + " while Envoy runs: compared are those of the files"
	}
	return w.word(string(c.About)) + ": " + names
}
