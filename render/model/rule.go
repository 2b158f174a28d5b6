package model

import "time"

// Rule is one match of one route rule: the unit that competes.
type Rule struct {
	Origin Origin
	// Hostname is the route's own hostname that led to this host; a route without hostnames inherits the listener's ("*"
	// where that has none either), and so ties with a route that names it.
	Hostname string
	Age      Age
	Match    Match
	Action   Action
}

// Origin says which manifest a rule comes from.
type Origin struct {
	Kind string
	Name
	// RuleName is spec.rules[].name, or "".
	RuleName string
	// Rule and Match are the indexes in spec.rules and spec.rules[].matches (0 where no match is written).
	Rule, Match int
	// Preflight: the rule stands for the CORS preflights of the match, which have another method than it asks for.
	Preflight bool
	// File and Line are the place of the match, or of the rule where no match is written.
	File string
	Line int
	// Backends is the place of backendRefs, Filters of filters, Timeouts of timeouts, Retry of retry and Session of sessionPersistence; zero
	// where there are none. A renderer that makes one object of several files may have taken each from another.
	Backends, Filters, Timeouts, Retry, Session Place
}

// Place is a line of a file.
type Place struct {
	File string
	Line int
}

// Age is what is known of an object's age (product.md, R9).
type Age struct {
	// New: the object is in the later of two compared commits only, so the cluster will create it after all others.
	New bool
	// Created is the creation timestamp or the landing time; zero is unknown and counts as the oldest.
	Created time.Time
	Source  AgeSource
}

// Compare is below 0 for the older of two. What is new in the later of two commits is younger than all else, an unknown age is the
// oldest.
func (a Age) Compare(b Age) int {
	switch {
	case a.New == b.New:
		return a.Created.Compare(b.Created)
	case a.New:
		return 1
	}
	return -1
}

// AgeSource says where an age comes from.
type AgeSource string

const (
	AgeUnknown  AgeSource = ""
	AgeManifest AgeSource = "manifest" // metadata.creationTimestamp
	AgeGit      AgeSource = "git"      // landing time on the branch, or new in the later commit
)

// PathKind is how a path is compared.
type PathKind string

const (
	PathExact  PathKind = "Exact"
	PathPrefix PathKind = "PathPrefix" // on segment borders; Value has no trailing slash, "/" is everything
	PathRegex  PathKind = "RegularExpression"
)

// Match is a conjunction of conditions.
type Match struct {
	PathKind  PathKind
	PathValue string
	// PathWritten is the value as the manifest has it, a trailing slash included: some dialects count it. It matches nothing.
	PathWritten string
	// Method is "" for any.
	Method  string
	Headers []ValueMatch // names in lower case, each once, in the order of the manifest
	Query   []ValueMatch
	// GRPC is set for a match of a GRPCRoute: what its precedence is judged by. The path above says the same to Envoy.
	GRPC *GRPCMatch
}

// GRPCMatch is the method of a GRPCRoute's match as it is written; "" is any.
type GRPCMatch struct {
	Service, Method string
	Regex           bool
}

// ValueMatch is a condition on a named value.
type ValueMatch struct {
	Name  string
	Regex bool
	Value string
}
