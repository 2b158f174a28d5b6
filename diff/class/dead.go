package class

import (
	"context"
	"fmt"
	"sync"

	"github.com/routedelta/routedelta/diff/table"
)

// Lemma 6 (rules that never win). Cut the paths by the tree of literals and, inside of a node, by the patterns that compete
// there. A rule is dead exactly when in no part some request meets its conditions and those of no rule ahead of it in the list of
// the part. A rule that is covered at a node by rules that match every path below it can be left out below.
//
// Proof. All paths of one part are matched by the same rules, so there only conditions decide which of them wins. The parts are
// all paths. What covers a rule at a node stands ahead of it in all parts below too, so it is covered there, and leaving it out
// takes nothing from the rules behind it: what it matches is matched ahead of it.
//
// So the walk goes from the root down, asks at each node only about rules that have not won yet, and drops those that are
// covered for good. One request that a rule wins is enough, and most rules win the plainest request of their own path: only
// where none of the plain ones is won the automata are built and every part is asked.

// DeadReason says why a rule never wins a request.
type DeadReason string

const (
	// DeadHost: no request has a host that leads to the virtual host.
	DeadHost DeadReason = "host"
	// DeadPath: no path that the rule matches reaches the router.
	DeadPath DeadReason = "path"
	// DeadConditions: no request meets all conditions of the rule, whatever stands ahead of it.
	DeadConditions DeadReason = "conditions"
	// DeadChance: the rule takes 0% of what it matches.
	DeadChance DeadReason = "chance"
	// DeadCovered: every request that the rule matches is won by a rule ahead of it.
	DeadCovered DeadReason = "covered"
)

// DeadRule is a rule that never wins.
type DeadRule struct {
	RuleRef
	Reason DeadReason
	// Coverers, of a rule that is covered, take together all that it matches; in their order, and nil where the search for
	// them was given up.
	Coverers []RuleRef
	// Example, of a rule that is covered, is a request that it matches and the first coverer wins. Nil as Coverers.
	Example *table.Request
}

// UnsureRule is a rule of which it is not known whether it wins a request.
type UnsureRule struct {
	RuleRef
	Reason string
}

// Liveness says of every rule of a table whether it wins a request.
type Liveness struct {
	// Undecided is why nothing is known of the table as a whole, or "".
	Undecided string
	Dead      []DeadRule
	Unsure    []UnsureRule

	hosts []*hostLiveness
	space *hostSpace
	table *table.Table
}

// Witness is a request that a rule wins; false for a rule that is dead or not decided.
func (l *Liveness) Witness(ref RuleRef) (table.Request, bool) {
	if l.Undecided != "" {
		return table.Request{}, false
	}
	w := l.hosts[ref.Host].wins[ref.Rule]
	if w == nil {
		return table.Request{}, false
	}
	return l.request(ref.Host, w), true
}

// Alive tells whether a rule wins a request.
func (l *Liveness) Alive(ref RuleRef) bool {
	return l.Undecided == "" && l.hosts[ref.Host].wins[ref.Rule] != nil
}

// request writes what was found as a client sends it to a virtual host.
func (l *Liveness) request(host int, w *win) table.Request {
	c := &comparison{tables: [2]*table.Table{l.table, l.table}, space: l.space}
	cell := &pathCell{witness: w.path, decision: &decision{system: w.system}}
	return c.request(&hostPair{cells: []int{l.hosts[host].cell}}, cell, w.solution)
}

// hostLiveness is what is known of one virtual host, its rules by their index.
type hostLiveness struct {
	// cell of hosts that leads to it, -1 for none.
	cell   int
	wins   []*win
	dead   []deadRule
	unsure []UnsureRule // without the host
}

// deadRule is a DeadRule without its virtual host. Two equal virtual hosts have the same.
type deadRule struct {
	rule     int
	reason   DeadReason
	coverers []int
	example  *win
}

// hangsOnRequest tells that the rule would win if Envoy saw other requests than clients send.
func (d deadRule) hangsOnRequest(rule *table.Rule) bool {
	return d.reason != DeadCovered && (d.reason != DeadChance || len(rule.Never) > 0)
}

