package verify

import (
	"fmt"

	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/diff/table"
)

// area is an area of a class or of an undecided region, as questions.
type area struct {
	// class is its index, or -1 for a region that is not decided.
	class                    int
	include, within, exclude []pathTest
	conditions               []demand
	except                   [][]demand
}

// demand is a condition with the answer that it must have.
type demand struct {
	condition
	want answered
}

// pathOf reads a term of a path.
func pathOf(t certificate.Term) (table.Path, error) {
	switch t.Kind {
	case "any":
		return table.Path{Kind: table.PathPrefix}, nil
	case "prefix":
		return table.Path{Kind: table.PathPrefix, Value: string(t.Value)}, nil
	case "segments":
		return table.Path{Kind: table.PathSegments, Value: string(t.Value)}, nil
	case "exact":
		return table.Path{Kind: table.PathExact, Value: string(t.Value)}, nil
	case "regex":
		return table.Path{Kind: table.PathRegex, Value: string(t.Value)}, nil
	}
	return table.Path{}, fmt.Errorf("unknown kind of path term %q", t.Kind)
}

// readArea reads paths and conditions of an area; its hosts are the pair's matter.
func (p *paths) readArea(vs *variables, class int, a certificate.Area) (area, error) {
	out := area{class: class}
	for _, list := range []struct {
		from []certificate.Term
		to   *[]pathTest
	}{{a.Paths.Include, &out.include}, {a.Paths.Within, &out.within}, {a.Paths.Exclude, &out.exclude}} {
		for _, term := range list.from {
			path, err := pathOf(term)
			if err != nil {
				return out, err
			}
			t, err := p.of(path)
			if err != nil {
				return out, err
			}
			*list.to = append(*list.to, t)
		}
	}
	var err error
	if out.conditions, err = demands(vs, a.Conditions); err != nil {
		return out, err
	}
	for _, e := range a.Except {
		list, err := demands(vs, e)
		if err != nil {
			return out, err
		}
		out.except = append(out.except, list)
	}
	return out, nil
}

func demands(vs *variables, conditions []certificate.Condition) ([]demand, error) {
	out := make([]demand, 0, len(conditions))
	for _, c := range conditions {
		predicate, err := c.Predicate()
		if err != nil {
			return nil, err
		}
		out = append(out, demand{vs.condition(predicate), answerOf(!c.Not)})
	}
	return out, nil
}

// takes tells whether the paths of an answer are in the area. holds tells of a literal or test whether it holds for them.
func (a *area) takes(holds func(pathTest) bool) bool {
	included := false
	for _, t := range a.include {
		included = included || holds(t)
	}
	for _, t := range a.within {
		included = included && holds(t)
	}
	for _, t := range a.exclude {
		included = included && !holds(t)
	}
	return included
}

// contains tells whether what is known of a request puts it into the area, as far as its conditions go. While that is open it
// gives the question to ask next.
func (a *area) contains(vs *variables, k knowledge) (bool, *condition) {
	in, ask := all(vs, k, a.conditions)
	if ask != nil || !in {
		return false, ask
	}
	for _, e := range a.except {
		if in, ask := all(vs, k, e); ask != nil || in {
			return false, ask
		}
	}
	return true, nil
}

// all tells whether every demand is met.
func all(vs *variables, k knowledge, list []demand) (bool, *condition) {
	for i := range list {
		switch vs.ask(k, list[i].condition) {
		case open:
			return false, &list[i].condition
		case list[i].want:
		default:
			return false, nil
		}
	}
	return true, nil
}
