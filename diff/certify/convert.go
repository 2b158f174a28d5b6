package certify

import (
	"slices"

	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/diff/class"
)

func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func pairOf(p class.KeptRules) certificate.Pair {
	out := certificate.Pair{Before: p.Before, After: p.After}
	for _, run := range p.Kept {
		out.Kept = append(out.Kept, certificate.Run{Before: run[0], After: run[1], Length: run[2]})
	}
	return out
}

func classOf(c *class.Class) certificate.Class {
	out := certificate.Class{
		Facet: string(c.Facet), Before: c.Before, After: c.After, More: c.MoreOutcomes,
		Witness: certificate.RequestOf(c.Witness),
	}
	for _, a := range c.Areas {
		out.Areas = append(out.Areas, areaOf(a))
	}
	return out
}

func areaOf(a class.Area) certificate.Area {
	out := certificate.Area{Hosts: termsOf(a.Hosts), Paths: termsOf(a.Paths), Conditions: conditionsOf(a.Conditions)}
	for _, e := range a.Except {
		out.Except = append(out.Except, conditionsOf(e))
	}
	return out
}

func termsOf(t class.Terms) certificate.Terms {
	list := func(terms []class.Term) []certificate.Term {
		var out []certificate.Term
		for _, term := range terms {
			out = append(out, certificate.Term{Kind: string(term.Kind), Value: certificate.Text(term.Value)})
		}
		return out
	}
	return certificate.Terms{Include: list(t.Include), Within: list(t.Within), Exclude: list(t.Exclude)}
}

func conditionsOf(list []class.Condition) []certificate.Condition {
	var out []certificate.Condition
	for _, c := range list {
		out = append(out, certificate.ConditionOf(c.Predicate, c.Not))
	}
	return out
}