// win is a request without its host: one that a rule wins, or of a dead rule one that it matches.
type win struct {
	path     string
	system   *system
	solution solution
}

// LivenessCache keeps what is known of virtual hosts, by their digests, for a caller that asks about one table again and
// again. It may be used by several goroutines. The zero value is ready; Forget empties it.
type LivenessCache struct {
	lock  sync.Mutex
	known map[string]*hostLiveness
	// splitFrom, if not 0, is for tests of small tables.
	splitFrom int
}

// Forget drops everything.
func (lc *LivenessCache) Forget() {
	lc.lock.Lock()
	defer lc.lock.Unlock()
	lc.known = nil
}

// Dead finds the rules that never win a request. It fails only when ctx ends.
func Dead(ctx context.Context, t *table.Table, limits Limits) (*Liveness, error) {
	return new(LivenessCache).Dead(ctx, t, limits)
}

// Dead is the function Dead, for which virtual hosts that are in the cache cost nothing.
func (lc *LivenessCache) Dead(ctx context.Context, t *table.Table, limits Limits) (*Liveness, error) {
	s := newSurvey(ctx, t, limits)
	l := &Liveness{table: t, space: s.space, Undecided: s.undecided}
	if s.undecided != "" {
		return l, ctx.Err()
	}
	l.hosts = make([]*hostLiveness, len(t.Hosts))
	err := s.each(func(w *worker, host, cell int) error {
		known, err := lc.host(w, host, cell)
		if err != nil {
			return fmt.Errorf("looking for rules that never win: %w", err)
		}
		l.hosts[host] = known
		return nil
	})
	if err != nil {
		return nil, err
	}
	for h := range l.hosts {
		l.collect(h)
	}
	return l, nil
}

// host looks a virtual host up, or finds out about it.
func (lc *LivenessCache) host(c *worker, host, cell int) (*hostLiveness, error) {
	t := c.tables[afterSide]
	if cell < 0 {
		return unreachable(len(t.Hosts[host].Rules)), nil
	}
	key := fmt.Sprintf("%+v%+v%s", t.Options, c.limits, t.Hosts[host].Digest())
	lc.lock.Lock()
	known := lc.known[key]
	lc.lock.Unlock()
	if known == nil {
		walk := newHostWalk(c, host)
		if lc.splitFrom > 0 {
			walk.splitFrom = lc.splitFrom
		}
		var err error
		if known, err = walk.run(); err != nil {
			return nil, err
		}
		lc.lock.Lock()
		if lc.known == nil {
			lc.known = map[string]*hostLiveness{}
		}
		lc.known[key] = known
		lc.lock.Unlock()
	}
	here := *known
	here.cell = cell
	return &here, nil
}

// unreachable is a virtual host that no request comes to.
func unreachable(rules int) *hostLiveness {
	out := &hostLiveness{cell: -1, wins: make([]*win, rules)}
	for i := range rules {
		out.dead = append(out.dead, deadRule{rule: i, reason: DeadHost})
	}
	return out
}

// collect adds the rules of a virtual host to the result. Where filters may rewrite a request behind the connection manager,
// what no client can send may still come to the routes.
func (l *Liveness) collect(host int) {
	h := l.hosts[host]
	for _, d := range h.dead {
		ref := RuleRef{host, d.rule}
		if d.hangsOnRequest(&l.table.Hosts[host].Rules[d.rule]) && len(l.table.Options.Rerouters) > 0 {
			l.Unsure = append(l.Unsure, UnsureRule{ref, fmt.Sprintf("no client sends such a request, but the filter %s may make one", l.table.Options.Rerouters[0])})
			continue
		}
		rule := DeadRule{RuleRef: ref, Reason: d.reason}
		for _, by := range d.coverers {
			rule.Coverers = append(rule.Coverers, RuleRef{host, by})
		}
		if d.example != nil {
			example := l.request(host, d.example)
			rule.Example = &example
		}
		l.Dead = append(l.Dead, rule)
	}
	for _, u := range h.unsure {
		l.Unsure = append(l.Unsure, UnsureRule{RuleRef{host, u.Rule}, u.Reason})
	}
}
