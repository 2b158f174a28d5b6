// Package certificate is the form of a certificate: what a comparison claims about two sides, and the argument for it, as a file.
//
// In comes what package certify found; out goes one text, equal for equal certificates, that package verify reads back.
// Nothing of it is believed by the reader: it says where to look, and what has to be true there.
package certificate

import "github.com/routedelta/routedelta/diff/table"

// APIVersion and Kind stand at the head of the file.
const (
	APIVersion = "routedelta.dev/v1alpha1"
	Kind       = "Certificate"
)

// Verdict is the claim as a whole.
type Verdict string

const (
	// NothingChanges: every request gets the outcome that it had.
	NothingChanges Verdict = "nothing changes"
	// Changes: just the requests of the classes, and of places that one side does not have, change.
	Changes Verdict = "changes"
	// NotDecided: there are regions about which nothing is claimed. About all other requests it is.
	NotDecided Verdict = "not decided"
)

// Certificate is everything that is claimed.
type Certificate struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Tool is the version of routedelta that made it.
	Tool     string    `json:"tool"`
	Before   Side      `json:"before"`
	After    Side      `json:"after"`
	Verdict  Verdict   `json:"verdict"`
	Gateways []Gateway `json:"gateways"`
	// Uncompared are differences of the manifests that are in no Envoy file, of which nothing is claimed.
	Uncompared []string `json:"uncompared,omitempty"`
	// Digest is over the text of the certificate with an empty digest. Encode fills it in.
	Digest string `json:"digest"`
}

// Side is one of the two inputs.
type Side struct {
	// Source is what the caller named. The same files elsewhere are the same side.
	Source string `json:"source"`
	// Order is the dialect of competing rules, "" for a side that was a rendering already.
	Order string `json:"order,omitempty"`
	// Files is over the bytes of the files that were read, Envoy over the Envoy files that they mean, one for each Gateway.
	Files string            `json:"files"`
	Envoy map[string]string `json:"envoy"`
}

// Gateway is one Envoy on both sides.
type Gateway struct {
	// Before and After are names of sets, "" on the side that does not have it.
	Before string  `json:"before,omitempty"`
	After  string  `json:"after,omitempty"`
	Places []Place `json:"places"`
	// Backends are the backends used on both sides that are reached otherwise: other endpoints, protocol or TLS.
	Backends []table.Backend `json:"backends,omitempty"`
}

// Place is a set of connections that one table answers on each side.
type Place struct {
	// Port and TLS, or the listener's name where it has no port, and the server names, "" for all that no table lists.
	Port        uint32   `json:"port,omitempty"`
	TLS         bool     `json:"tls,omitempty"`
	Listener    string   `json:"listener,omitempty"`
	ServerNames []string `json:"serverNames"`
	// Scope is the key of the scope that the requests are of, with scoped_routes on at least one side.
	Scope string `json:"scope,omitempty"`
	// Before and After are the tables by their order in the set, -1 for none: then the connections themselves come or go.
	Before int `json:"before"`
	After  int `json:"after"`
	// Certificates: other TLS certificates answer than before, or others are asked for.
	Certificates bool `json:"certificates,omitempty"`
	// Reading: the sides read what comes, or pass it on, in two ways. All that comes changes, and no class says it.
	Reading bool `json:"reading,omitempty"`
	// Options are those of the tables under which requests were compared; nil where one side has no table.
	Options *Options `json:"options,omitempty"`
	Pairs   []Pair   `json:"pairs,omitempty"`
	// Classes are the requests that change, Undecided those of which nothing is claimed.
	Classes   []Class     `json:"classes,omitempty"`
	Undecided []Undecided `json:"undecided,omitempty"`
}

// Options are the options that decide which requests reach the router, and as what: table.Options, as this form names them.
type Options struct {
	NormalizePath        bool     `json:"normalizePath"`
	MergeSlashes         bool     `json:"mergeSlashes"`
	EscapedSlashes       string   `json:"escapedSlashes"`
	IgnoreHostPort       bool     `json:"ignoreHostPort"`
	StripAnyHostPort     bool     `json:"stripAnyHostPort"`
	StripHostPort        uint32   `json:"stripHostPort"`
	StripTrailingDot     bool     `json:"stripTrailingDot"`
	IgnorePathParameters bool     `json:"ignorePathParameters"`
	UseRemoteAddress     bool     `json:"useRemoteAddress"`
	Underscores          string   `json:"underscores"`
	Rerouters            []string `json:"rerouters,omitempty"`
	ScopedBy             string   `json:"scopedBy,omitempty"`
	Unmodelled           []string `json:"unmodelled,omitempty"`
}

