package class

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

// maxSplit is how many classes one edit may give by outcomes before they are gathered into fewer.
const maxSplit = 10

// classKey is what the changes of one class have in common. Outcomes are everyOutcome where a class gathers them.
type classKey struct {
	edit          int
	facet         Facet
	cause         side
	before, after int
}

const everyOutcome = -2

// gathering collects the changes of all pairs.
type gathering struct {
	*comparison
	// coarse tells for each edit and facet how coarse its classes are, see key.
	coarse  map[classKey]int
	classes map[classKey]*draft
	order   []*draft
	doubts  map[string]*regions
	reasons []string
	// samples are requests that are undecided, by reason.
	samples map[string][]table.Request
	writing writing
}

// draft is a class in the making.
type draft struct {
	classKey
	regions
	example *example
	once    bool
	// outcomes that occur, by side.
	outcomes [2][]int
}

// gather turns the decided cells into classes and undecided regions.
func (c *comparison) gather(pairs []*hostPair) error {
	g := &gathering{
		comparison: c, coarse: map[classKey]int{}, classes: map[classKey]*draft{},
		doubts: map[string]*regions{}, samples: map[string][]table.Request{}, writing: newWriting(c.limits.Written),
	}
	g.measure(pairs)
	for _, p := range pairs {
		for d, cells := range cellsByDecision(p) {
			if err := c.ctx.Err(); err != nil {
				return err
			}
			g.addChanges(p, d, cells)
			g.addDoubts(p, d, cells)
		}
		g.addOpen(p)
	}
	g.finish()
	return c.ctx.Err()
}

// cellsByDecision yields the decisions of a pair in order, each with its cells.
func cellsByDecision(p *hostPair) func(yield func(*decision, []*pathCell) bool) {
	index := map[*decision][]*pathCell{}
	var order []*decision
	for i := range p.decided {
		cell := &p.decided[i]
		if index[cell.decision] == nil {
			order = append(order, cell.decision)
		}
		index[cell.decision] = append(index[cell.decision], cell)
	}
	return func(yield func(*decision, []*pathCell) bool) {
		for _, d := range order {
			if !yield(d, index[d]) {
				return
			}
		}
	}
}

// measure finds how many classes each edit would give, and makes them coarser where it is too many: first the outcomes of
// the side that the edit does not decide are gathered, then all.
func (g *gathering) measure(pairs []*hostPair) {
	levels := [2]map[classKey]map[classKey]bool{{}, {}}
	for _, p := range pairs {
		for d := range cellsByDecision(p) {
			for _, ch := range d.changes {
				group := classKey{edit: ch.cause().edit, facet: ch.facet()}
				for level, seen := range levels {
					if seen[group] == nil {
						seen[group] = map[classKey]bool{}
					}
					seen[group][keyAt(ch.winners, level)] = true
				}
			}
		}
	}
	for level, seen := range levels {
		for group, keys := range seen {
			if len(keys) > maxSplit {
				g.coarse[group] = level + 1
			}
		}
	}
}

func keyAt(w winners, level int) classKey {
	cause := w.cause()
	k := classKey{edit: cause.edit, facet: w.facet(), before: w.before.outcome, after: w.after.outcome}
	switch {
	case level == 0:
		return k
	case level == 2:
		k.before, k.after = everyOutcome, everyOutcome
	case cause.side == afterSide:
		k.before = everyOutcome
	default:
		k.after = everyOutcome
	}
	k.cause = cause.side
	return k
}

func (g *gathering) key(w winners) classKey {
	return keyAt(w, g.coarse[classKey{edit: w.cause().edit, facet: w.facet()}])
}

// addChanges adds the changes of one decision to their classes.
func (g *gathering) addChanges(p *hostPair, d *decision, cells []*pathCell) {
	type part struct {
		key   classKey
		cause *candidate
	}
	written := map[part]bool{}
	for i := range d.changes {
		ch := &d.changes[i]
		g.feel(ch.winners)
		pt := part{g.key(ch.winners), ch.cause()}
		in, known := written[pt]
		if !known {
			if g.ctx.Err() != nil {
				return // gather says so
			}
			in = g.writePart(p, d, cells, pt.key, pt.cause)
			written[pt] = in
		}
		if in {
			g.draft(pt.key).note(p, ch, cells)
		}
	}
}

