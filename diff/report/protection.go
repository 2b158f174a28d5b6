package report

import (
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

// ProtectionsLost are the treatments that protect and that requests of a class have lost, sorted. Requests that reach nothing any more have
// lost no protection.
//
// Where a class has several outcomes it is not known which became which. A protection is lost then if every outcome had it and one has it
// no more, or if one had it and none has it any more.
func ProtectionsLost(c *Class) []string {
	after := Destinations(c.After)
	after = slices.DeleteFunc(after, func(o table.Outcome) bool { return !isForwarded(o) })
	before := Destinations(c.Before)
	if len(after) == 0 {
		return nil
	}
	var lost []string
	for _, name := range protectionsOf(before) {
		had, has := count(before, name), count(after, name)
		if had == len(before) && has < len(after) || has == 0 {
			lost = append(lost, name)
		}
	}
	return lost
}

// isForwarded tells whether an outcome lets requests through. One without a kind is about the connection, whatever comes over it.
func isForwarded(o table.Outcome) bool {
	return o.Kind == table.ToBackends && o.Backends[0].Backend.Status == 0 || o.Kind == ""
}

func count(outcomes []table.Outcome, name string) int {
	n := 0
	for _, o := range outcomes {
		if slices.Contains(protections(o), name) {
			n++
		}
	}
	return n
}

// protectionsOf are the protections of any of the outcomes, each once, sorted.
func protectionsOf(outcomes []table.Outcome) []string {
	var names []string
	for _, o := range outcomes {
		names = append(names, protections(o)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// protections of a single destination, by what a reader calls them.
func protections(o table.Outcome) []string {
	treatments := o.Treatment
	for _, share := range o.Backends {
		treatments = slices.Concat(treatments, share.Treatment)
	}
	var names []string
	for _, t := range treatments {
		if name := protection(t); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// ProtectiveFilters are the HTTP filters of Envoy that keep requests out.
func ProtectiveFilters() []string {
	return []string{"ext_authz", "jwt_authn", "rbac", "basic_auth", "api_key_auth", "oauth2", "csrf", "cors"}
}

// protection is what a treatment protects by, "" if it does not. A client certificate protects only where nobody is let in without one.
func protection(t table.Treatment) string {
	switch {
	case t.Name == "authentication", t.Name == "cors":
		return t.Name
	case t.Name == "client certificate" && strings.HasPrefix(t.Value, table.Required):
		return "a required client certificate"
	case t.Name == table.UpstreamTLS:
		return "TLS to the backend"
	}
	if filter, ok := strings.CutPrefix(t.Name, "filter "); ok {
		for _, name := range ProtectiveFilters() {
			if strings.Contains(filter, name) {
				return name
			}
		}
	}
	return ""
}

// Destinations are all single destinations of outcomes: a backend, a redirect, an answer each.
func Destinations(outcomes []table.Outcome) []table.Outcome {
	var found []table.Outcome
	for _, o := range outcomes {
		switch o.Kind {
		case table.Mixed:
			for _, part := range o.Parts {
				found = append(found, Destinations([]table.Outcome{part.Outcome})...)
			}
		case table.ToBackends:
			for _, share := range o.Backends {
				single := o
				single.Backends, single.Total = []table.Share{share}, share.Weight
				found = append(found, single)
			}
		default:
			found = append(found, o)
		}
	}
	return found
}
