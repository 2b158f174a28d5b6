// Package class finds the requests that two Envoy tables answer differently.
//
// In come two tables of one place; out go classes of requests: every request whose outcome changes is in exactly one class
// of a facet, no other request is in any, and what could not be decided is named as a region of its own. The package knows
// Envoy's matching through diff/table and no Gateway API. Its lemmas are stated and proved where
// they are used; docs/developing.md lists them.
package class

import (
	"github.com/routedelta/routedelta/diff/table"
)

// RuleRef is a rule by its place: Table.Hosts[Host].Rules[Rule].
type RuleRef struct{ Host, Rule int }

// EditKind is what happened to a rule between the two tables.
type EditKind string

const (
	Added   EditKind = "added"
	Removed EditKind = "removed"
	Changed EditKind = "changed" // the same rule with another match or outcome
	Moved   EditKind = "moved"   // an equal rule at another place of the order
	// HostAdded and HostRemoved: a virtual host (domain) that one side does not have at all.
	HostAdded   EditKind = "host added"
	HostRemoved EditKind = "host removed"
	// OptionsChanged: options of the listener that decide what reaches the router, or as what.
	OptionsChanged EditKind = "options changed"
)

// Edit is a difference between the two rule lists, whether or not a request feels it.
type Edit struct {
	Kind EditKind
	// Before and After are the rule on each side, nil where it is not.
	Before, After *RuleRef
	// Domain of a host edit.
	Domain string
	// Options are the names of the options that changed.
	Options string
	// MatchChanged, OutcomeChanged, TreatmentChanged say what differs when Kind is Changed.
	MatchChanged, OutcomeChanged, TreatmentChanged bool

	// group is the index of the first edit that is the same edit in another virtual host, or this one's own.
	group int
}

// Facet is the side of the outcome that changes.
type Facet string

const (
	// FacetBackend: another backend, share, redirect or answer.
	FacetBackend Facet = "backend"
	// FacetTreatment: the same backends, handled otherwise.
	FacetTreatment Facet = "treatment"
)

// TermKind is the kind of a Term.
type TermKind string

const (
	TermAny      TermKind = "any"
	TermExact    TermKind = "exact"
	TermPrefix   TermKind = "prefix"   // bytes at the start; a host "*.example.com" is TermSuffix
	TermSegments TermKind = "segments" // the value, or the value followed by "/"
	TermSuffix   TermKind = "suffix"
	TermRegex    TermKind = "regex"
)

// Term is a set of strings in the words of the manifests.
type Term struct {
	Kind  TermKind `json:"kind"`
	Value string   `json:"value,omitempty"`
}

// Terms is a set of strings: in one of Include, in all of Within and in none of Exclude.
type Terms struct {
	Include []Term `json:"include"`
	// Within is there for what one include cannot say: the paths below /api that also match a regular expression.
	Within  []Term `json:"within,omitempty"`
	Exclude []Term `json:"exclude,omitempty"`
}

// Single tells whether the set holds one string only.
func (t Terms) Single(value string) bool {
	return len(t.Include) == 1 && t.Include[0] == Term{Kind: TermExact, Value: value}
}

// Condition is a predicate that holds (or, with Not, does not) for the requests of an area.
type Condition struct {
	table.Predicate
	Not bool
	// OnlyRepeated: the others say it already of every request that sends no header twice ("x-env: a" says that it is not b).
	// Every condition of a conjunction in Area.Except has it where no such request meets the conjunction.
	OnlyRepeated bool
}

// Area is a product of sets: hosts, paths, and conditions, without the conjunctions in Except.
type Area struct {
	Hosts      Terms
	Paths      Terms
	Conditions []Condition
	Except     [][]Condition
}

// Class is a set of requests that changes in one way.
type Class struct {
	Facet Facet
	// Edit is the edit whose rule wins the requests of the class, after it or before it: an index into Result.Edits. Where one
	// edit of a manifest is several here, because its route has several hosts, it is the first.
	Edit int
	// Edits are the causes: the smallest set of edits that alone gives the witness its outcome after, Edit first if it is one
	// of them. No part of the set does (lemma 5).
	Edits []int
	// Areas cover the class exactly; they do not overlap.
	Areas []Area
	// Before and After are the outcomes, the witness's first. They have more than one entry only where a class gathers many
	// outcomes of one side that one edit replaces.
	Before, After []table.Outcome
	// MoreOutcomes: there may be more outcomes than Before and After tell, on the side that the edit does not replace.
	MoreOutcomes bool
	// WinnerBefore and WinnerAfter are the rules that take the witness, nil for no route.
	WinnerBefore, WinnerAfter *RuleRef
	// RunnerUp is the rule that would take the witness after the edit if WinnerAfter were not there, nil for none.
	RunnerUp *RuleRef
	Witness  table.Request
	// OnlyRepeated: every request of the class sends one header at least twice.
	OnlyRepeated bool

	contains func(table.Request) bool
}

// Contains tells whether a request is in the class. It is exact, and costs one walk over the class's areas.
func (c *Class) Contains(r table.Request) bool { return c.contains(r) }

// Undecided is a region that the budgets or the model did not allow to decide. Requests outside it are decided.
type Undecided struct {
	// Area is the region, or a wider one where the region has too many conditions to write, or where options differ that change what reaches the router, an area over the request as it is sent
	// around the region: Contains leaves out what is in a class, or what the two sides see alike. A condition on a header named *_*
	// stands for any header with an underscore in its name.
	Area   Area
	Reason string
	// Samples are requests of the region, evaluated on both sides where the evaluator can.
	Samples []table.Request

	contains func(table.Request) bool
}

// Contains tells whether a request is in the region.
func (u *Undecided) Contains(r table.Request) bool { return u.contains(r) }

// Effectless is an edit that changes no request.
type Effectless struct {
	// Edit is an index into Result.Edits, of the first where several are one edit of a manifest.
	Edit int
	// Coverers are the rules after the edit (before it, for a removed rule) that take every request the edited rule matches;
	// empty when the rule wins requests and gives them the outcome that they had.
	Coverers []RuleRef
}

// Result is the whole difference of two tables.
type Result struct {
	Edits      []Edit
	Classes    []Class
	Undecided  []Undecided
	Effectless []Effectless
}

// Limits bound the work; a step that would pass one ends as Undecided. The zero value means DefaultLimits.
type Limits struct {
	// States of one automaton, and of one product, counted once for every automaton in it.
	States, Product int
	// BoxSteps of one emptiness question over the conditions, counted in conditions looked at.
	BoxSteps int
	// Steps of all such questions together.
	Steps int
	// Classes in all.
	Classes int
	// Written is what is written of classes: terms of hosts and paths, and conditions, each of which counts for several.
	Written int
}
