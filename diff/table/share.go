package table

import (
	"cmp"
	"slices"
)

// setShares fills Backends, Total and Draw: zero weights go, equal shares are merged, weights are reduced.
func (o *Outcome) setShares(shares []Share) {
	o.Backends = mergeShares(shares, func(a, b Share) int {
		return cmp.Or(compareBackends(a.Backend, b.Backend), slices.CompareFunc(a.Treatment, b.Treatment, compareTreatments))
	})
	o.Total = 0
	for _, s := range o.Backends {
		o.Total += s.Weight
	}
	if len(o.Backends) > 1 && !slices.EqualFunc(shares, o.Backends, equalShares) {
		o.Draw = shares
	}
}

// Split is the outcome of sending requests to these clusters by their weights, in the order of a file.
func Split(shares ...Share) Outcome {
	o := Outcome{Kind: ToBackends}
	o.setShares(shares)
	return o
}

func equalShares(a, b Share) bool {
	return a.Weight == b.Weight && a.Backend == b.Backend && slices.Equal(a.Treatment, b.Treatment)
}

// ByBackend are the shares without their treatment: one for each backend, with reduced weights.
func (o Outcome) ByBackend() []Share {
	bare := make([]Share, len(o.Backends))
	for i, s := range o.Backends {
		bare[i] = Share{Backend: s.Backend, Weight: s.Weight}
	}
	return mergeShares(bare, func(a, b Share) int { return compareBackends(a.Backend, b.Backend) })
}

// mergeShares adds the weights of shares that compare as equal, and sorts the largest first.
func mergeShares(shares []Share, compare func(a, b Share) int) []Share {
	if len(shares) == 1 && shares[0].Weight > 0 {
		alone := shares[0] // as in nearly every rule
		alone.Weight = 1
		return []Share{alone}
	}
	shares = slices.Clone(shares)
	slices.SortStableFunc(shares, compare)
	var merged []Share
	var divisor uint64
	for _, s := range shares {
		if s.Weight == 0 {
			continue
		}
		if last := len(merged) - 1; last >= 0 && compare(merged[last], s) == 0 {
			merged[last].Weight += s.Weight
		} else {
			merged = append(merged, s)
		}
	}
	for _, s := range merged {
		divisor = commonDivisor(divisor, s.Weight)
	}
	for i := range merged {
		merged[i].Weight /= divisor
	}
	slices.SortStableFunc(merged, func(a, b Share) int { return cmp.Compare(b.Weight, a.Weight) })
	return merged
}

func commonDivisor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func compareBackends(a, b Backend) int {
	return cmp.Or(
		cmp.Compare(a.Namespace, b.Namespace),
		cmp.Compare(a.Service, b.Service),
		cmp.Compare(a.Port, b.Port),
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Cluster, b.Cluster),
		cmp.Compare(a.Status, b.Status),
	)
}

func compareTreatments(a, b Treatment) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value))
}
