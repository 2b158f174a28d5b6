package diff

import (
	"cmp"
	"math"
	"slices"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// flows say which share of the requests goes from which backend to which other one. Envoy draws a random number for each
// request, so no single request moves; the shares do. What a backend keeps is no flow. Nil when a side has no backends.
//
// The shares that shrink are matched with those that grow: first those of one size, then the largest with the largest. That gives at
// most (shrinking + growing - 1) flows, and one where one explains all.
func flows(before, after table.Outcome) []report.Flow {
	if before.Kind != table.ToBackends || after.Kind != table.ToBackends || !summable(before) || !summable(after) {
		return nil
	}
	whole := leastCommonMultiple(before.Total, after.Total)
	was, is := distribution(before, whole), distribution(after, whole)
	var shrinking, growing []part
	for backend, n := range was {
		if n > is[backend] {
			shrinking = append(shrinking, part{backend, n - is[backend]})
		}
	}
	for backend, n := range is {
		if n > was[backend] {
			growing = append(growing, part{backend, n - was[backend]})
		}
	}
	sortParts(shrinking)
	sortParts(growing)
	found := pairParts(shrinking, growing, true)
	found = append(found, pairParts(shrinking, growing, false)...)
	common := whole
	for _, f := range found {
		common = greatestCommonDivisor(common, f.Part)
	}
	for i := range found {
		found[i].Part /= common
		found[i].Whole = whole / common
	}
	return found
}

// summable tells whether the product of two totals fits: Envoy refuses weights that sum to more than 32 bits, so all that it
// loads is.
func summable(o table.Outcome) bool { return o.Total > 0 && o.Total <= math.MaxUint32 }

type part struct {
	backend table.Backend
	size    uint64
}

// distribution is the share of each backend of a whole, treatments put together.
func distribution(o table.Outcome, whole uint64) map[table.Backend]uint64 {
	parts := map[table.Backend]uint64{}
	for _, s := range o.Backends {
		parts[s.Backend] += s.Weight * (whole / o.Total)
	}
	return parts
}

// sortParts puts the largest first, then by name.
func sortParts(parts []part) {
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(-cmp.Compare(a.size, b.size), compareBackends(a.backend, b.backend))
	})
}

func compareBackends(a, b table.Backend) int {
	return cmp.Or(
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Service, b.Service),
		cmp.Compare(a.Port, b.Port), cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Status, b.Status),
	)
}

// pairParts moves what shrinks to what grows, in order, and uses up both. With equal only parts of one size meet.
func pairParts(from, to []part, equal bool) []report.Flow {
	var found []report.Flow
	for i := range from {
		for j := range to {
			size := min(from[i].size, to[j].size)
			if size == 0 || equal && from[i].size != to[j].size {
				continue
			}
			from[i].size -= size
			to[j].size -= size
			found = append(found, report.Flow{From: from[i].backend, To: to[j].backend, Part: size})
		}
	}
	return found
}

func greatestCommonDivisor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func leastCommonMultiple(a, b uint64) uint64 { return a / greatestCommonDivisor(a, b) * b }
