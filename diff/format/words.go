package format

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// words says what a report holds in the manifests' own words. Text and Markdown differ in the three functions only.
type words struct {
	// code sets a literal of the manifests apart, strong is for what the reader must not miss.
	code   func(string) string
	strong func(string) string
	// word sets what should be words of ours, but comes out of a report that anybody may have written.
	word func(string) string
	// number sets a status code.
	number func(string) string
	// link sets a place of a file, at a commit.
	link  func(side report.Side, file string, line int) string
	arrow string
	// between stands between two parts of a line.
	between string
	// percent is the sign with its distance to the number.
	percent string
	// items bounds lists of hosts, paths and the like.
	items int
	// ambiguous are the "service:port" that stand for backends of several namespaces in this report.
	ambiguous map[string]bool
	// repeated: the requests at hand send a header twice, so that what only matters for these is said.
	repeated bool
	// grpc: the paths at hand are methods of gRPC.
	grpc bool
	// origins are the beginnings of a redirect's location that need no word.
	origins []string
}

// emphatic are the same words with every literal strong: the side that the reader has to look at.
func (w words) emphatic() words {
	quiet := w
	w.code = func(s string) string { return quiet.strong(quiet.code(s)) }
	w.number = quiet.strong
	return w
}

// plainly are the same words without any typography, for what stands inside of a literal.
func (w words) plainly() words {
	same := func(s string) string { return s }
	w.code, w.strong, w.number = same, same, same
	return w
}

// some joins the first items and counts the rest: "a, b and 4 more".
func (w words) some(items []string, separator string) string {
	if len(items) <= w.items {
		return strings.Join(items, separator)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(items[:w.items], separator), len(items)-w.items)
}

// phrase sets the literal of a phrase apart.
func (w words) phrase(p report.Phrase) string {
	var parts []string
	if p.Word != "" {
		parts = append(parts, p.Word)
	}
	if p.Literal != "" {
		parts = append(parts, w.code(p.Literal))
	}
	if p.After != "" {
		parts = append(parts, p.After)
	}
	return strings.Join(parts, " ")
}

// phrases of a list of terms.
func (w words) phrases(terms []class.Term, say func(class.Term) report.Phrase) []string {
	said := make([]string, len(terms))
	for i, t := range terms {
		said[i] = w.phrase(say(t))
	}
	return said
}

// terms is "a, b that are also c except d", or "" when the terms hold everything. What narrows an included term is said
// plainly: it is not what changes.
func (w words) terms(t class.Terms, say func(class.Term) report.Phrase) string {
	said := w.emphatic().some(w.emphatic().phrases(t.Include, say), ", ")
	if isAny(t.Include) {
		said = ""
	}
	if len(t.Within)+len(t.Exclude) == 0 {
		return said
	}
	if said == "" {
		said = w.strong(say(class.Term{Kind: class.TermAny}).String())
	}
	if len(t.Within) > 0 {
		said += " within " + w.some(w.phrases(t.Within, say), " and ")
	}
	if len(t.Exclude) > 0 {
		said += " except " + w.some(w.phrases(t.Exclude, say), ", ")
	}
	return said
}

// isAny tells whether included terms are everything. A path always starts with "/".
func isAny(terms []class.Term) bool {
	for _, t := range terms {
		prefix := t.Kind == class.TermPrefix || t.Kind == class.TermSegments
		if t.Kind == class.TermAny || prefix && (t.Value == "" || t.Value == "/") {
			return true
		}
	}
	return len(terms) == 0
}

// area is "`shop.example` **`/orders/*`**, header **`x-env: canary`**". The part behind the host is strong: it is what tells
// one row of a report from the next.
func (w words) area(a report.Area) string {
	quiet := w
	quiet.strong = func(s string) string { return s }
	host := quiet.terms(a.Hosts, report.HostPhrase)
	if host == "" {
		host = report.HostPhrase(class.Term{Kind: class.TermAny}).String()
	}
	narrow := w.narrowing(a)
	if narrow == "" {
		return host + " " + w.strong("all")
	}
	return host + " " + narrow
}

// pathPhrase says a term of paths in the words of the route that is at hand.
func (w words) pathPhrase(t class.Term) report.Phrase {
	if w.grpc {
		return report.GRPCPhrase(t)
	}
	return report.PathPhrase(t)
}

// narrowing is all of an area but its hosts, "" if that is every request to them.
func (w words) narrowing(a report.Area) string {
	var parts []string
	if paths := w.terms(a.Paths, w.pathPhrase); paths != "" {
		parts = append(parts, paths)
	}
	parts = append(parts, w.conditions(a.Conditions)...)
	if except := w.except(a.Except); except != "" {
		if len(parts) == 0 {
			parts = append(parts, w.strong("all"))
		}
		parts = append(parts, except)
	}
	return strings.Join(parts, ", ")
}

