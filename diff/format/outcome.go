package format

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// change says what the requests of a class got before and what they get now, and what protected them on the way and does not any more.
func (w words) change(c report.Class) (before, after string) {
	before, after, said := w.destinations(c)
	if lost := report.ProtectionsLost(&c); len(lost) > 0 && !said {
		after += ", " + w.strong("without "+strings.Join(lost, " and "))
	}
	return before, after
}

// destinations says where the requests of a class went and go; treated tells that it says how they are handled instead.
func (w words) destinations(c report.Class) (before, after string, treated bool) {
	w.origins = sameOrigin(c)
	now := w.emphatic()
	if len(c.Before) == 0 || len(c.After) == 0 {
		return w.outcomes(c.Before), now.outcomes(c.After), false
	}
	if c.Severity == report.Treated || c.Severity == report.Served && table.SameBackends(c.Before[0], c.After[0]) {
		if before, after := w.treatments(c.Before[0], c.After[0]); before != after {
			return before, after, true
		}
	}
	if len(c.Flows) == 1 && w.share(c.Flows) != "" {
		// Only a part moves, and the row says which part: the rest of both sides is the same.
		return w.outcome(c.Flows[0].From), now.outcome(c.Flows[0].To), false
	}
	before, after = w.outcomes(c.Before), now.outcomes(c.After)
	if c.MoreOutcomes {
		return andOthers(before, c.Before, c.After), andOthers(after, c.After, c.Before), false
	}
	if before == w.outcomes(c.After) {
		before, after = before+kindNote(c.Before[0]), after+kindNote(c.After[0])
	}
	return before, after, false
}

// andOthers marks the side that a row cannot tell in full: the one with more outcomes, or both.
func andOthers(said string, side, other []table.Outcome) string {
	if len(side) >= len(other) {
		return said + " and others"
	}
	return said
}

// kindNote tells two outcomes apart that clients see as one.
func kindNote(o table.Outcome) string {
	switch o.Kind {
	case table.NoRoute:
		return " (no route)"
	case table.Answered:
		return " (an answer of a rule)"
	}
	return ""
}

// outcomes is the first outcome, or a count where there are more than a row can say.
func (w words) outcomes(all []table.Outcome) string {
	said := make([]string, 0, len(all))
	for _, o := range all {
		if s := w.outcome(o); !slices.Contains(said, s) {
			said = append(said, s)
		}
		if len(said) > w.items {
			break
		}
	}
	if len(said) > w.items {
		return fmt.Sprintf("%s and %d more", strings.Join(said[:w.items], ", "), len(all)-w.items)
	}
	return strings.Join(said, ", ")
}

// outcome is what a client sees: "`orders:80`", "302 `/welcome`", "404".
func (w words) outcome(o table.Outcome) string {
	switch o.Kind {
	case table.ToBackends:
		return w.shares(o)
	case table.Redirected:
		return w.number(fmt.Sprint(o.Status)) + w.optionalCode(w.location(o.Location))
	case table.Answered:
		return w.number(fmt.Sprint(o.Status))
	case table.NoRoute:
		return w.number("404")
	case report.NotServed:
		return w.number("no connection")
	case table.Mixed:
		return w.mixture(o)
	}
	return "–"
}

// location leaves out what the client has asked for anyway: "{scheme}://{hostname}:10000/welcome" on port 10000 is "/welcome".
func (w words) location(template string) string {
	for _, origin := range w.origins {
		if path, ok := strings.CutPrefix(template, origin); ok && path != "" && strings.ContainsAny(path[:1], "/{") {
			return path
		}
	}
	// "{scheme}://other.example{path}": the scheme is the client's own.
	return strings.TrimPrefix(template, "{scheme}://")
}

// sameOrigin are the beginnings of a location that lead back to where the requests of a class came from.
func sameOrigin(c report.Class) []string {
	origins := []string{"{scheme}://{host}"}
	for _, w := range c.Witnesses {
		origins = append(origins, fmt.Sprintf("{scheme}://{hostname}:%d", w.Port))
		if len(c.Areas) != 1 || !c.Areas[0].Hosts.Single(w.Host) {
			continue
		}
		origins = append(origins, fmt.Sprintf("{scheme}://%s:%d", w.Host, w.Port))
		if w.Port == 80 && w.Scheme == "http" || w.Port == 443 && w.Scheme == "https" {
			origins = append(origins, "{scheme}://"+w.Host)
		}
	}
	// The longest first: one host may be the beginning of another.
	slices.SortFunc(origins, func(a, b string) int { return len(b) - len(a) })
	return origins
}

// shares is one backend, or all with their shares.
func (w words) shares(o table.Outcome) string {
	said := make([]string, len(o.Backends))
	for i, s := range o.Backends {
		said[i] = w.backend(s.Backend)
		if len(o.Backends) > 1 {
			said[i] += " " + w.percentage(fraction(s.Weight, o.Total))
		}
	}
	return w.some(said, ", ")
}

