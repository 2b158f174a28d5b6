// Package report is the pivot of the product: what a comparison found, as data.
//
// In comes what diff.Compare and plugin/review found; out goes one value that every format prints and whose JSON is the
// wire form. Everything that is printed anywhere comes from it; everything in it is printed somewhere. JSON written by one
// version is read by the next.
package report

import (
	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// Version is the version of the wire form.
const Version = "routedelta.dev/report/v1alpha1"

// Report is everything that is known of the difference of two sides.
type Report struct {
	Version string `json:"version"`
	// Tool is the version of routedelta.
	Tool   string `json:"tool"`
	Before Side   `json:"before"`
	After  Side   `json:"after"`
	// Targets are the clusters or environments that were compared, where the configuration names several.
	Targets []Target `json:"targets,omitempty"`
	// Sources are the parts of both trees that were read, and those that were not, with the reason.
	Sources []Source `json:"sources,omitempty"`
	// Gateways are what was compared.
	Gateways []Gateway `json:"gateways"`
	// Classes stand worst first, then largest, then by host and path.
	Classes []Class `json:"classes"`
	// Effectless are edits that change no request.
	Effectless []Effectless `json:"effectless,omitempty"`
	// Refactored counts edits without effect that need no word each: moves, renames, splits.
	Refactored int         `json:"refactored,omitempty"`
	Undecided  []Undecided `json:"undecided,omitempty"`
	// Uncompared are differences of the inputs that are not in the files that were compared.
	Uncompared []Uncompared `json:"uncompared,omitempty"`
	// Caveats are what the answer takes for granted about the Envoys, or leaves out.
	Caveats []Caveat `json:"caveats,omitempty"`
	// Diagnostics are those of both sides, sorted into what the change brings and what it mends.
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
	// Policy is what the rules of the configuration say of the change; absent where there are none.
	Policy *Policy `json:"policy,omitempty"`
	Counts Counts  `json:"counts"`
}

// Target is one cluster or environment that was compared by itself.
type Target struct {
	Name string `json:"name"`
	Path string `json:"path,omitempty"`
	// Order is the dialect of competing rules.
	Order string `json:"order,omitempty"`
	// State: "unchanged" is not compared, since all that it reads is the same on both sides; "undecided" could not be compared.
	State TargetState `json:"state"`
}

// TargetState says whether a target was compared.
type TargetState string

const (
	TargetCompared  TargetState = "compared"
	TargetUnchanged TargetState = "unchanged"
	TargetUndecided TargetState = "undecided"
)

// Source is one part of a tree: a kustomization, a chart, a directory of manifests.
type Source struct {
	Target string `json:"target,omitempty"`
	// Path from the root of the tree.
	Path string `json:"path"`
	// Form is what it is.
	Form string `json:"form" enum:"manifests kustomization flux argocd helm command"`
	// Side is the commit it is in; "" is both, in the same way.
	Side string `json:"side,omitempty" enum:"before after"`
	// Unread is why it was not read; "" means that it was.
	Unread string `json:"unread,omitempty"`
}

// Policy is the verdict of the rules that a review can fail on.
type Policy struct {
	// Rules that were asked for, by their names in the configuration.
	Rules []string `json:"rules"`
	// Violations stand in the order of the classes that they are about.
	Violations []Violation `json:"violations,omitempty"`
	// Notes are about the policy itself: a waiver that expired, one that waives nothing, a head commit that changes the policy.
	Notes []string `json:"notes,omitempty"`
}

// Violation is one thing that a rule forbids.
type Violation struct {
	Rule string `json:"rule"`
	// Class is the ID of the class, "" where the violation is not about one.
	Class   string `json:"class,omitempty"`
	Message string `json:"message"`
	// Waived says who has allowed it, and until when; nil if nobody has.
	Waived *Waived `json:"waived,omitempty"`
}

// Waived is a waiver in force.
type Waived struct {
	By     string `json:"by"`
	Reason string `json:"reason"`
	Until  string `json:"until"`
}

// Side is one of the two inputs.
type Side struct {
	// Source is what the caller named: a directory, "git:main:apps", "-".
	Source string `json:"source"`
	// Revision is the commit, Label what people call it ("main@41c0a9e"); both "" outside git.
	Revision string `json:"revision,omitempty"`
	Label    string `json:"label,omitempty"`
	// Digest is over the Envoy files of the side.
	Digest string `json:"digest"`
	// Order is the dialect of competing rules; "" when the side was a rendering already.
	Order string `json:"order,omitempty"`
	// BlobURL, where the repository is known, is a prefix for links: <BlobURL>/<file>#L<line>.
	BlobURL string `json:"blobURL,omitempty"`
}

// Gateway is one compared Envoy.
type Gateway struct {
	Name string `json:"name"` // namespace/name
	// Target that it belongs to, where there are several.
	Target string `json:"target,omitempty"`
	// Rules and Hosts are of the later side (of the earlier one if the Gateway is gone).
	Rules   int    `json:"rules"`
	Hosts   int    `json:"hosts"`
	Decided bool   `json:"decided"`
	Change  string `json:"change,omitempty" enum:"added removed"`
}

// Severity ranks classes.
type Severity string

const (
	Lost    Severity = "lost"    // had a backend (or redirect), now an error answer or no route
	Moves   Severity = "moves"   // another backend, share, redirect or answer
	Gained  Severity = "gained"  // had no backend, now one
	Treated Severity = "treated" // the same backends, handled otherwise
	// Reachable: the same outcome, but the place where it is served changed: listeners, ports, certificates, endpoints.
	Served Severity = "served"
)

// Class is a set of requests that changes in one way.
type Class struct {
	// ID is stable over runs: a digest of gateway, areas and outcomes.
	ID string `json:"id"`
	// Gateways that serve these requests in the same way on both sides, sorted.
	Gateways []string `json:"gateways"`
	// Targets in which this class is the same, where there are several.
	Targets  []string `json:"targets,omitempty"`
	Listener string   `json:"listener,omitempty"` // "port 443", where the gateway has several
	Severity Severity `json:"severity"`
	Areas    []Area   `json:"areas"`
	// Before and After: the first is the witness's; more only where one edit replaces many outcomes.
	Before []table.Outcome `json:"before"`
	After  []table.Outcome `json:"after"`
	// MoreOutcomes: there may be more than Before and After tell, on the side that the edit does not replace.
	MoreOutcomes bool `json:"moreOutcomes,omitempty"`
	// Flows say which share of the requests goes from where to where, when only a part of them moves.
	Flows        []Flow    `json:"flows,omitempty"`
	Witnesses    []Witness `json:"witnesses"`
	Causes       []Cause   `json:"causes"`
	Why          *Why      `json:"why,omitempty"`
	OnlyRepeated bool      `json:"onlyRepeated,omitempty"`
	// Misdirected: every request of the class comes over a connection that was opened for the name of another host.
	Misdirected bool `json:"misdirected,omitempty"`
	// Traffic is what the class is about where nothing is read of it, so that there are no requests.
	Traffic string `json:"traffic,omitempty" enum:"connections datagrams"`
	// Note is for what areas cannot say: a listener that is gone, a certificate that changed.
	Note string `json:"note,omitempty"`
	// Alike are the same edits at other places, which do in other targets what Causes do in the first.
	Alike []Cause `json:"alike,omitempty"`
}

// Area is class.Area on the wire.
type Area struct {
	Hosts      class.Terms   `json:"hosts"`
	Paths      class.Terms   `json:"paths"`
	Conditions []Condition   `json:"conditions,omitempty"`
	Except     [][]Condition `json:"except,omitempty"`
}

// Condition is a predicate in words that stay: where, name, test, value. A range has the first number and that behind the last
// one as its value: "10 20". A free condition is one on something that no client sends; its name says on what.
type Condition struct {
	Source         string `json:"source" enum:"header query method cookie free"`
	Name           string `json:"name,omitempty"`
	Test           string `json:"test" enum:"present exact prefix suffix contains regex range"`
	Value          string `json:"value,omitempty"`
	IgnoreCase     bool   `json:"ignoreCase,omitempty"`
	Invert         bool   `json:"invert,omitempty"`
	MissingAsEmpty bool   `json:"missingAsEmpty,omitempty"`
	Not            bool   `json:"not,omitempty"`
	// OnlyRepeated: it follows from the others for every request that sends no header twice, and is not printed.
	OnlyRepeated bool `json:"onlyRepeated,omitempty"`
}

// Flow is a part of a class's requests that moves. Its ends are single destinations: one backend, one redirect, one answer.
type Flow struct {
	From table.Outcome `json:"from"`
	To   table.Outcome `json:"to"`
	// Share is Part of Whole.
	Part  uint64 `json:"part"`
	Whole uint64 `json:"whole"`
}

// ClientFile is where a command finds the certificate of a client and its key, for listeners that let in nobody else. Whoever runs it
// has it there, or names another file.
const ClientFile = "client.pem"

// Witness is a request of the class with its outcome on both sides.
type Witness struct {
	Method  string        `json:"method"`
	Scheme  string        `json:"scheme"`
	Host    string        `json:"host"`
	Port    uint32        `json:"port,omitempty"` // of the listener
	Path    string        `json:"path"`
	Headers []table.Field `json:"headers,omitempty"`
	// HTTP2: the request cannot be sent over HTTP/1.1.
	HTTP2 bool `json:"http2,omitempty"`
	// Holds are the free conditions that the request takes for granted; no client can bring them about.
	Holds []string `json:"holds,omitempty"`
	// Curl is the command line that sends it, ready for a shell.
	Curl   string        `json:"curl"`
	Before table.Outcome `json:"before"`
	After  table.Outcome `json:"after"`
}

// Cause is the manifest edit behind a class.
type Cause struct {
	// Edit: added, removed, changed, moved, host added, host removed, listener added...
	Edit      string `json:"edit"`
	Kind      string `json:"kind,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	RuleName  string `json:"ruleName,omitempty"`
	// Rule and Match count from 1; 0 is unknown.
	Rule  int `json:"rule,omitempty"`
	Match int `json:"match,omitempty"`
	// VirtualHost has the rule, where the files name no manifest: RuleName and Rule are then those of an Envoy route.
	VirtualHost string `json:"virtualHost,omitempty"`
	// Position is in the later commit, for what was removed in the earlier one.
	Position diagnostic.Position `json:"position,omitzero"`
	// Side is the commit that Position is in.
	Side string `json:"side,omitempty" enum:"before after"`
	// Detail is the edit in three words: "weights 90/10 → 80/20".
	Detail string `json:"detail,omitempty"`
}

// Why says which rule wins now and on which rung of the ladder.
type Why struct {
	Winner   RuleLabel `json:"winner"`
	RunnerUp RuleLabel `json:"runnerUp,omitzero"`
	// Rung is the name of the rung, Detail how it was decided: "number of headers", "1 > 0".
	Rung   string `json:"rung,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// RuleLabel names a rule for people.
type RuleLabel struct {
	Kind      string              `json:"kind,omitempty"`
	Namespace string              `json:"namespace,omitempty"`
	Name      string              `json:"name,omitempty"`
	RuleName  string              `json:"ruleName,omitempty"`
	Rule      int                 `json:"rule,omitempty"` // from 1
	Match     string              `json:"match,omitempty"`
	Position  diagnostic.Position `json:"position,omitzero"`
}

// Effectless is an edit that a reviewer may believe does something.
type Effectless struct {
	Cause
	Gateway string `json:"gateway,omitempty"`
	// Targets in which it is so, where there are several; the same in other findings.
	Targets []string `json:"targets,omitempty"`
	// Reason: "covered", "same outcome", "refused", "not attached".
	Reason string `json:"reason"`
	// Match is the edited rule's match in words.
	Match    string      `json:"match,omitempty"`
	Coverers []RuleLabel `json:"coverers,omitempty"`
	// Message is for reasons that coverers do not tell.
	Message string `json:"message,omitempty"`
}

// Undecided is a region about which nothing is claimed.
type Undecided struct {
	Gateway string `json:"gateway"`
	// Targets that the region is of. Without a Gateway it is all of them.
	Targets []string  `json:"targets,omitempty"`
	Area    Area      `json:"area"`
	Reason  string    `json:"reason"`
	Samples []Witness `json:"samples,omitempty"`
}

// Uncompared is an object of the inputs that differs and is not rendered: it may change requests, and nothing is claimed about it.
type Uncompared struct {
	diagnostic.Object
	// Edit is "added", "removed", "changed", "listener added", "listener removed", "listener changed", or "read for the first time".
	Edit     string              `json:"edit"`
	Position diagnostic.Position `json:"position,omitzero"`
	// Side is the commit that Position is in.
	Side string `json:"side,omitempty" enum:"before after"`
	// Reason is why it is not compared, in a few words.
	Reason  string   `json:"reason"`
	Targets []string `json:"targets,omitempty"`
}

// Caveat is one thing that the answer takes for granted about an Envoy, or leaves out. It is no change, and opens none.
type Caveat struct {
	Gateway string      `json:"gateway"`
	About   CaveatAbout `json:"about"`
	// Names of the filters, backends or keys, sorted.
	Names   []string `json:"names"`
	Targets []string `json:"targets,omitempty"`
}

// CaveatAbout is the kind of a caveat.
type CaveatAbout string

const (
	// Rerouters: the named filters may rewrite a request before its route is chosen. The classes are about what they leave.
	Rerouters CaveatAbout = "rerouters"
	// Endpoints of the named backends are in the files of one side only, and are not compared.
	Endpoints CaveatAbout = "endpoints"
	// RuntimeKeys: with these keys an operator can set other shares while Envoy runs. Compared are those of the files.
	RuntimeKeys CaveatAbout = "runtime keys"
)

// Diagnostic is one finding of a side.
type Diagnostic struct {
	diagnostic.Diagnostic
	// State is introduced (only after), fixed (only before) or unchanged.
	State   string   `json:"state" enum:"introduced fixed unchanged"`
	Targets []string `json:"targets,omitempty"`
}

// Counts are the numbers of the heading.
type Counts struct {
	Lost    int `json:"lost"`
	Moves   int `json:"moves"`
	Gained  int `json:"gained"`
	Treated int `json:"treated"`
	Served  int `json:"served"`
	// OnlyRepeated are classes of requests that send a header twice, which few clients ever do: they are in no number above.
	OnlyRepeated int `json:"onlyRepeated"`
	// Misdirected are classes of requests over connections for another host, which clients then send again: they are in no other number.
	Misdirected int `json:"misdirected,omitempty"`
	Effectless  int `json:"effectless"`
	Undecided   int `json:"undecided"`
	// Targets are those of the undecided regions that are a whole target.
	Targets    int `json:"targets,omitempty"`
	Uncompared int `json:"uncompared"`
}