// conditions are those of an area. Where very many of them deny something ("without header x-tenant: 1"), some of these stand for all.
func (w words) conditions(list []report.Condition) []string {
	emphatic := w.emphatic()
	var all, positive, denied []string
	free := false
	for _, c := range list {
		if c.OnlyRepeated && !w.repeated {
			continue
		}
		said := emphatic.phrase(c.Phrase())
		if c.Source == "free" && !free {
			// No client decides it, and nobody who reads the files knows it.
			said, free = "may change "+said, true
		}
		all = append(all, said)
		if c.Not {
			denied = append(denied, said)
		} else {
			positive = append(positive, said)
		}
	}
	if len(denied) <= w.items {
		return all
	}
	return append(positive, w.some(denied, ", "))
}

// except is "except method `POST` with header `x: 1`; except ...".
func (w words) except(cubes [][]report.Condition) string {
	var said []string
	for _, cube := range cubes {
		if len(cube) > 0 && cube[0].OnlyRepeated && !w.repeated {
			continue
		}
		conditions := make([]string, len(cube))
		for j, c := range cube {
			conditions[j] = w.phrase(c.Phrase())
		}
		said = append(said, "except "+strings.Join(conditions, " with "))
	}
	return w.some(said, "; ")
}

// requests says which requests a class holds: one line an area, and the share of them that is touched.
func (w words) requests(c report.Class, separator string) string {
	w.repeated, w.grpc = c.OnlyRepeated, c.IsGRPC()
	lines := make([]string, len(c.Areas))
	for i, a := range c.Areas {
		lines[i] = w.areaOf(c, a)
	}
	said := w.some(lines, separator)
	if len(c.Areas) == 0 {
		said = w.subject(c) + " to " + w.outcomes(c.Before)
	}
	if share := w.share(c.Flows); share != "" {
		said += " · " + w.strong(share) + " of them"
	}
	return said + rarely(c)
}

// rarely says when requests of a class come, where that is seldom.
func rarely(c report.Class) string {
	switch {
	case c.OnlyRepeated:
		return " (only if a header is sent twice)"
	case c.Misdirected:
		return " (only over a connection for another host)"
	}
	return ""
}

// subject is what a class is about.
func (w words) subject(c report.Class) string {
	if c.Traffic != "" {
		return w.word(c.Traffic)
	}
	return "requests"
}

// areaOf is an area of a class, which may be about other things than requests.
func (w words) areaOf(c report.Class, a report.Area) string {
	if c.Traffic == "" {
		return w.area(a)
	}
	quiet := w
	quiet.strong = func(s string) string { return s }
	return strings.TrimSpace(quiet.terms(a.Hosts, report.HostPhrase) + " " + w.strong("all "+w.word(c.Traffic)))
}

// share is the part of the requests that moves, "" if it is all of them.
func (w words) share(flows []report.Flow) string {
	var part uint64
	for _, f := range flows {
		part += f.Part
	}
	if len(flows) == 0 || part >= flows[0].Whole {
		return ""
	}
	return w.percentage(fraction(part, flows[0].Whole))
}

// fraction is part of whole, 0 of nothing.
func fraction(part, whole uint64) *big.Rat {
	if whole == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(part), new(big.Int).SetUint64(whole))
}

// percentage of the requests, with its sign.
func (w words) percentage(share *big.Rat) string { return report.Percent(share) + w.percent }

// each is a list with every item set.
func each(items []string, set func(string) string) []string {
	said := make([]string, len(items))
	for i, item := range items {
		said[i] = set(item)
	}
	return said
}

// ambiguousBackends finds the services that have to be written with their namespaces.
func ambiguousBackends(r *report.Report) map[string]bool {
	namespace := map[string]string{}
	ambiguous := map[string]bool{}
	see := func(b table.Backend) {
		key := backendName(b)
		if first, seen := namespace[key]; seen && first != b.Namespace {
			ambiguous[key] = true
		}
		namespace[key] = b.Namespace
	}
	var seeAll func(outcomes []table.Outcome)
	seeAll = func(outcomes []table.Outcome) {
		for _, o := range outcomes {
			for _, s := range o.Backends {
				see(s.Backend)
			}
			for _, p := range o.Parts {
				seeAll([]table.Outcome{p.Outcome})
			}
		}
	}
	for _, c := range r.Classes {
		seeAll(c.Before)
		seeAll(c.After)
	}
	return ambiguous
}
