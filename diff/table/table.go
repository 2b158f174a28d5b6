// Package table reads what Envoy does with a request out of Envoy's own files.
//
// In comes a files.Set, whoever made it; out goes one Table for each place where a route is chosen (listener and
// filter chain): virtual hosts, rules as predicates and outcomes. Beside it stands the evaluator of one request: small,
// and obviously what Envoy does (docs of each function name the fact). What cannot be modelled is marked on its rule, never
// dropped.
package table

import "slices"

// Scope is the place where a table is used.
type Scope struct {
	// Gateway is files.Set.Name.
	Gateway  string
	Listener string
	Port     uint32
	// UDP: what comes are datagrams. A TCP port may have the same number, so that Listener, which is then the name of the port, tells
	// the place.
	UDP bool
	// TLS: connections are decrypted here, or passed on without; ServerNames are the SNI names that lead here (none: any).
	TLS         bool
	ServerNames []string
	// Match is what else a connection must fulfil to come here, as a text; "" for nothing.
	Match string
	// Certificates are the SDS names.
	Certificates []string
	// ClientCertificate is what a client is asked to show, in words; "" for nothing.
	ClientCertificate string
	// RouteScope is the part of the requests that come here, where a chain has several tables (scoped_routes).
	RouteScope RouteScope
}

// RouteScope is a scope of routes. The headers of a request give the key; Options.ScopedBy says how.
type RouteScope struct {
	// Key as a text, such as "x-tenant=a"; "" for all requests.
	Key string
	// Headers are lines that make a request one of the scope. A table does not ask for them: whoever sends a request to it does.
	Headers []Field
}

// Passed is what a table passes on.
type Passed string

const (
	PassedBytes     Passed = "bytes"
	PassedTLS       Passed = "TLS"             // as it is: the client has TLS with the backend
	PassedDecrypted Passed = "decrypted bytes" // of a client whose TLS ends here
	PassedDatagrams Passed = "datagrams"
)

// PassesOn tells whether a table passes on what comes.
func (t *Table) PassesOn() bool { return t.Passes != "" }

// Table is one route configuration in its place.
type Table struct {
	Scope
	// Routes is the route configuration's name.
	Routes  string
	Options Options
	Hosts   []Host
	// Passes is what is passed on unread, so that the one rule takes all of it: it need not be HTTP. "" where requests are read.
	Passes Passed

	digest string
}

// Options are the connection manager's (and route configuration's) that decide which requests reach the router and as what.
type Options struct {
	NormalizePath    bool
	MergeSlashes     bool
	EscapedSlashes   EscapedSlashes
	IgnoreHostPort   bool // ignore_port_in_host_matching of the route configuration
	StripAnyHostPort bool
	// StripHostPort is the one port that strip_matching_host_port takes off a host, 0 for none.
	StripHostPort    uint32
	StripTrailingDot bool // strip_trailing_host_dot
	// IgnorePathParameters is ignore_path_parameters_in_path_matching of the route configuration.
	IgnorePathParameters bool
	UseRemoteAddress     bool
	Underscores          Underscores
	// Rerouters are filters that may change a request and have its route chosen anew. Tables that agree in them answer
	// alike what their filters make of a request; about the request that the client sent nothing is known.
	Rerouters []string
	// ScopedBy is how the headers of a request give the key of its scope, "" where all routes are in one. The table of a scope holds no
	// rule that looks at those headers.
	ScopedBy string
	// Unmodelled names options that change what reaches the router and that this package does not know. While it is
	// not empty nothing about the table is decided.
	Unmodelled []string
}

// EscapedSlashes is path_with_escaped_slashes_action.
type EscapedSlashes string

const (
	KeepEscapedSlashes     EscapedSlashes = ""
	RejectEscapedSlashes   EscapedSlashes = "reject"
	RedirectEscapedSlashes EscapedSlashes = "redirect"
	ForwardEscapedSlashes  EscapedSlashes = "forward"
)

// Underscores is headers_with_underscores_action: what becomes of a header whose name has an underscore.
type Underscores string

const (
	AllowUnderscores  Underscores = ""
	RejectUnderscores Underscores = "reject"
	DropUnderscores   Underscores = "drop"
)

// Host is a virtual host.
type Host struct {
	Name string
	// Domains in lower case: "*", "*suffix", "prefix*" or a full name.
	Domains []string
	Rules   []Rule

	digest string
}

