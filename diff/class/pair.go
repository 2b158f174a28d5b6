package class

import (
	"cmp"
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
	// literals are texts with which all paths of a rule begin, of all rules, where they were asked for.
	literals [2][]string
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

// candidates lists rules of one side of a pair.
func (c *comparison) candidates(p *hostPair, s side, e *pairScript, rules []int) []*candidate {
	room := make([]candidate, len(rules))
	out := make([]*candidate, len(rules), len(rules)+1)
	for n, i := range rules {
		r := &e.rules[s][i]
		room[n] = candidate{
			rule: r, ref: RuleRef{p.host[s], i}, side: s, position: i, edit: -1, pattern: -1,
			form: c.patterns.form(r.Path), doubt: c.doubtOf(r),
		}
		if !e.kept[s][i] {
			room[n].edit = e.edit[s](i)
		}
		out[n] = &room[n]
	}
	return out
}

// resolve fills in what is only needed where lists differ: the outcomes, and the automata of patterns. What a pattern may match
// that is not understood is all below its literal.
func (w *walk) resolve(list []*candidate) {
	for _, k := range list {
		if k.resolved || k.rest {
			continue
		}
		k.resolved = true
		k.outcome, k.choice = w.outcomes.of(k.rule.OutcomeKey(), &k.rule.Outcome)
		if k.pattern < 0 {
			continue
		}
		if err := w.compilePattern(k.pattern); err != nil {
			k.pattern = -1
			k.doubt = cmp.Or(k.doubt, err.Error())
		}
	}
}

func (w *walk) compilePattern(pattern int) (err error) {
	p := &w.tree.patterns[pattern]
	if p.dfa == nil {
		p.dfa, err = w.patterns.compile(p.text)
	}
	return err
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

// overlap finds the rules of a side that may match a path that an edited rule matches: one of the two literals begins with the
// other's text.
func (c *comparison) overlap(p *hostPair, e *pairScript, s side, edited *literalTexts, hidden int) []int {
	var out []int
	for i, text := range c.literalsOf(s, p)[:len(e.rules[s])-hidden] {
		if edited.compete(text) {
			out = append(out, i)
		}
	}
	return out
}

// literalsOf are the literal texts of the rules of a side. They are looked through for every example as well.
func (c *comparison) literalsOf(s side, p *hostPair) []string {
	if p.literals[s] == nil {
		rules := rulesOf(c.tables[s], p.host[s])
		p.literals[s] = make([]string, len(rules))
		for i := range rules {
			p.literals[s][i] = c.patterns.literalText(rules[i].Path)
		}
	}
	return p.literals[s]
}

// literalTexts are texts with which paths begin.
type literalTexts struct {
	sorted []string
	known  map[string]bool
	// lengths of the texts, ascending.
	lengths []int
}

func newLiteralTexts(texts map[string]bool) *literalTexts {
	t := &literalTexts{sorted: sortedKeys(texts), known: texts}
	for _, text := range t.sorted {
		t.lengths = append(t.lengths, len(text))
	}
	slices.Sort(t.lengths)
	t.lengths = slices.Compact(t.lengths)
	return t
}

// compete tells whether one of the texts and a given one may begin one path.
func (t *literalTexts) compete(text string) bool {
	for _, n := range t.lengths {
		if n > len(text) {
			break
		}
		if t.known[text[:n]] {
			return true
		}
	}
	i := sort.SearchStrings(t.sorted, text)
	return i < len(t.sorted) && strings.HasPrefix(t.sorted[i], text)
}

// prepare builds the lists and the tree of a pair. It is false when no rule is edited.
func (c *comparison) prepare(p *hostPair) bool {
	e := c.edit(p)
	if e.none() {
		return false
	}
	hidden := c.hiddenTail(e)
	p.hidden = hidden > 0
	edited := map[string]bool{}
	for r := range e.eachEdited {
		edited[c.patterns.literalText(r.Path)] = true
	}
	texts := newLiteralTexts(edited)
	for s := range p.lists {
		list := c.candidates(p, side(s), e, c.overlap(p, e, side(s), texts, hidden))
		p.lists[s] = append(list, c.restOf(side(s), p.hidden))
	}
	numberRules(p.lists)
	p.tree = newPathTree(p.lists)
	p.explored = map[int]*exploredNode{}
	p.numberPatterns()
	return true
}

// numberRules gives the rules of two lists their keys. A rule of the common subsequence has the same on both sides, and an edited
// one that of any equal rule.
func numberRules(lists [2][]*candidate) {
	edited := numbers{}
	for _, list := range lists {
		for _, k := range list {
			if k.edit >= 0 {
				k.key = uint32(edited.of(k.rule.Key()))
			}
		}
	}
	for _, list := range lists {
		kept := len(edited)
		for _, k := range list {
			if k.edit >= 0 || k.rest {
				continue
			}
			number, equal := edited[k.rule.Key()]
			if !equal {
				number = kept
			}
			k.key = uint32(number)
			kept++
		}
	}
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

// numberPatterns gives equal patterns of the tree one number. Their automata are built where they are needed.
func (p *hostPair) numberPatterns() {
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
				p.tree.patterns = append(p.tree.patterns, pathPattern{text: k.form.pattern, hang: k.form.literal})
			}
			k.pattern = i
		}
	}
}
