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
	var in, out []int                  // indexes into the other list
	occurs := map[*candidate]winners{} // by the rule of the other side
	for _, p := range d.pairs {
		if p.on(s) == cause {
			occurs[p.on(s.other())] = p
		}
	}
	for j, other := range d.lists[s.other()] {
		p, together := occurs[other]
		switch {
		case !together:
		case other.doubt == "" && !d.gaveUp[other] && p.changed() && chosen(p):
			in = append(in, j)
		default:
			out = append(out, j)
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
			except:     d.aheadOfBoth(s, i, j),
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
				except:     d.aheadOfBoth(s, i, j),
			})
			if found || err != nil {
				return false
			}
		}
	}
	return true
}

// simplify writes a question in fewer words that means the same: what follows from the rest is left out, while there is
// effort left for it.
func (s *system) simplify(q question) question {
	if s.effort.take(len(q.conditions)+len(q.except)) != nil {
		return q
	}
	conditions := compactConditions(q.conditions)
	except := s.relevant(conditions, q.except)
	several := slices.ContainsFunc(except, func(e []Condition) bool { return len(e) > 1 })
	if several && len(except) <= maxSimplified { // else they are conditions, of which the needless are dropped below
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
	byName := s.byName(q.conditions)
	for i := range q.conditions {
		c := &q.conditions[i]
		if !c.Not {
			continue
		}
		l := s.condition(*c)
		once := s.domain(l.variable, true)
		for _, j := range byName[l.variable] {
			if other := q.conditions[j]; j != i && !other.OnlyRepeated {
				once = once.assert(s.condition(other))
			}
		}
		c.OnlyRepeated = once.implies(l)
	}
	once := s.free(true)
	possible := true
	for _, c := range q.conditions {
		possible = once.assert(s.condition(c)) && possible
	}
	for _, e := range q.except {
		apart := !possible || !s.together(once, e)
		for i := range e {
			e[i].OnlyRepeated = apart
		}
	}
}

// byName are the indexes of conditions by their variable.
func (s *system) byName(conditions []Condition) map[int][]int {
	out := map[int][]int{}
	for i, c := range conditions {
		v := s.condition(c).variable
		out[v] = append(out[v], i)
	}
	return out
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
		var left []Condition
		for _, c := range compactConditions(e) {
			l := s.condition(c)
			if !base[l.variable].implies(l) {
				left = append(left, c)
			}
		}
		if s.together(base, left) {
			out = append(out, left)
		}
	}
	slices.SortStableFunc(out, func(a, b []Condition) int { return len(a) - len(b) })
	return slices.CompactFunc(out, func(a, b []Condition) bool { return slices.Equal(a, b) })
}

// together tells whether conditions can hold together in a state.
func (s *system) together(in state, conditions []Condition) bool {
	narrowed := map[int]domain{}
	for _, c := range conditions {
		l := s.condition(c)
		d, ok := narrowed[l.variable]
		if !ok {
			d = in[l.variable]
		}
		d = d.assert(l)
		narrowed[l.variable] = d
		if !d.possible() {
			return false
		}
	}
	return true
}

// dropImplied drops the exceptions that the others make needless, the longest first.
func (s *system) dropImplied(conditions []Condition, except [][]Condition) [][]Condition {
	given, clauses := s.conditions(conditions), s.clauses(except)
	for i := len(except) - 1; i >= 0; i-- {
		others := slices.Concat(clauses[:i], clauses[i+1:])
		_, found, err := s.solveLiterals(s.free(false), slices.Concat(given, s.conditions(except[i])), others)
		if err == nil && !found {
			except, clauses = slices.Concat(except[:i], except[i+1:]), others
		}
	}
	return except
}

// dropConditions drops the conditions that follow from the others and the exceptions. Of very many it asks only whether those
// on the same name say it; without exceptions nothing else could, since variables do not depend on each other.
func (s *system) dropConditions(conditions []Condition, except [][]Condition) []Condition {
	if len(conditions) > maxSimplified || len(except)+len(s.always) == 0 {
		return s.dropByName(conditions)
	}
	literals, clauses := s.conditions(conditions), s.clauses(except)
	for i := len(conditions) - 1; i >= 0; i-- {
		others := slices.Concat(literals[:i], literals[i+1:])
		_, found, err := s.solveLiterals(s.free(false), append(slices.Clone(others), literals[i].not()), clauses)
		if err == nil && !found {
			conditions, literals = slices.Concat(conditions[:i], conditions[i+1:]), others
		}
	}
	return conditions
}

// dropByName drops the conditions that follow from others on the same variable.
func (s *system) dropByName(conditions []Condition) []Condition {
	byName := s.byName(conditions)
	dropped := map[int]bool{}
	for i := len(conditions) - 1; i >= 0; i-- {
		l := s.condition(conditions[i])
		d := s.domain(l.variable, false)
		for _, j := range byName[l.variable] {
			if j != i && !dropped[j] {
				d = d.assert(s.condition(conditions[j]))
			}
		}
		d = d.assert(l.not())
		dropped[i] = !d.possible()
	}
	var out []Condition
	for i, c := range conditions {
		if !dropped[i] {
			out = append(out, c)
		}
	}
	return out
}