// OptionsOf puts a table's options into this form.
func OptionsOf(o table.Options) *Options {
	return &Options{
		NormalizePath: o.NormalizePath, MergeSlashes: o.MergeSlashes, EscapedSlashes: string(o.EscapedSlashes),
		IgnoreHostPort: o.IgnoreHostPort, StripAnyHostPort: o.StripAnyHostPort, StripHostPort: o.StripHostPort,
		StripTrailingDot: o.StripTrailingDot, IgnorePathParameters: o.IgnorePathParameters,
		UseRemoteAddress: o.UseRemoteAddress, Underscores: string(o.Underscores),
		Rerouters: o.Rerouters, ScopedBy: o.ScopedBy, Unmodelled: o.Unmodelled,
	}
}

// Pair is a virtual host before and one after that some hosts have in common, by their order in the tables, -1 for none.
type Pair struct {
	Before int `json:"before"`
	After  int `json:"after"`
	// Kept is the common subsequence of their rules. All other rules are edited, and win at least one side of each
	// request that changes.
	Kept []Run `json:"kept,omitempty"`
}

// Run is a run of equal rules: Length of them from Before and from After.
type Run struct {
	Before int `json:"before"`
	After  int `json:"after"`
	Length int `json:"length"`
}

// Class is a set of requests that changes in one way.
type Class struct {
	// Facet is "backend" or "treatment".
	Facet string `json:"facet"`
	// Areas cover the class.
	Areas []Area `json:"areas"`
	// Before and After are the outcomes of its requests. With More there may be others too.
	Before []table.Outcome `json:"before"`
	After  []table.Outcome `json:"after"`
	More   bool            `json:"more,omitempty"`
	// Witness is a request of the class; its outcomes are the first.
	Witness Request `json:"witness"`
}

// Undecided is a region of which nothing is claimed.
type Undecided struct {
	Area   Area   `json:"area"`
	Reason string `json:"reason"`
}

// Area is a product of sets: hosts, paths, and conditions, without the conjunctions in Except.
type Area struct {
	Hosts      Terms         `json:"hosts"`
	Paths      Terms         `json:"paths"`
	Conditions []Condition   `json:"conditions,omitempty"`
	Except     [][]Condition `json:"except,omitempty"`
}

// Terms is a set of strings: in one of Include, in all of Within and in none of Exclude.
type Terms struct {
	Include []Term `json:"include"`
	Within  []Term `json:"within,omitempty"`
	Exclude []Term `json:"exclude,omitempty"`
}

// Term is a set of strings, by Kind: any, exact, prefix, segments (the value, or the value and "/"), suffix, regex. A prefix or
// suffix of a host stands for at least one byte more.
type Term struct {
	Kind  string `json:"kind"`
	Value Text   `json:"value,omitempty"`
}

// Condition is a predicate that holds, or with Not does not hold.
type Condition struct {
	Source         string `json:"source"`
	Name           Text   `json:"name,omitempty"`
	Test           string `json:"test"`
	Value          Text   `json:"value,omitempty"`
	IgnoreCase     bool   `json:"ignoreCase,omitempty"`
	Invert         bool   `json:"invert,omitempty"`
	MissingAsEmpty bool   `json:"missingAsEmpty,omitempty"`
	Not            bool   `json:"not,omitempty"`
}

// Request is a request as a client sends it, see table.Request.
type Request struct {
	Method  Text    `json:"method"`
	Scheme  Text    `json:"scheme"`
	Host    Text    `json:"host"`
	Path    Text    `json:"path"`
	Headers []Field `json:"headers,omitempty"`
	HTTP2   bool    `json:"http2,omitempty"`
	Holds   []Text  `json:"holds,omitempty"`
}

// Field is a header line.
type Field struct {
	Name  Text `json:"name"`
	Value Text `json:"value"`
}
