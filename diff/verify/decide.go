package verify

import (
	"strconv"

	"github.com/routedelta/routedelta/diff/table"
)

// situation is a set of hosts and paths in which the same rules of each side, and the same areas, are in question.
type situation struct {
	*pair
	// rules of each side that match the paths, up to the first that takes every request.
	rules [2][]*rule
	areas []*area
	host  string
	path  string
}

// outcome is what happens to a request on one side.
type outcome struct {
	key, choice string
	// text is the key of what can be read of the outcome in a certificate.
	text string
}

// decide follows every course that the answers to the conditions can take, and checks the claims at each end.
//
// A course begins with nothing known. Both sides' rules are gone through in order, then the areas; at the first question
// whose answer is not known the course divides into the two answers. So each request is on one course, the one of its own
// answers, and at the end of it the outcome on both sides and the areas it is in are known. A course that no request
// takes may be followed, never the other way round: an answer is left out only if no value gives it.
func (s *situation) decide(k knowledge) error {
	if err := s.budget.spend(1 + len(s.rules[0]) + len(s.rules[1])); err != nil {
		return err
	}
	ask := s.check(k)
	if ask == nil {
		return nil
	}
	for _, answer := range []answered{yes, no} {
		if next, possible := s.variables.learn(k, *ask, answer); possible {
			if err := s.decide(next); err != nil {
				return err
			}
		}
	}
	return nil
}

// check goes as far as what is known leads, and gives the question that stops it, or checks the claims.
func (s *situation) check(k knowledge) *condition {
	was, ask := s.outcome(0, k)
	if ask != nil {
		return ask
	}
	is, ask := s.outcome(1, k)
	if ask != nil {
		return ask
	}
	var in []*area
	for _, a := range s.areas {
		if a.class < 0 {
			continue
		}
		inside, ask := a.contains(s.variables, k)
		if ask != nil {
			return ask
		}
		if inside {
			in = append(in, a)
		}
	}
	wrong := s.judge(was, is, in)
	if wrong == "" {
		return nil
	}
	for _, a := range s.areas {
		if a.class >= 0 {
			continue
		}
		if inside, ask := a.contains(s.variables, k); ask != nil || inside {
			return ask
		}
	}
	s.complain(wrong, k, was, is)
	return nil
}

// judge compares what is true with what is claimed.
func (s *situation) judge(was, is *outcome, in []*area) string {
	s.result.Courses++
	changes := was.key != is.key
	switch {
	case !changes && len(in) > 0:
		return "does not change, but is in class " + strconv.Itoa(in[0].class+1)
	case !changes:
		return ""
	case len(in) == 0:
		return "changes, but is in no class"
	case len(in) > 1:
		return "is in two areas"
	}
	class := s.classes[in[0].class]
	class.met = true
	facet := "backend"
	if was.choice == is.choice {
		facet = "treatment"
	}
	switch {
	case class.facet != facet:
		return "changes its " + facet + ", which class " + strconv.Itoa(in[0].class+1) + " does not say"
	case !class.more && (!class.outcomes[0][was.text] || !class.outcomes[1][is.text]):
		return "has an outcome that class " + strconv.Itoa(in[0].class+1) + " does not name"
	}
	return ""
}

// outcome finds what a side does with a request.
func (s *situation) outcome(side int, k knowledge) (*outcome, *condition) {
	var stages []*rule
	for _, r := range s.rules[side] {
		matches, ask := s.matches(r, k)
		if ask != nil {
			return nil, ask
		}
		if !matches {
			continue
		}
		if r.source.Chance == nil {
			return s.mixed(side, stages, r), nil
		}
		stages = append(stages, r)
	}
	return s.mixed(side, stages, nil), nil
}

func (s *situation) matches(r *rule, k knowledge) (bool, *condition) {
	for i := range r.conditions {
		switch s.variables.ask(k, r.conditions[i]) {
		case open:
			return false, &r.conditions[i]
		case no:
			return false, nil
		}
	}
	return true, nil
}

// mixed is the outcome of rules with a chance and the one behind them, nil for no route.
func (s *situation) mixed(side int, stages []*rule, last *rule) *outcome {
	key := make([]byte, 0, 16)
	key = strconv.AppendInt(key, int64(side), 10)
	for _, r := range stages {
		key = append(strconv.AppendInt(key, int64(r.index), 10), ' ')
	}
	if last != nil {
		key = strconv.AppendInt(append(key, '/'), int64(last.index), 10)
	}
	if o := s.outcomes[string(key)]; o != nil {
		return o
	}
	what := table.Outcome{Kind: table.NoRoute}
	if last != nil {
		what = last.source.Outcome
	}
	if len(stages) > 0 {
		list := make([]table.Stage, len(stages))
		for i, r := range stages {
			list[i] = table.Stage{Chance: *r.source.Chance, Outcome: r.source.Outcome}
		}
		what = table.Mix(list, what)
	}
	o := &outcome{key: what.Key(), choice: what.ChoiceKey(), text: printed(what)}
	s.outcomes[string(key)] = o
	return o
}