// Rule is an Envoy route.
type Rule struct {
	// Index is the position in the virtual host as it stands in the file, -1 for a rule that stands for an option of the
	// virtual host (require_tls, a matcher tree).
	Index  int
	Name   string
	Origin Origin
	Path   Path
	// Predicates all hold in a request that the rule matches. Sorted; a method is a predicate on ":method".
	Predicates []Predicate
	// Derived are conditions that hold too, on headers that are functions of other parts of the request: ":path" is path and query,
	// ":authority" the host. The evaluator knows them. Who reasons about hosts, paths and Predicates as independent of each other does
	// not, and leaves what reaches such a rule undecided. Sorted.
	Derived []Predicate
	// Connect: the rule takes CONNECT requests alone, and no rule without it takes any, but for those with an Index below 0. The
	// request has no path, so who reasons about paths leaves it undecided.
	Connect bool
	// Chance is a runtime_fraction: the rule takes only that part of the requests that meet its conditions. Nil for all of
	// them. The number that Envoy draws for a request is one for all rules and weights.
	Chance *Chance
	// Never names conditions that no request of the place meets, such as one on metadata that nobody writes. Where there is one
	// Chance is 0 of 100.
	Never   []string
	Outcome Outcome
	// Unmodelled names the matchers that this package does not know; such a rule may match or not, and a request that
	// reaches it is not decided. Each entry holds the matcher's content too, so that an edit of it is seen.
	Unmodelled []string

	key string
}

// ByPathAlone tells whether the path decides about every request but CONNECT: nothing else is asked.
func (r *Rule) ByPathAlone() bool {
	return len(r.Predicates)+len(r.Derived)+len(r.Unmodelled)+len(r.Never) == 0 && r.Chance == nil && !r.Connect
}

// TakesAll tells whether some rule takes every request to the hosts of the given domains, but CONNECT. False may be wrong, true never is.
func (t *Table) TakesAll(domains []string) bool {
	for _, host := range t.Hosts {
		if !slices.ContainsFunc(host.Rules, func(r Rule) bool { return r.ByPathAlone() && r.Path.TakesAll() }) {
			return false
		}
	}
	has := func(domain string) bool {
		return slices.ContainsFunc(t.Hosts, func(h Host) bool { return slices.Contains(h.Domains, domain) })
	}
	return has("*") || !slices.ContainsFunc(domains, func(domain string) bool { return !has(domain) })
}

// TakesAll tells whether every path, which begins with a slash, is taken.
func (p Path) TakesAll() bool { return p.Kind == PathPrefix && (p.Value == "/" || p.Value == "") }

// Chance is Numerator of Denominator (100, 10,000 or 1,000,000). Numerator is less.
type Chance struct {
	Numerator, Denominator uint32
	// RuntimeKey is the key with which an operator can set another numerator while Envoy runs, "" for none.
	RuntimeKey string
}

// Origin is what the metadata of a route says about the manifest it comes from. Empty where there is none.
type Origin struct {
	Kind, Namespace, Name, Rule string
}

// PathKind is the kind of a path matcher.
type PathKind uint8

const (
	// PathPrefix matches bytes at the start.
	PathPrefix PathKind = iota
	// PathSegments is path_separated_prefix: equal, or followed by "/".
	PathSegments
	// PathExact is equality.
	PathExact
	// PathRegex is a full match by RE2 in Latin-1.
	PathRegex
)

// Path is the path condition of a rule. IgnoreCase folds ASCII letters (not for PathRegex).
type Path struct {
	Kind       PathKind
	Value      string
	IgnoreCase bool
}

// Source is where a predicate's value comes from.
type Source uint8

const (
	// Header has a set of values, each compared by itself, unless Envoy keeps the header in one slot.
	Header Source = iota
	// Query is the first value of a query parameter, raw bytes.
	Query
	// Method is ":method", always there, one value.
	Method
	// Cookie is the first value of a cookie. Other than for a header, an inverted test holds for a missing one.
	Cookie
	// Free is a condition on something that no client sends, such as dynamic metadata. Name is the matcher as a text: equal
	// texts are one variable. It has no value: the only test is Present.
	Free
)

// Test is how a value is compared.
type Test uint8

const (
	Present Test = iota
	Exact
	Prefix
	Suffix
	Contains
	Regex
	// Range is a decimal number from the first to before the second of two numbers in Value: "10 20".
	Range
)

// Predicate is a condition on one named value.
type Predicate struct {
	Source Source
	// Name of the header (lower case) or parameter; "" for Method.
	Name  string
	Test  Test
	Value string
	// IgnoreCase folds ASCII letters of both sides.
	IgnoreCase bool
	// Invert and MissingAsEmpty as in envoy.config.route.v3.HeaderMatcher.
	Invert, MissingAsEmpty bool
}
