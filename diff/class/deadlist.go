package class

import (
	"cmp"
	"sync"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/table"
)

// newHostWalk prepares the walk through a virtual host: the list of its rules, their places in the tree of paths, and the keys of
// their conditions.
func newHostWalk(c *worker, host int) *hostWalk {
	rules := c.tables[afterSide].Hosts[host].Rules
	w := &hostWalk{
		rankings: newRankings(c.comparison), samples: c.samples, splitFrom: splitRules,
		list: make([]*candidate, len(rules)), wins: make([]*win, len(rules)),
		doubt: make([]string, len(rules)), settled: make([]bool, len(rules)),
	}
	room := make([]candidate, len(rules))
	for i := range rules {
		k := &room[i]
		*k = candidate{rule: &rules[i], ref: RuleRef{host, i}, side: afterSide, position: i, edit: -1, pattern: -1}
		c.shape(k)
		w.list[i] = k
	}
	p := &hostPair{host: [2]int{host, host}}
	p.lists[afterSide] = w.list
	var numbering sync.WaitGroup
	numbering.Go(w.numberRules) // the tree does not look at the numbers
	p.tree = newPathTree(p.lists)
	numbering.Wait()
	w.walk = &walk{comparison: c.comparison, hostPair: p}
	p.numberPatterns()
	w.splits = make([]splitPattern, len(p.tree.patterns))
	for i := range w.splits {
		w.splits[i] = c.patterns.split(p.tree.patterns[i].text)
	}
	return w
}

// numberRules gives rules of the same conditions one key.
func (w *hostWalk) numberRules() {
	for _, k := range w.list {
		k.key = w.number(k)
	}
}

// shape finds where in the tree a rule belongs. A pattern that says no more than a literal is one; of a pattern that is not
// understood only the literal is known, and the rule may match or not.
func (c *comparison) shape(k *candidate) {
	k.doubt = c.doubtOf(k.rule)
	k.form = c.patterns.form(k.rule.Path)
	if k.rule.Path.Kind == table.PathRegex {
		c.shapePattern(k)
	}
	if k.form.literal == (automaton.Literal{Kind: automaton.Prefix}) {
		k.form.literal.Text = "/" // with which every path at the router begins
	}
}

func (c *comparison) shapePattern(k *candidate) {
	split := c.patterns.split(k.rule.Path.Value)
	if !split.rest.understood {
		if err := table.CheckRegex(k.rule.Path.Value); err != nil {
			k.form.pattern = ""
			k.doubt = cmp.Or(k.doubt, err.Error())
		}
		return
	}
	if literal, ok := split.asLiteral(); ok {
		k.form = pathForm{literal: literal}
	}
}
