// Package check finds what is wrong with one set of tables, without a comparison.
//
// In come the tables of one side; out go findings in Envoy's terms: rules that never win, rules that no request meets,
// rules that cross, prefixes that end inside of a path segment. Each names the rules by their places, so that a caller that knows
// the manifests finds lines and rungs of the ladder. Nothing here knows the Gateway API.
package check

import (
	"context"
	"slices"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
)

// Kind is the kind of a finding.
type Kind string

const (
	// Covered: every request that the rule matches is won by Others, which stand ahead of it.
	Covered Kind = "covered"
	// Identical: a rule with the same match stands ahead of it; Others holds that one.
	Identical Kind = "identical"
	// Unreachable: no request that reaches the router meets the rule. Detail says what of it.
	Unreachable Kind = "unreachable"
	// Crossing: the rule and Others[0], ahead of it, overlap, neither contains the other, and their backends differ.
	Crossing Kind = "crossing"
	// StringPrefix: the path ends inside of a segment, so that "/foo" takes "/foobar" too. Detail is that prefix.
	StringPrefix Kind = "string prefix"
	// Undecided: it is not known whether the rule wins a request. Detail says why. Without a rule it is the whole table.
	Undecided Kind = "undecided"
	// NoRules: a table has no rules to look at. Detail says why; More counts others.
	NoRules Kind = "no rules"
)

// Place is a rule in its table: Table.Hosts[Host].Rules[Rule]. Rule is -1 for a table as a whole.
type Place struct {
	Table      *table.Table
	Host, Rule int
}

// Get returns the rule, nil for a table.
func (p Place) Get() *table.Rule {
	if p.Rule < 0 {
		return nil
	}
	return &p.Table.Hosts[p.Host].Rules[p.Rule]
}

// Domains are those of the virtual host.
func (p Place) Domains() []string {
	if p.Rule < 0 {
		return nil
	}
	return p.Table.Hosts[p.Host].Domains
}

// Finding is one thing to say.
type Finding struct {
	Kind Kind
	// Places of the rule, in all virtual hosts and tables where the same is found of it. The first is the one that Others and
	// Request speak of.
	Places []Place
	Others []Place
	Detail string
	// SameOutcome: the rules that win instead do the same with a request.
	SameOutcome bool
	// Elsewhere: the rule never wins here, but the same rule wins requests in another virtual host.
	Elsewhere bool
	// Request, where there is one, is matched by the rule and won by another.
	Request *table.Request
	// More counts pairs like this one that are not listed.
	More int
}

// Tables looks through the tables of one side. It fails only when ctx ends.
func Tables(ctx context.Context, tables []*table.Table) ([]Finding, error) {
	g := &gathering{index: map[identity]int{}, alive: map[ruleIdentity]bool{}, numbers: map[*table.Table][][]ruleIdentity{}}
	for _, t := range tables {
		if err := g.table(ctx, t); err != nil {
			return nil, err
		}
	}
	for i := range g.findings {
		f := &g.findings[i]
		f.Elsewhere = (f.Kind == Covered || f.Kind == Identical) && g.alive[g.identityOf(f.Places[0])]
	}
	return g.findings, nil
}

// gathering collects findings. A rule that stands in many virtual hosts is one rule to whoever wrote it.
type gathering struct {
	findings []Finding
	index    map[identity]int
	alive    map[ruleIdentity]bool
	numbers  map[*table.Table][][]ruleIdentity
}

// ruleIdentity is the same for rules that were written once.
type ruleIdentity struct {
	origin table.Origin
	key    string
	// nth counts equal rules of one virtual host.
	nth int
}

type identity struct {
	kind Kind
	rule ruleIdentity
	// other is the key of the first of the others.
	other, detail string
	gateway       string
}

// identityOf counts the equal rules of a table once.
func (g *gathering) identityOf(p Place) ruleIdentity {
	numbers, known := g.numbers[p.Table]
	if !known {
		for h := range p.Table.Hosts {
			numbers = append(numbers, numbered(p.Table.Hosts[h].Rules))
		}
		g.numbers[p.Table] = numbers
	}
	return numbers[p.Host][p.Rule]
}

func numbered(rules []table.Rule) []ruleIdentity {
	seen := map[ruleIdentity]int{}
	out := make([]ruleIdentity, len(rules))
	for i := range rules {
		id := ruleIdentity{origin: rules[i].Origin, key: rules[i].Key()}
		out[i] = id
		out[i].nth = seen[id]
		seen[id]++
	}
	return out
}

