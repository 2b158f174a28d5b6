package precedence

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/render/model"
)

// Rung is one criterion of a ladder.
type Rung struct {
	// Name is the criterion for people: "number of headers".
	Name string
	// kind tells the rungs apart that a caller may have to treat on their own.
	kind kind
	// order is below 0 when a stands before b, 0 when the rung does not decide.
	order func(a, b *model.Rule) int
	// detail says how the rung decided, given that winner won: "2 > 1".
	detail func(winner, loser *model.Rule) string
}

type kind uint8

const (
	byMatch kind = iota
	byAge
	byName
	byPosition
)

// IsAge tells whether the rung is the age of the routes.
func (r Rung) IsAge() bool { return r.kind == byAge }

// IsName tells whether the rung is the name of the routes.
func (r Rung) IsName() bool { return r.kind == byName }

// IsPosition tells whether the rung is the place of two rules in one route.
func (r Rung) IsPosition() bool { return r.kind == byPosition }

// most is a rung on which the larger number wins.
func most(name string, count func(*model.Rule) int) Rung {
	return Rung{
		Name:  name,
		order: func(a, b *model.Rule) int { return cmp.Compare(count(b), count(a)) },
		detail: func(winner, loser *model.Rule) string {
			return fmt.Sprintf("%d > %d", count(winner), count(loser))
		},
	}
}

// The two hostname rungs: "precedence must be given to rules from the HTTPRoute with the largest number of characters in a
// matching non-wildcard hostname, characters in a matching hostname" (HTTPRouteSpec.hostnames). Rules of one host differ
// here only where their routes name the host differently: "*.example.com" and "a.example.com" on a listener for
// "a.example.com".
var (
	preciseHostname = hostnameRung("characters of a hostname without wildcard", func(hostname string) int {
		if strings.HasPrefix(hostname, "*") {
			return 0
		}
		return len(hostname)
	})
	longestHostname = hostnameRung("characters of the hostname", func(hostname string) int { return len(hostname) })
)

func hostnameRung(name string, length func(string) int) Rung {
	r := most(name, func(rule *model.Rule) int { return length(rule.Hostname) })
	r.detail = func(winner, loser *model.Rule) string {
		return fmt.Sprintf("%s before %s", winner.Hostname, loser.Hostname)
	}
	return r
}

// pathKinds ranks the kinds of path matches in the order given, the first wins.
func pathKinds(kinds ...model.PathKind) Rung {
	rank := func(r *model.Rule) int {
		for i, k := range kinds {
			if r.Match.PathKind == k {
				return i
			}
		}
		return len(kinds)
	}
	return Rung{
		Name:  "kind of path match",
		order: func(a, b *model.Rule) int { return cmp.Compare(rank(a), rank(b)) },
		detail: func(winner, loser *model.Rule) string {
			return fmt.Sprintf("%s before %s", winner.Match.PathKind, loser.Match.PathKind)
		},
	}
}

// pathLength counts the characters of a path value after its trailing slash is gone, for all kinds of matches: of two
// prefixes that both match the longer is the longer path, and of two Exact matches only one can match.
var pathLength = most("characters of the path", func(r *model.Rule) int { return len(r.Match.PathValue) })

// pathLengthButRegex leaves regular expressions undecided.
var pathLengthButRegex = most("characters of the path", func(r *model.Rule) int {
	if r.Match.PathKind == model.PathRegex {
		return 0
	}
	return len(r.Match.PathValue)
})

// pathLengthWritten counts the value as the manifest has it, a trailing slash included; "/" counts nothing.
var pathLengthWritten = most("characters of the path", func(r *model.Rule) int {
	written := r.Match.PathWritten
	if written == "" {
		written = r.Match.PathValue
	}
	if r.Match.PathKind == model.PathPrefix && written == "/" {
		return 0
	}
	return len(written)
})

// method: a match with a method stands before one without; two different methods tie.
var method = Rung{
	Name:  "method match",
	order: func(a, b *model.Rule) int { return cmp.Compare(methods(b), methods(a)) },
	detail: func(winner, _ *model.Rule) string {
		return winner.Match.Method + " before any method"
	},
}

func methods(r *model.Rule) int {
	if r.Match.Method != "" {
		return 1
	}
	return 0
}

var (
	headers     = most("number of headers", func(r *model.Rule) int { return len(r.Match.Headers) })
	queryParams = most("number of query parameters", func(r *model.Rule) int { return len(r.Match.Query) })

	// The next four are Envoy Gateway's: it turns a method into an exact match of the header ":method".
	headersWithMethod = most("number of headers, the method counted as one", func(r *model.Rule) int {
		return len(r.Match.Headers) + methods(r)
	})
	exactHeadersWithMethod = most("number of exact headers, the method counted as one", func(r *model.Rule) int {
		return exact(r.Match.Headers) + methods(r)
	})
	exactQueryParams = most("number of exact query parameters", func(r *model.Rule) int { return exact(r.Match.Query) })
)

func exact(matches []model.ValueMatch) int {
	n := 0
	for _, m := range matches {
		if !m.Regex {
			n++
		}
	}
	return n
}

// age: "the oldest Route based on creation timestamp" (model.Age.Compare).
var age = Rung{
	Name:  "age of the route",
	kind:  byAge,
	order: func(a, b *model.Rule) int { return a.Age.Compare(b.Age) },
	detail: func(winner, loser *model.Rule) string {
		if loser.Age.New && !winner.Age.New {
			return "the other route is new"
		}
		return fmt.Sprintf("%s before %s", ageText(winner.Age), ageText(loser.Age))
	},
}

func ageText(a model.Age) string {
	if a.Created.IsZero() {
		return "unknown age"
	}
	return a.Created.UTC().Format("2006-01-02T15:04:05Z")
}

// name: "the Route appearing first in alphabetical order by {namespace}/{name}". The joined text is compared, as written
// there: "a-b/c" stands before "a/c". The kind comes last, for two routes of one name and different kinds.
var name = Rung{
	Name: "name of the route",
	kind: byName,
	order: func(a, b *model.Rule) int {
		return cmp.Or(compareNames(a.Origin.Name, b.Origin.Name), cmp.Compare(a.Origin.Kind, b.Origin.Kind))
	},
	detail: func(winner, loser *model.Rule) string {
		return fmt.Sprintf("%s before %s", winner.Origin.Name, loser.Origin.Name)
	},
}

func compareNames(a, b model.Name) int {
	if a.Namespace == b.Namespace {
		return cmp.Compare(a.Name, b.Name)
	}
	return cmp.Or(cmp.Compare(a.String(), b.String()), cmp.Compare(a.Namespace, b.Namespace))
}

// ruleOrder and matchOrder: "the FIRST matching rule (in list order)".
var (
	ruleOrder  = position("order of rules in the route", "rule", func(o model.Origin) int { return o.Rule })
	matchOrder = position("order of matches in the rule", "match", func(o model.Origin) int { return o.Match })
)

func position(name, what string, index func(model.Origin) int) Rung {
	return Rung{
		Name:  name,
		kind:  byPosition,
		order: func(a, b *model.Rule) int { return cmp.Compare(index(a.Origin), index(b.Origin)) },
		detail: func(winner, loser *model.Rule) string {
			return what + " " + strconv.Itoa(index(winner.Origin)+1) + " before " + what + " " + strconv.Itoa(index(loser.Origin)+1)
		},
	}
}
