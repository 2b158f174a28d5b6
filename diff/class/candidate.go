package class

import "github.com/routedelta/routedelta/diff/table"

// side is one of the two tables.
type side int

const (
	beforeSide side = iota
	afterSide
)

func (s side) other() side { return 1 - s }

// candidate is a rule of one side's list where a pair of virtual hosts is compared.
type candidate struct {
	rule *table.Rule
	ref  RuleRef
	side side
	// position in the list; key stands for table.KeyBetween the lists.
	position int
	key      uint32
	// edit is an index into Result.Edits, -1 for a rule of the common subsequence.
	edit int
	// twin, on the later side, is the same rule of the common subsequence on the earlier one.
	twin *candidate
	form pathForm
	// node is where its literal is in the pathTree.
	node int
	// pattern is an index into pathTree.patterns, -1 when the literal is all.
	pattern int
	// doubt is why nothing is known of requests that the rule may match, or "".
	doubt string
	// rest stands for all rules behind (lemma 2) or, without a rule at all, for "no route".
	rest bool
	// chain are the rules that take a request together, those with a chance ahead of the last; nil for a rule alone.
	chain []*candidate
	// joined are the predicates of all rules of a chain.
	joined []table.Predicate
	// outcome and choice number the outcome, and what of it chooses the backend. They are known where resolved.
	outcome, choice int
	resolved        bool
}

// catchAll tells whether the rule takes every request of its paths.
func (c *candidate) catchAll() bool {
	return c.doubt == "" && len(c.predicates()) == 0 && !c.hasChance()
}

func (c *candidate) predicates() []table.Predicate {
	if c.rule == nil {
		return c.joined
	}
	return c.rule.Predicates
}

func (c *candidate) conditions() []Condition { return holding(c.predicates()) }

// mergeLists puts own candidates between inherited ones by position, and stops behind the first that surely takes every
// request of the paths at hand.
func mergeLists(inherited, own []*candidate) []*candidate {
	if len(own) == 0 {
		return inherited
	}
	out := make([]*candidate, 0, len(inherited)+len(own))
	for len(inherited) > 0 || len(own) > 0 {
		var next *candidate
		if len(own) == 0 || len(inherited) > 0 && inherited[0].position < own[0].position {
			next, inherited = inherited[0], inherited[1:]
		} else {
			next, own = own[0], own[1:]
		}
		out = append(out, next)
		if next.pattern < 0 && next.catchAll() {
			break
		}
	}
	return out
}

// sameRules tells whether two lists have the same rules in the same order.
func sameRules(a, b []*candidate) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].key != b[i].key || a[i].rest != b[i].rest {
			return false
		}
	}
	return true
}
