package diff

import (
	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
)

// Side is one of the two sides, in the words of the report.
type Side string

const (
	Before Side = "before"
	After  Side = "after"
)

// Traces lead from the findings of a report to the rules behind them. Who has the model of a rendering finds there the
// line of each rule, and the rung on which it wins.
type Traces struct {
	// Classes has an entry for each of Report.Classes, at the same index; Effectless likewise.
	Classes    []ClassTrace
	Effectless []EditTrace
}

// RuleAt is a rule by its place in the Envoy files of one side.
type RuleAt struct {
	Side Side
	// Gateway is files.Set.Name, Routes the name of the route configuration.
	Gateway, Routes string
	// Host is the index of the virtual host in it and Rule the index of the route in that; Rule is -1 for what is no
	// route of its own (an option of the virtual host).
	Host, Rule int
}

// ChainAt is a filter chain by the connections that lead to it on one side.
type ChainAt struct {
	Side Side
	// Gateway is files.Set.Name.
	Gateway string
	Port    uint32
	UDP     bool
	// ServerNames are those of the chain, none for any.
	ServerNames []string
}

// EditTrace is an edit by the rule on each side, nil where the rule is not. For a whole host that is added or removed it is
// the host's first rule. Both are nil for an edit of a listener or a backend.
type EditTrace struct {
	// Chain is the filter chain that an edit of a listener is about, else nil.
	Chain         *ChainAt
	Kind          class.EditKind
	Before, After *RuleAt
	// MatchChanged, OutcomeChanged and TreatmentChanged say what differs in a changed rule.
	MatchChanged, OutcomeChanged, TreatmentChanged bool
	// Coverers, of an edit without effect, are the rules that take all requests.
	Coverers []RuleAt
}

// ClassTrace holds the rules of a class; nil is none.
type ClassTrace struct {
	// Edits has an entry for each of Class.Causes.
	Edits []EditTrace
	// WinnerBefore took the witness, Winner takes it now, RunnerUp would if Winner were not there.
	WinnerBefore, Winner, RunnerUp *RuleAt
}

// chainAt is the chain of a pair on one side, nil where that has none.
func (p pair) chainAt(side Side) *ChainAt {
	t := p.after
	if side == Before {
		t = p.before
	}
	if t == nil {
		return nil
	}
	return &ChainAt{Side: side, Gateway: t.Gateway, Port: t.Port, UDP: t.UDP, ServerNames: t.ServerNames}
}

// ruleAt is the place of a rule of a table.
func ruleAt(side Side, t *table.Table, ref *class.RuleRef) *RuleAt {
	if ref == nil {
		return nil
	}
	return &RuleAt{Side: side, Gateway: t.Gateway, Routes: t.Routes, Host: ref.Host, Rule: t.Hosts[ref.Host].Rules[ref.Rule].Index}
}

// ruleOf is the rule itself.
func ruleOf(t *table.Table, ref *class.RuleRef) *table.Rule {
	if ref == nil {
		return nil
	}
	return &t.Hosts[ref.Host].Rules[ref.Rule]
}

// editTrace finds the rules of an edit.
func editTrace(p pair, e class.Edit) EditTrace {
	e = atHost(p, e)
	return EditTrace{
		Kind:             e.Kind,
		Before:           ruleAt(Before, p.before, e.Before),
		After:            ruleAt(After, p.after, e.After),
		MatchChanged:     e.MatchChanged,
		OutcomeChanged:   e.OutcomeChanged,
		TreatmentChanged: e.TreatmentChanged,
	}
}
