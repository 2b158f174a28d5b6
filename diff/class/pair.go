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
	// literals are texts with which all paths of a rule begin, of all rules, once the pair is prepared.
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

// candidates lists rules of one side of a pair. With the list of the other side, which has the same kept rules, these become twins.
func (c *comparison) candidates(p *hostPair, s side, e *pairScript, rules []int, others []*candidate) []*candidate {
	room := make([]candidate, len(rules))
	out := make([]*candidate, len(rules), len(rules)+1)
	for n, i := range rules {
		k := &room[n]
		*k = candidate{rule: &e.rules[s][i], ref: RuleRef{p.host[s], i}, side: s, position: i, edit: -1, pattern: -1}
		if !e.kept[s][i] {
			k.edit = e.edit[s](i)
		} else if others != nil {
			k.twin, others = nextKept(others)
		}
		if k.twin != nil {
			k.form, k.doubt = k.twin.form, k.twin.doubt
		} else {
			k.form, k.doubt = c.patterns.form(k.rule.Path), c.doubtOf(k.rule)
		}
		out[n] = k
	}
	return out
}

// nextKept is the first rule of a list that is not edited, with what is behind it.
func nextKept(list []*candidate) (*candidate, []*candidate) {
	i := slices.IndexFunc(list, func(k *candidate) bool { return k.edit < 0 })
	return list[i], list[i+1:]
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

// derivedReason begins why a rule is not decided that has conditions on what its host and path say too.
const derivedReason = "not modelled together with hosts and paths: header "

// doubtOf is why a rule is not decided: a matcher or a regular expression that is not understood.
func (c *comparison) doubtOf(r *table.Rule) string {
	if len(r.Unmodelled) > 0 {
		return "not modelled: " + r.Unmodelled[0]
	}
	if len(r.Derived) > 0 {
		return derivedReason + r.Derived[0].Name
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

// overlap finds the rules of both sides that may match a path that an edited rule matches: one of the two literals begins with
// the other's text. A kept rule is found on both sides or on none.
func (e *pairScript) overlap(literals [2][]string, edited *literalTexts, hidden int) [2][]int {
	var out [2][]int
	for places := range e.inStep(hidden) {
		s := beforeSide
		if places[s] < 0 {
			s = afterSide
		}
		if !edited.compete(literals[s][places[s]]) {
			continue
		}
		for s, i := range places {
			if i >= 0 {
				out[s] = append(out[s], i)
			}
		}
	}
	return out
}

// inStep yields the rules of both sides but for a number at the end: kept ones together, edited ones with -1 for the other side.
func (e *pairScript) inStep(without int) func(yield func([2]int) bool) {
	return func(yield func([2]int) bool) {
		before, after := e.kept[beforeSide], e.kept[afterSide]
		before, after = before[:len(before)-without], after[:len(after)-without]
		for b, a := 0, 0; b < len(before) || a < len(after); {
			places := [2]int{b, a}
			switch {
			case b < len(before) && !before[b]:
				places[afterSide] = -1
				b++
			case a < len(after) && !after[a]:
				places[beforeSide] = -1
				a++
			default:
				a, b = a+1, b+1
			}
			if !yield(places) {
				return
			}
		}
	}
}

// literals are the literal texts of the rules of both sides.
func (e *pairScript) literals(ps *patterns) [2][]string {
	literals := [2][]string{make([]string, len(e.rules[beforeSide])), make([]string, len(e.rules[afterSide]))}
	for places := range e.inStep(0) {
		b, a := places[beforeSide], places[afterSide]
		switch {
		case a < 0:
			literals[beforeSide][b] = ps.literalText(e.rules[beforeSide][b].Path)
		case b < 0:
			literals[afterSide][a] = ps.literalText(e.rules[afterSide][a].Path)
		default:
			literals[beforeSide][b] = ps.literalText(e.rules[beforeSide][b].Path)
			literals[afterSide][a] = literals[beforeSide][b]
		}
	}
	return literals
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
	return t.within(text)
}

// within tells whether one of the texts begins with a given one.
func (t *literalTexts) within(text string) bool {
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
	p.literals = e.literals(c.patterns)
	overlap := e.leaveOut(e.overlap(p.literals, texts, hidden), p.literals, texts)
	var list []*candidate
	for s := range p.lists {
		list = c.candidates(p, side(s), e, overlap[s], list)
		p.lists[s] = append(list, c.restOf(side(s), p.hidden))
	}
	numberRules(p.lists, e.keyOf)
	p.tree = newPathTree(p.lists)
	p.explored = map[int]*exploredNode{}
	p.numberPatterns()
	return true
}

// numberRules gives the rules of two lists their keys. A rule of the common subsequence has the same on both sides, and an edited
// one that of any equal rule.
func numberRules(lists [2][]*candidate, keyOf func(*table.Rule) string) {
	edited := numbers{}
	for _, list := range lists {
		for _, k := range list {
			if k.edit >= 0 {
				k.key = uint32(edited.of(keyOf(k.rule)))
			}
		}
	}
	for _, list := range lists {
		kept := len(edited)
		for _, k := range list {
			if k.edit >= 0 || k.rest {
				continue
			}
			number, equal := edited[keyOf(k.rule)]
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