// mixture is every destination between which chance decides, with its share of all requests: "302 `/welcome` 70%, `web:80` 30%".
func (w words) mixture(o table.Outcome) string {
	var order []string
	shares := map[string]*big.Rat{}
	add := func(destination string, share *big.Rat) {
		if known, seen := shares[destination]; seen {
			share = share.Add(share, known)
		} else {
			order = append(order, destination)
		}
		shares[destination] = share
	}
	for _, p := range o.Parts {
		if p.Outcome.Kind != table.ToBackends {
			add(w.outcome(p.Outcome), fraction(p.Weight, o.Total))
			continue
		}
		for _, s := range p.Outcome.Backends {
			share := fraction(p.Weight, o.Total)
			add(w.backend(s.Backend), share.Mul(share, fraction(s.Weight, p.Outcome.Total)))
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return shares[b].Cmp(shares[a]) })
	for i, destination := range order {
		order[i] = destination + " " + w.percentage(shares[destination])
	}
	return w.some(order, ", ")
}

// backend is "`orders:80`", with its namespace where the report has two of that name.
func (w words) backend(b table.Backend) string {
	name := b.Cluster
	if b.Service != "" {
		name = backendName(b)
		if b.Namespace != "" && w.ambiguous[name] {
			name = b.Namespace + "/" + name
		}
	}
	switch {
	case b.Cluster == table.Closed:
		return w.number(table.Closed)
	case b.Status == 0:
		return w.code(name)
	case name == "":
		return w.number(fmt.Sprint(b.Status))
	}
	return fmt.Sprintf("%s (%s)", w.number(fmt.Sprint(b.Status)), w.code(name))
}

// treatments says what differs in the handling of two outcomes, and nothing that is the same.
func (w words) treatments(before, after table.Outcome) (string, string) {
	was, is := w.treatmentList(before), w.treatmentList(after)
	var left, right []string
	for _, name := range treatmentNames(was, is) {
		b, hadIt := was.value(name)
		a, hasIt := is.value(name)
		if hadIt == hasIt && b == a {
			continue
		}
		b, a = shortDigests(b, a)
		left = append(left, w.treatment(name, b, hadIt))
		right = append(right, w.emphatic().treatment(name, a, hasIt))
	}
	return w.some(left, ", "), w.some(right, ", ")
}

// longDigest is that of a text that has no room.
var longDigest = regexp.MustCompile(`\(sha256 ([0-9a-f]{8})[0-9a-f]{24}\)`)

// shortDigests cuts the digests in two texts, as long as they are told apart all the same.
func shortDigests(a, b string) (string, string) {
	x, y := longDigest.ReplaceAllString(a, "(sha256 $1…)"), longDigest.ReplaceAllString(b, "(sha256 $1…)")
	if x == y {
		return a, b
	}
	return x, y
}

func (w words) treatment(name, value string, has bool) string {
	// The name may end in a header's name, which is the manifest's: it is set as code with the value.
	word, literal := splitTreatment(name)
	if !has {
		return strings.TrimSpace("no " + word + w.optionalCode(literal))
	}
	if literal != "" {
		return word + " " + w.code(literal+": "+value)
	}
	return word + w.optionalCode(value)
}

func (w words) optionalCode(s string) string {
	if s == "" {
		return ""
	}
	return " " + w.code(s)
}

// splitTreatment parts "request header x-env" into our words and the manifest's. What holds anything but our letters is
// the manifest's as a whole.
func splitTreatment(name string) (word, literal string) {
	for _, prefix := range []string{"request header ", "response header "} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			return strings.TrimSpace(prefix), rest
		}
	}
	for _, r := range name {
		if r != ' ' && r != '-' && (r < 'a' || r > 'z') {
			return "setting", name
		}
	}
	return name, ""
}

// treatmentList is the handling of a request, that of single backends included.
type treatmentList []table.Treatment

func (w words) treatmentList(o table.Outcome) treatmentList {
	list := slices.Clone(o.Treatment)
	for _, p := range o.Parts {
		for _, t := range w.treatmentList(p.Outcome) {
			t.Value += " (" + w.plainly().outcome(p.Outcome) + ")"
			list = append(list, t)
		}
	}
	for _, s := range o.Backends {
		for _, t := range s.Treatment {
			if len(o.Backends) > 1 {
				t.Value += " (" + backendName(s.Backend) + ")"
			}
			list = append(list, t)
		}
	}
	return list
}

func backendName(b table.Backend) string {
	if b.Service == "" {
		return b.Cluster
	}
	if b.Port == 0 {
		return b.Service // of a foreign kind, which knows the port itself
	}
	return fmt.Sprintf("%s:%d", b.Service, b.Port)
}

// value joins all values of a name: one treatment may stand several times.
func (l treatmentList) value(name string) (string, bool) {
	var values []string
	for _, t := range l {
		if t.Name == name {
			values = append(values, t.Value)
		}
	}
	return strings.Join(values, ", "), len(values) > 0
}

// treatmentNames of both sides, each once, in order.
func treatmentNames(lists ...treatmentList) []string {
	var names []string
	for _, l := range lists {
		for _, t := range l {
			names = append(names, t.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
