package class

import "slices"

// cubes writes the requests that cause wins on its side, and of the changes with that cause those in chosen, as questions
// that do not overlap.
//
// The requests that cause wins are its conditions without those of the rules ahead. The other side divides them among
// winners, some chosen and some not. Mostly the ones that are not chosen can be cut out by their own conditions, which gives
// one question however many winners there are; that is right if no chosen winner takes requests that a later, not chosen
// rule matches too. Otherwise each chosen winner gets a question of its own.
func (d *decision) cubes(cause *candidate, chosen func(winners) bool) []question {
	s := cause.side
	i := slices.Index(d.lists[s], cause)
	var in, out []int // indexes into the other list
	for j, other := range d.lists[s.other()] {
		for _, p := range d.pairs {
			if p.on(s) == cause && p.on(s.other()) == other {
				if other.doubt == "" && !d.gaveUp[other] && p.changed() && chosen(p) {
					in = append(in, j)
				} else {
					out = append(out, j)
				}
				break
			}
		}
	}
	if d.separable(s, i, in, out) {
		q := question{conditions: cause.conditions(), except: d.ahead(s, i)}
		for _, j := range out {
			q.except = append(q.except, d.lists[s.other()][j].conditions())
		}
		return []question{d.simplify(q)}
	}
	var cubes []question
	for _, j := range in {
		cubes = append(cubes, d.simplify(question{
			conditions: slices.Concat(cause.conditions(), d.lists[s.other()][j].conditions()),
			except:     slices.Concat(d.ahead(s, i), d.ahead(s.other(), j)),
		}))
	}
	return cubes
}

// maxSeparations bounds the questions about one cube.
const maxSeparations = 200

// separable tells whether no chosen winner takes a request that a later winner, not chosen, matches.
func (d *decision) separable(s side, i int, in, out []int) bool {
	if len(in)*len(out) > maxSeparations {
		return false
	}
	cause := d.lists[s][i]
	for _, j := range in {
		for _, k := range out {
			if k < j {
				continue
			}
			found, err := d.possible(question{
				conditions: slices.Concat(cause.conditions(), d.lists[s.other()][j].conditions(), d.lists[s.other()][k].conditions()),
				except:     slices.Concat(d.ahead(s, i), d.ahead(s.other(), j)),
			})
			if found || err != nil {
				return false
			}
		}
	}
	return true
}

// simplify writes a question in fewer words that means the same: what follows from the rest is left out.
func (s *system) simplify(q question) question {
	conditions := compactConditions(q.conditions)
	except := s.relevant(conditions, q.except)
	if len(except) <= maxSimplified {
		except = s.dropImplied(conditions, except)
	}
	out := question{conditions: conditions}
	for _, e := range except {
		if len(e) == 1 {
			out.conditions = append(out.conditions, Condition{Predicate: e[0].Predicate, Not: !e[0].Not})
		} else {
			out.except = append(out.except, e)
		}
	}
	out.conditions = s.dropConditions(compactConditions(out.conditions), out.except)
	slices.SortFunc(out.conditions, compareConditions)
	slices.SortFunc(out.except, func(a, b []Condition) int { return slices.CompareFunc(a, b, compareConditions) })
	s.markRepeated(&out)
	return out
}

// markRepeated marks what only matters for requests that send a header twice: a reader thinks of one value a header.
func (s *system) markRepeated(q *question) {
	for i := range q.conditions {
		c := &q.conditions[i]
		if !c.Not {
			continue
		}
		once := s.free(true)
		for j, other := range q.conditions {
			if j != i && !other.OnlyRepeated {
				once.assert(s.condition(other))
			}
		}
		l := s.condition(*c)
		c.OnlyRepeated = once[l.variable].implies(l)
	}
	for _, e := range q.except {
		once := s.free(true)
		possible := true
		for _, c := range slices.Concat(q.conditions, e) {
			possible = once.assert(s.condition(c)) && possible
		}
		for i := range e {
			e[i].OnlyRepeated = !possible
		}
	}
}

// maxSimplified bounds the exceptions of which each is asked whether it is needed.
const maxSimplified = 64

// relevant drops exceptions that no request of the conditions meets, and of the others the parts that all meet.
func (s *system) relevant(conditions []Condition, except [][]Condition) [][]Condition {
	base := s.free(false)
	for _, c := range conditions {
		base.assert(s.condition(c))
	}
	var out [][]Condition
	for _, e := range except {
		st := slices.Clone(base)
		possible := true
		var left []Condition
		for _, c := range compactConditions(e) {
			l := s.condition(c)
			if !base[l.variable].implies(l) {
				left = append(left, c)
			}
			possible = possible && st.assert(l)
		}
		if possible {
			out = append(out, left)
		}
	}
	slices.SortStableFunc(out, func(a, b []Condition) int { return len(a) - len(b) })
	return slices.CompactFunc(out, func(a, b []Condition) bool { return slices.Equal(a, b) })
}

// dropImplied drops the exceptions that the others make needless, the longest first.
func (s *system) dropImplied(conditions []Condition, except [][]Condition) [][]Condition {
	for i := len(except) - 1; i >= 0; i-- {
		others := slices.Concat(except[:i], except[i+1:])
		found, err := s.possible(question{slices.Concat(conditions, except[i]), others})
		if err == nil && !found {
			except = others
		}
	}
	return except
}

// dropConditions drops the conditions that follow from the others and the exceptions.
func (s *system) dropConditions(conditions []Condition, except [][]Condition) []Condition {
	for i := len(conditions) - 1; i >= 0; i-- {
		c := conditions[i]
		others := slices.Concat(conditions[:i], conditions[i+1:])
		found, err := s.possible(question{append(slices.Clone(others), Condition{Predicate: c.Predicate, Not: !c.Not}), except})
		if err == nil && !found {
			conditions = others
		}
	}
	return conditions
}
