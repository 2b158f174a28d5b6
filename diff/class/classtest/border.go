package classtest

import (
	"math/rand/v2"
	"slices"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// Borders draws up to n requests around the areas of all classes and of what is undecided, the witnesses first. About a third
// goes over HTTP/2.
func Borders(r *rand.Rand, n int, result *class.Result) []table.Request {
	var witnesses, around []table.Request
	for i := range result.Classes {
		c := &result.Classes[i]
		witnesses = append(witnesses, c.Witness)
		for _, a := range c.Areas {
			around = append(around, aroundArea(r, c.Witness, a)...)
		}
	}
	for _, u := range result.Undecided {
		for _, sample := range u.Samples {
			around = append(around, aroundArea(r, sample, u.Area)...)
		}
	}
	r.Shuffle(len(around), func(i, j int) { around[i], around[j] = around[j], around[i] })
	r.Shuffle(len(witnesses), func(i, j int) { witnesses[i], witnesses[j] = witnesses[j], witnesses[i] })
	requests := append(witnesses, around...)
	requests = requests[:min(n, len(requests))]
	for i := range requests {
		if r.IntN(3) == 0 {
			requests[i] = tabletest.OverHTTP2(requests[i])
		}
	}
	return requests
}

// aroundArea are requests of an area, as far as they can be written without solving it, and each of their neighbours. The
// witness lies in the class, though maybe in another of its areas.
func aroundArea(r *rand.Rand, witness table.Request, a class.Area) []table.Request {
	inside := clone(witness)
	for _, c := range a.Conditions {
		fulfil(&inside, c.Predicate, c.Not == c.Invert)
	}
	bases := []table.Request{clone(witness), inside}
	for _, t := range a.Paths.Include {
		bases = append(bases, withPath(inside, insidePath(t)))
	}
	for _, t := range a.Hosts.Include {
		bases = append(bases, withHost(inside, insideHost(t)))
	}
	out := slices.Clone(bases)
	base := func() table.Request { return bases[r.IntN(len(bases))] }
	for _, t := range slices.Concat(a.Paths.Include, a.Paths.Within, a.Paths.Exclude) {
		for _, path := range pathsNear(insidePath(t)) {
			out = append(out, withPath(base(), path))
		}
	}
	for _, t := range slices.Concat(a.Hosts.Include, a.Hosts.Exclude) {
		for _, host := range hostsNear(t) {
			out = append(out, withHost(base(), host))
		}
	}
	for _, conditions := range append([][]class.Condition{a.Conditions}, a.Except...) {
		out = append(out, aroundConditions(base, conditions)...)
	}
	return out
}

// aroundConditions are requests that meet a conjunction, and requests with one of its conditions turned.
func aroundConditions(base func() table.Request, conditions []class.Condition) []table.Request {
	met := clone(base())
	for _, c := range conditions {
		fulfil(&met, c.Predicate, c.Not == c.Invert)
	}
	out := []table.Request{met}
	for _, c := range conditions {
		for _, change := range changesOf(c.Predicate) {
			for _, from := range []table.Request{base(), met} {
				changed := clone(from)
				change(&changed)
				out = append(out, changed)
			}
		}
	}
	return out
}

func clone(r table.Request) table.Request {
	r.Headers = slices.Clone(r.Headers)
	return r
}

func withPath(r table.Request, path string) table.Request {
	r = clone(r)
	_, query, has := cutQuery(r.Path)
	r.Path = path
	if has {
		r.Path += "?" + query
	}
	return r
}

func withHost(r table.Request, host string) table.Request {
	r = clone(r)
	r.Host = host
	return r
}