func (g *gathering) add(f Finding) {
	at := f.Places[0]
	id := identity{kind: f.Kind, detail: f.Detail, gateway: at.Table.Gateway}
	if at.Rule >= 0 {
		id.rule = g.identityOf(at)
	}
	if len(f.Others) > 0 {
		id.other = f.Others[0].Get().Key()
	}
	if f.Kind == StringPrefix && at.Get().Origin == (table.Origin{}) {
		// Envoy's own configuration is written in such prefixes: one finding for a virtual host is enough.
		id.rule, id.detail = ruleIdentity{}, at.Table.Routes+"\x00"+at.Table.Hosts[at.Host].Name
		if i, known := g.index[id]; known {
			g.findings[i].More++
			return
		}
	}
	if i, known := g.index[id]; known {
		g.findings[i].Places = append(g.findings[i].Places, at)
		return
	}
	g.index[id] = len(g.findings)
	g.findings = append(g.findings, f)
}

func (g *gathering) table(ctx context.Context, t *table.Table) error {
	live, err := class.Dead(ctx, t, class.Limits{})
	if err != nil {
		return err
	}
	if live.Undecided != "" {
		g.undecided(t, live.Undecided)
		return nil
	}
	dead := map[class.RuleRef]bool{}
	for _, d := range live.Dead {
		dead[d.RuleRef] = true
		g.add(deadFinding(t, d))
	}
	for _, u := range live.Unsure {
		g.add(Finding{Kind: Undecided, Places: []Place{{t, u.Host, u.Rule}}, Detail: u.Reason})
	}
	for h := range t.Hosts {
		for i := range t.Hosts[h].Rules {
			if at := (Place{t, h, i}); !dead[class.RuleRef{Host: h, Rule: i}] {
				g.living(at, live.Alive(class.RuleRef{Host: h, Rule: i}))
			}
		}
	}
	return g.crossings(ctx, t, live)
}

// undecided notes a table of which nothing is known. Those without rules (a chain that is not HTTP, routes that are in no file) are
// one finding for a Gateway: there is nothing in them to look at.
func (g *gathering) undecided(t *table.Table, reason string) {
	f := Finding{Kind: Undecided, Places: []Place{{t, 0, -1}}, Detail: reason}
	if len(t.Hosts) > 0 {
		g.add(f)
		return
	}
	f.Kind = NoRules
	id := identity{kind: NoRules, gateway: t.Gateway}
	if i, known := g.index[id]; known {
		g.findings[i].More++
		return
	}
	g.index[id] = len(g.findings)
	g.findings = append(g.findings, f)
}

// living notes a rule that may win, and its prefix.
func (g *gathering) living(at Place, alive bool) {
	if alive {
		g.alive[g.identityOf(at)] = true
	}
	if prefix, inside := stringPrefix(at.Get().Path); inside {
		g.add(Finding{Kind: StringPrefix, Places: []Place{at}, Detail: prefix})
	}
}

// stringPrefix is a prefix that ends inside of a path segment, also one that is written as a regular expression.
func stringPrefix(p table.Path) (prefix string, inside bool) {
	switch p.Kind {
	case table.PathPrefix:
		prefix, inside = p.Value, true
	case table.PathRegex:
		prefix, inside = class.PrefixPattern(p.Value)
	}
	return prefix, inside && prefix != "" && prefix[len(prefix)-1] != '/'
}

func deadFinding(t *table.Table, d class.DeadRule) Finding {
	f := Finding{Kind: Covered, Places: []Place{{t, d.Host, d.Rule}}, Request: d.Example}
	rule := f.Places[0].Get()
	if d.Reason != class.DeadCovered {
		f.Kind, f.Detail = Unreachable, string(d.Reason)
		return f
	}
	f.SameOutcome = len(d.Coverers) > 0
	for _, by := range d.Coverers {
		other := Place{t, by.Host, by.Rule}
		f.Others = append(f.Others, other)
		f.SameOutcome = f.SameOutcome && other.Get().OutcomeKey() == rule.OutcomeKey()
	}
	if len(f.Others) == 1 && f.Others[0].Get().MatchKey() == rule.MatchKey() {
		f.Kind = Identical
	}
	return f
}

func (g *gathering) crossings(ctx context.Context, t *table.Table, live *class.Liveness) error {
	found, complete, err := live.Crossings(ctx, class.Limits{})
	if err != nil {
		return err
	}
	for _, c := range found {
		if len(c.Witness.Holds) > 1 {
			continue // whether two conditions that no client decides ever hold at once is not known: "foo is bar" and "foo is baz" do not
		}
		g.add(Finding{
			Kind:    Crossing,
			Places:  []Place{{t, c.Second.Host, c.Second.Rule}},
			Others:  []Place{{t, c.First.Host, c.First.Rule}},
			Request: &c.Witness,
			More:    c.More,
		})
	}
	if !complete {
		g.add(Finding{Kind: Undecided, Places: []Place{{t, 0, -1}}, Detail: "not all pairs of rules were looked at for crossings"})
	}
	return nil
}

// Hosts are the domains of all places, each once.
func (f *Finding) Hosts() []string {
	var out []string
	for _, p := range f.Places {
		for _, d := range p.Domains() {
			if !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
	}
	return out
}