func (g *gathering) draft(k classKey) *draft {
	d := g.classes[k]
	if d == nil {
		d = &draft{classKey: k}
		g.classes[k] = d
		g.order = append(g.order, d)
	}
	return d
}

// feel keeps the edits that have a part in a change.
func (g *gathering) feel(w winners) {
	for _, k := range []*candidate{w.before, w.after} {
		for _, rule := range k.rules() {
			if rule.edit >= 0 {
				g.felt[rule.edit] = true
			}
		}
	}
}

// note keeps the outcomes and the best example of a class.
func (d *draft) note(p *hostPair, ch *change, cells []*pathCell) {
	for s, k := range [2]*candidate{ch.before, ch.after} {
		if !slices.Contains(d.outcomes[s], k.outcome) {
			d.outcomes[s] = append(d.outcomes[s], k.outcome)
		}
	}
	d.once = d.once || ch.once
	for _, cell := range cells {
		e := &example{pair: p, cell: cell, change: ch}
		if d.example == nil || e.better(d.example) {
			d.example = e
		}
	}
}

// addDoubts adds what a decision left open.
func (g *gathering) addDoubts(p *hostPair, d *decision, cells []*pathCell) {
	for _, open := range d.undecided {
		q := open.question
		if d.system != nil {
			q = d.simplify(q)
		}
		g.doubt(open.reason).add(p, q, cells)
		g.sample(p, d, q, open.reason, cells[0])
		g.markUnsure(d)
	}
}

func (g *gathering) doubt(reason string) *regions {
	r := g.doubts[reason]
	if r == nil {
		r = &regions{}
		g.doubts[reason] = r
		g.reasons = append(g.reasons, reason)
	}
	return r
}

// markUnsure keeps the edits of a decision from being called without effect.
func (g *gathering) markUnsure(d *decision) {
	for _, list := range d.lists {
		for _, k := range list {
			for _, rule := range k.rules() {
				if rule.edit >= 0 {
					g.unsure[rule.edit] = true
				}
			}
		}
	}
}

// finish writes the drafts, and checks each by its example.
func (g *gathering) finish() {
	for i, d := range g.order {
		if g.ctx.Err() != nil {
			return // gather says so
		}
		if i >= g.limits.Classes {
			g.leaveOpen(d, fmt.Sprintf("more than %d kinds of request change", g.limits.Classes))
			continue
		}
		areas := d.areas(g.comparison)
		if !g.writing.takeTerms(areas) {
			g.leaveOpen(d, tooMuchWritten)
			continue
		}
		class := Class{
			Facet: d.facet, Edit: d.edit, Areas: areas, OnlyRepeated: !d.once,
			contains: g.membership(areas),
		}
		if reason := g.confirm(&class, d); reason != "" {
			g.addUndecided(areas, reason, []table.Request{class.Witness})
			g.unsure[d.edit] = true
			continue
		}
		g.result.Classes = append(g.result.Classes, class)
	}
	for _, reason := range g.reasons {
		wide := g.doubts[reason].coarsen() || reason == tooMuchWritten
		first := len(g.result.Undecided)
		g.addUndecided(g.doubts[reason].areas(g.comparison), reason, g.samples[reason])
		if wide {
			g.result.leaveToClasses(g.result.Undecided[first:])
		}
	}
	slices.SortStableFunc(g.result.Undecided, func(a, b Undecided) int {
		return cmp.Or(strings.Compare(a.Reason, b.Reason), strings.Compare(areaText(a.Area), areaText(b.Area)))
	})
}

func joinNumbers(list []int) string {
	var out strings.Builder
	for _, n := range list {
		out.WriteString(strconv.Itoa(n))
		out.WriteByte(',')
	}
	return out.String()
}
