package diff

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// flows say which share of the requests goes from which destination to which other one. Envoy draws a random number for each
// request, so no single request moves; the shares do. What a destination keeps is no flow. Nil when a side takes no
// connection, and where a share is no fraction of 64 bits (the two outcomes say it still).
//
// The shares that shrink are matched with those that grow: first those of one size, then the largest with the largest.
//
// Lemma 14 (flows). Adding the flows to the shares before gives the shares after, with n shrinking and m growing shares they are at
// most n + m - 1, and one if one explains all.
//
// Proof. Both sides sum to the whole, so what shrinks sums to what grows. A flow takes the lesser of what is left of its two parts,
// so it uses up one of them, and the last flow, as the sums are equal, both: that is at most n + m - 1. No part flows that is used
// up, and the pairing goes on while any is left on both sides, that is on one. If n = m = 1 the sizes are equal.
func flows(before, after table.Outcome) []report.Flow {
	if before.Kind == report.NotServed || after.Kind == report.NotServed {
		return nil
	}
	shrinking, growing := difference(destinations(before), destinations(after))
	found := pairParts(shrinking, growing, true)
	found = append(found, pairParts(shrinking, growing, false)...)
	return onWire(found)
}

// part is the share of the requests that has one destination: one backend, redirect or answer, without its treatment.
type part struct {
	destination table.Outcome
	share       *big.Rat
}

// destinations are the parts of an outcome by their key. They sum to 1, unless the outcome holds nothing.
func destinations(o table.Outcome) map[string]part {
	parts := map[string]part{}
	addDestinations(parts, o, big.NewRat(1, 1))
	return parts
}

func addDestinations(parts map[string]part, o table.Outcome, share *big.Rat) {
	switch o.Kind {
	case table.Mixed:
		for _, p := range o.Parts {
			addDestinations(parts, p.Outcome, portion(share, p.Weight, o.Total))
		}
	case table.ToBackends:
		for _, s := range o.Backends {
			addDestination(parts, backendOutcome(s.Backend), portion(share, s.Weight, o.Total))
		}
	default:
		addDestination(parts, table.Outcome{Kind: o.Kind, Status: o.Status, Location: o.Location}, share)
	}
}

func addDestination(parts map[string]part, destination table.Outcome, share *big.Rat) {
	key := destination.ChoiceKey()
	if known, seen := parts[key]; seen {
		share = new(big.Rat).Add(known.share, share)
	}
	parts[key] = part{destination, share}
}

// portion is weight/total of a share.
func portion(share *big.Rat, weight, total uint64) *big.Rat {
	if total == 0 {
		return new(big.Rat)
	}
	ratio := new(big.Rat).SetFrac(new(big.Int).SetUint64(weight), new(big.Int).SetUint64(total))
	return ratio.Mul(ratio, share)
}

// difference gives what each destination loses and gains, the largest first, then by name.
func difference(was, is map[string]part) (shrinking, growing []part) {
	for key, before := range was {
		if lost := less(before, is[key]); lost.Sign() > 0 {
			shrinking = append(shrinking, part{before.destination, lost})
		}
	}
	for key, after := range is {
		if gained := less(after, was[key]); gained.Sign() > 0 {
			growing = append(growing, part{after.destination, gained})
		}
	}
	sortParts(shrinking)
	sortParts(growing)
	return shrinking, growing
}

// less is by how much a share is larger than another one, which may not be there.
func less(a, b part) *big.Rat {
	if b.share == nil {
		return new(big.Rat).Set(a.share)
	}
	return new(big.Rat).Sub(a.share, b.share)
}

func sortParts(parts []part) {
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(b.share.Cmp(a.share), compareDestinations(a.destination, b.destination))
	})
}

func compareDestinations(a, b table.Outcome) int {
	if a.Kind == table.ToBackends && b.Kind == table.ToBackends {
		return compareBackends(a.Backends[0].Backend, b.Backends[0].Backend)
	}
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Status, b.Status), cmp.Compare(a.Location, b.Location))
}

func compareBackends(a, b table.Backend) int {
	return cmp.Or(
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Service, b.Service),
		cmp.Compare(a.Port, b.Port), cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Status, b.Status),
	)
}

// flow is report.Flow before its share is written as a fraction of the class's common whole.
type flow struct {
	from, to table.Outcome
	share    *big.Rat
}

// pairParts moves what shrinks to what grows, in order, and uses up both. With equal only parts of one size meet.
func pairParts(from, to []part, equal bool) []flow {
	var found []flow
	for i := range from {
		for j := range to {
			size := from[i].share
			if size.Cmp(to[j].share) > 0 {
				size = to[j].share
			}
			if size.Sign() == 0 || equal && from[i].share.Cmp(to[j].share) != 0 {
				continue
			}
			found = append(found, flow{from[i].destination, to[j].destination, size})
			from[i].share, to[j].share = new(big.Rat).Sub(from[i].share, size), new(big.Rat).Sub(to[j].share, size)
		}
	}
	return found
}

// onWire writes all shares as fractions of the least common whole, nil if one of them is too large.
func onWire(found []flow) []report.Flow {
	whole := big.NewInt(1)
	for _, f := range found {
		divisor := new(big.Int).GCD(nil, nil, whole, f.share.Denom())
		whole.Mul(whole, new(big.Int).Div(f.share.Denom(), divisor))
		if !whole.IsUint64() {
			return nil
		}
	}
	var list []report.Flow
	for _, f := range found {
		size := new(big.Int).Mul(f.share.Num(), new(big.Int).Div(whole, f.share.Denom()))
		list = append(list, report.Flow{From: f.from, To: f.to, Part: size.Uint64(), Whole: whole.Uint64()})
	}
	return list
}
