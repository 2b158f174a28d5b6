package class

import (
	"slices"
	"sort"
	"strings"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/table"
)

// hostPair is a virtual host before and one after that some hosts have in common.
type hostPair struct {
	host  [2]int // index into Table.Hosts, -1 for none
	cells []int  // of the hostSpace
	// lists are the candidates that edited rules compete with, cut behind by lemma 2, and always ended by a rest.
	lists [2][]*candidate
	// hidden tells that the rests stand for rules, not for "no route" alone.
	hidden bool
	tree   *pathTree
	// decided are the sets of paths whose requests may change, with the decision about them.
	decided  []pathCell
	explored map[int]*exploredNode
	open     []openNode
}

// rules returns the rules of one side.
func rulesOf(t *table.Table, host int) []table.Rule {
	if host < 0 {
		return nil
	}
	return t.Hosts[host].Rules
}

var noRoute = table.Outcome{Kind: table.NoRoute}

// candidates lists the rules of a virtual host. kept marks the rules of the common subsequence, edit gives the others' edit.
func (c *comparison) candidates(s side, host int, kept []bool, edit func(i int) int) []*candidate {
	rules := rulesOf(c.tables[s], host)
	room := make([]candidate, len(rules))
	out := make([]*candidate, len(rules))
	for i := range rules {
		r := &rules[i]
		room[i] = candidate{
			rule: r, ref: RuleRef{host, i}, side: s, position: i, key: c.ruleKey(r), edit: -1, pattern: -1,
		}
		if !kept[i] {
			room[i].edit = edit(i)
		}
		out[i] = &room[i]
	}
	return out
}

// complete fills in what is only needed for the rules that take part.
func (c *comparison) complete(k *candidate) {
	k.form = c.patterns.form(k.rule.Path)
	k.outcome, k.choice = c.outcomes.of(k.rule.OutcomeKey(), &k.rule.Outcome)
	k.doubt = c.doubtOf(k.rule)
	if k.doubt == "" && k.form.pattern != "" {
		if _, err := c.patterns.compile(k.form.pattern); err != nil {
			k.doubt = err.Error()
		}
	}
	if k.doubt != "" && k.form.pattern != "" {
		if _, err := c.patterns.compile(k.form.pattern); err != nil {
			k.form.pattern = "" // what it may match is all below its literal
		}
	}
}

// doubtOf is why a rule is not decided: a matcher or a regular expression that is not understood.
func (c *comparison) doubtOf(r *table.Rule) string {
	if len(r.Unmodelled) > 0 {
		return "not modelled: " + r.Unmodelled[0]
	}
	for _, p := range r.Predicates {
		if p.Test == table.Regex {
			if _, err := c.patterns.compile(p.Value); err != nil {
				return err.Error()
			}
		}
	}
	return ""
}

// overlap finds the candidates that may match a path that an edited rule matches: one of the two literals begins with the
// other's text.
func (c *comparison) overlap(lists [2][]*candidate) [2][]*candidate {
	edited := map[string]bool{}
	for _, list := range lists {
		for _, k := range list {
			if k.edit >= 0 {
				edited[c.patterns.literalText(k.rule.Path)] = true
			}
		}
	}
	texts := sortedKeys(edited)
	lengths := map[int]bool{}
	for _, t := range texts {
		lengths[len(t)] = true
	}
	var out [2][]*candidate
	for side, list := range lists {
		for _, k := range list {
			if edited[""] || comparable(c.patterns.literalText(k.rule.Path), edited, texts, lengths) {
				out[side] = append(out[side], k)
			}
		}
	}
	return out
}

func comparable(text string, edited map[string]bool, sorted []string, lengths map[int]bool) bool {
	for n := range lengths {
		if n <= len(text) && edited[text[:n]] {
			return true
		}
	}
	i := sort.SearchStrings(sorted, text)
	return i < len(sorted) && strings.HasPrefix(sorted[i], text)
}

// prepare builds the lists and the tree of a pair. It is false when no rule is edited.
func (c *comparison) prepare(p *hostPair) bool {
	lists := c.edit(p)
	if !slices.ContainsFunc(lists[beforeSide], isEdited) && !slices.ContainsFunc(lists[afterSide], isEdited) {
		return false
	}
	lists, p.hidden = c.collapseTail(lists)
	lists = c.overlap(lists)
	for s := range lists {
		for _, k := range lists[s] {
			c.complete(k)
		}
		lists[s] = append(lists[s], c.restOf(side(s), p.hidden))
	}
	p.lists = lists
	p.tree = newPathTree(lists)
	p.explored = map[int]*exploredNode{}
	c.compilePatterns(p)
	return true
}

func isEdited(k *candidate) bool { return k.edit >= 0 }

// restOf ends a list.
func (c *comparison) restOf(s side, hidden bool) *candidate {
	rest := &candidate{
		side: s, position: int(^uint32(0) >> 1), edit: -1, pattern: -1, rest: true,
		form: pathForm{literal: automaton.Literal{Kind: automaton.Prefix}},
	}
	if hidden {
		rest.outcome, rest.choice = hiddenOutcome, hiddenOutcome
		return rest
	}
	rest.outcome, rest.choice = c.outcomes.of(noRoute.Key(), &noRoute)
	return rest
}

// compilePatterns numbers the regular expressions of the tree.
func (c *comparison) compilePatterns(p *hostPair) {
	index := map[string]int{}
	for _, list := range p.lists {
		for _, k := range list {
			if k.form.pattern == "" {
				continue
			}
			i, ok := index[k.form.pattern]
			if !ok {
				i = len(p.tree.patterns)
				index[k.form.pattern] = i
				dfa, _ := c.patterns.compile(k.form.pattern) // complete has dropped those that fail
				p.tree.patterns = append(p.tree.patterns, pathPattern{k.form.pattern, k.form.literal, dfa})
			}
			k.pattern = i
		}
	}
}
