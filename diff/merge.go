package diff

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
)

// mergeListeners says once what is the same on several listeners of a Gateway: most serve the same routes on port 80 and
// 443. What is the same on all listeners names none.
func mergeListeners(all []found, listeners map[string]bool) []found {
	var merged []found
	at := map[string]int{}
	places := map[string][]string{}
	for _, f := range all {
		c := f.class
		key := report.Digest(c.Severity, c.Areas, c.Before, c.After, c.Flows, c.Note, c.OnlyRepeated, c.Misdirected, c.Traffic, anywhere(c.Causes))
		places[key] = append(places[key], c.Listener)
		if _, seen := at[key]; !seen {
			at[key] = len(merged)
			merged = append(merged, f)
		}
	}
	for key, i := range at {
		names := places[key]
		slices.Sort(names)
		names = slices.Compact(names)
		merged[i].class.Listener = strings.Join(names, " and ")
		everywhere := len(names) == len(listeners)
		for _, name := range names {
			everywhere = everywhere && listeners[name]
		}
		if everywhere {
			merged[i].class.Listener = ""
		}
	}
	return mergeHosts(merged)
}

// mergeHosts says once what is the same for several hosts of a listener: where each has a filter chain of its own, each has its classes.
// What differs between them is the host alone.
func mergeHosts(all []found) []found {
	var merged []found
	at := map[string]int{}
	for _, f := range all {
		c := f.class
		if len(c.Areas) != 1 || len(c.Areas[0].Hosts.Within)+len(c.Areas[0].Hosts.Exclude) > 0 {
			merged = append(merged, f)
			continue
		}
		rest := c.Areas[0]
		rest.Hosts = class.Terms{}
		key := report.Digest(c.Severity, c.Listener, rest, c.Before, c.After, c.Flows, c.Note, c.OnlyRepeated, c.Misdirected, c.Traffic, c.MoreOutcomes, anywhere(c.Causes), c.Why)
		first, seen := at[key]
		if !seen {
			at[key] = len(merged)
			merged = append(merged, f)
			continue
		}
		area := &merged[first].class.Areas[0]
		area.Hosts.Include = mergeTerms(slices.Clone(area.Hosts.Include), c.Areas[0].Hosts.Include)
	}
	return merged
}

// anywhere leaves out of causes in which virtual host of Envoy, and at which number, an edited route stands: the same edit may stand
// elsewhere on another listener.
func anywhere(causes []report.Cause) []report.Cause {
	out := slices.Clone(causes)
	for i := range out {
		if out[i].VirtualHost != "" {
			out[i].VirtualHost, out[i].Rule = "", 0
		}
	}
	return out
}

// mergeGateways says once what is the same on several Gateways: a route with two parents (one for the office, one for the world) is
// one edit.
func mergeGateways(all []found) []found {
	var merged []found
	at := map[string]int{}
	for _, f := range all {
		c := f.class
		key := report.Digest(c.Severity, c.Listener, c.Areas, c.Before, c.After, c.Flows, c.Note, c.OnlyRepeated, c.Misdirected, c.Traffic, anywhere(c.Causes))
		first, seen := at[key]
		if !seen {
			at[key] = len(merged)
			merged = append(merged, f)
			continue
		}
		merged[first].class.Gateways = append(merged[first].class.Gateways, c.Gateways...)
	}
	return merged
}

// sortFound puts what needs a repeated header, or a connection for another host, last, then the worst first, then the largest, then by name.
func sortFound(all []found) {
	slices.SortStableFunc(all, func(a, b found) int { return compareClasses(a.class, b.class) })
}

func compareClasses(a, b report.Class) int {
	return cmp.Or(
		compareFlags(a.OnlyRepeated, b.OnlyRepeated),
		compareFlags(a.Misdirected, b.Misdirected),
		cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
		-cmp.Compare(size(a), size(b)),
		slices.Compare(a.Gateways, b.Gateways),
		cmp.Compare(sortText(a), sortText(b)),
		cmp.Compare(a.Listener, b.Listener),
	)
}

func compareFlags(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// sortText is hosts and paths of a class.
func sortText(c report.Class) string {
	var b strings.Builder
	for _, a := range c.Areas {
		for _, terms := range []class.Terms{a.Hosts, a.Paths} {
			for _, t := range terms.Include {
				b.WriteString(t.Value + "\x00" + string(t.Kind) + "\x00")
			}
		}
	}
	return b.String()
}

// size guesses how much traffic a class has, from its description alone: wide hosts and short paths have more, each
// condition has less. Only the order matters.
func size(c report.Class) float64 {
	if len(c.Areas) == 0 {
		return math.MaxFloat64
	}
	total := 0.0
	for _, a := range c.Areas {
		conditions := math.Pow(10, -float64(len(a.Conditions)))
		total += termsSize(a.Hosts, ".") * termsSize(a.Paths, "/") * conditions
	}
	part, whole := uint64(0), uint64(1)
	for _, f := range c.Flows {
		part, whole = part+f.Part, f.Whole
	}
	if part > 0 {
		total *= float64(part) / float64(whole)
	}
	return total
}

func termsSize(t class.Terms, separator string) float64 {
	total := 0.0
	for _, term := range t.Include {
		switch depth := float64(strings.Count(strings.Trim(term.Value, separator), separator) + 1); {
		case term.Kind == class.TermAny, strings.Trim(term.Value, separator) == "" && term.Kind != class.TermExact:
			total += 1000
		case term.Kind == class.TermExact:
			total++
		default:
			total += 100 / depth
		}
	}
	return max(total, 1)
}
