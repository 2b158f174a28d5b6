package verify

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"strings"
)

// situationOf gathers what is in question for the paths of an answer. Situations of one key are decided alike.
func (p *pair) situationOf(a answer, uses [2]map[pathTest][]*rule) (*situation, string) {
	s := &situation{pair: p, host: p.group.witness, path: a.witness}
	var key []byte
	for side := range uses {
		list := slices.Clone(uses[side][pathTest{kind: anyPath}])
		for _, i := range a.literals {
			list = append(list, uses[side][pathTest{byLiteral, i}]...)
		}
		for _, i := range a.tests {
			list = append(list, uses[side][pathTest{byTest, i}]...)
		}
		slices.SortFunc(list, func(a, b *rule) int { return cmp.Compare(a.index, b.index) })
		if end := slices.IndexFunc(list, (*rule).catchesAll); end >= 0 {
			list = list[:end+1]
		}
		s.rules[side] = list
		key = binary.AppendUvarint(key, uint64(len(list)))
		for _, r := range list {
			key = binary.AppendUvarint(key, uint64(r.index))
		}
	}
	for i := range p.areas {
		if p.areas[i].takes(a.holds) {
			s.areas = append(s.areas, &p.areas[i])
			key = binary.AppendUvarint(key, uint64(i))
		}
	}
	return s, string(key)
}

// mayChange tells whether an edited rule can win, or a class claims that something changes.
func (s *situation) mayChange() bool {
	edited := func(r *rule) bool { return r.edited }
	return slices.ContainsFunc(s.rules[0], edited) || slices.ContainsFunc(s.rules[1], edited) ||
		slices.ContainsFunc(s.areas, func(a *area) bool { return a.class >= 0 })
}

// beginnings are texts of which strings are compared with the first bytes.
type beginnings struct {
	texts   map[string]bool
	sorted  []string
	lengths map[int]bool
}

func newBeginnings() *beginnings {
	return &beginnings{texts: map[string]bool{}, lengths: map[int]bool{}}
}

func (b *beginnings) add(text string) {
	if !b.texts[text] {
		b.texts[text], b.lengths[len(text)] = true, true
		b.sorted = append(b.sorted, text)
	}
}

func (b *beginnings) sort() { slices.Sort(b.sorted) }

// fit tells whether a text begins with one of them, or one of them with the text.
func (b *beginnings) fit(text string) bool {
	for n := range b.lengths {
		if n <= len(text) && b.texts[text[:n]] {
			return true
		}
	}
	i := sort.SearchStrings(b.sorted, text)
	return i < len(b.sorted) && strings.HasPrefix(b.sorted[i], text)
}
