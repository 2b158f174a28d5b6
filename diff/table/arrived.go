package table

// Arrived is a request as the router sees it: the values that domains, path matchers and predicates are compared with.
type Arrived struct {
	arrival
	lookup string
	// proto is x-forwarded-proto: how the request came, or what the client says where Envoy believes it.
	proto string
	// scheme is :scheme.
	scheme string
}

// Arrive does what Envoy does before it chooses a route. It is false when Envoy answers by itself there, or finds no route
// whatever the table says.
func (e *Evaluator) Arrive(r Request) (Arrived, bool) {
	seen, status := arrive(r, e.table.Options)
	if status != 0 || !e.table.Options.UseRemoteAddress && emptyForwardedProto(seen) {
		return Arrived{}, false
	}
	host := seen.host
	if e.table.Options.IgnoreHostPort {
		if i := portStart(host); i >= 0 {
			host = host[:i]
		}
	}
	a := Arrived{arrival: seen, lookup: lowerASCII(host)}
	a.proto, a.scheme = e.schemes(&seen, r)
	return a, true
}

// Host is the name that domains are compared with: in lower case, without the port where it is ignored.
func (a *Arrived) Host() string { return a.lookup }

// Path is what path matchers see: the path without the query, and without parameters where these are ignored.
func (a *Arrived) Path() string { return a.matched }

// Values are those that a predicate on source and name looks at.
func (a *Arrived) Values(source Source, name string) []string {
	return a.values(Predicate{Source: source, Name: name})
}

// Matches tells whether the conditions of a rule hold, as far as they are modelled.
func (e *Evaluator) Matches(rule *Rule, a *Arrived) bool { return e.matches(rule, &a.arrival) }

// CheckRegex refuses a pattern that Go and Envoy may understand differently. A rule that has one is not decided.
func CheckRegex(pattern string) error { return checkRegex(pattern) }
