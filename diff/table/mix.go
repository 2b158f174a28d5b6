package table

import (
	"cmp"
	"math/big"
	"slices"
)

// Stage is a rule with a chance among those that a request meets one after the other.
type Stage struct {
	Chance  Chance
	Outcome Outcome
}

// Mix is what happens to a request that meets the conditions of rules with a chance, and behind them of a rule without: the
// distribution over their outcomes. None of them is Mixed.
//
// Envoy draws one number R for a request. A rule of n in d takes it where R mod d < n, and among weighted clusters of sum t
// the one whose part of [0, t) holds R mod t, in the order of the file (found by experiment on Envoy 1.40.0: of two rules of
// 30% each the second takes nothing, and behind a rule of 50% two equal weights send all to the second).
//
// Lemma 7 (two remainders). Let g be the greatest common divisor of d and t, and a <= d, b <= t. Among the numbers below the
// least common multiple of d and t those with R mod d < a and R mod t < b are
//
//	g*qa*qb + qa*rb + qb*ra + min(ra, rb),  where a = g*qa + ra and b = g*qb + rb, ra and rb less than g.
//
// Proof. By the Chinese remainder theorem each pair (x, y), x < d and y < t, belongs to just one such R if x = y mod g, and to
// none otherwise. Count the pairs with x < a and y < b by their common remainder c: there are qa such x, and one more if
// c < ra; qb such y, and one more if c < rb. The sum over the g remainders of (qa + [c < ra])(qb + [c < rb]) is the formula.
//
// The denominators 100, 10,000 and 1,000,000 divide each other, so the numbers that come as far as a rule are, for each
// denominator, those with remainders in one interval; together, intervals of remainders of the largest.
func Mix(stages []Stage, last Outcome) Outcome {
	var m mixture
	left := reach{}
	for _, s := range stages {
		m.add(left.below(s.Chance), s.Outcome)
		left = left.from(s.Chance)
	}
	m.add(left, last)
	mixed := m.outcome()
	mixed.Treatment = withOverrides(mixed.Treatment, stages, last)
	return mixed
}

// reach is the set of numbers whose remainders lie in all of its intervals, the smallest denominator first.
type reach []remainders

// remainders are the numbers R with low <= R mod modulus < high.
type remainders struct{ modulus, low, high uint64 }

// below are the numbers of the set that a chance takes, from those that it leaves.
func (r reach) below(c Chance) reach {
	return r.limit(c, func(i *remainders) { i.high = min(i.high, uint64(c.Numerator)) })
}

func (r reach) from(c Chance) reach {
	return r.limit(c, func(i *remainders) { i.low = max(i.low, uint64(c.Numerator)) })
}

func (r reach) limit(c Chance, limit func(*remainders)) reach {
	out := slices.Clone(r)
	modulus := uint64(c.Denominator)
	at, found := slices.BinarySearchFunc(out, modulus, func(i remainders, m uint64) int { return cmp.Compare(i.modulus, m) })
	if !found {
		out = slices.Insert(out, at, remainders{modulus, 0, modulus})
	}
	limit(&out[at])
	return out
}

// intervals writes the set as intervals of remainders of one modulus, the largest. The smaller ones repeat in it.
func (r reach) intervals() []remainders {
	out := []remainders{{modulus: 1, low: 0, high: 1}}
	if len(r) > 0 {
		out, r = r[:1:1], r[1:]
	}
	for _, next := range r {
		var finer []remainders
		for start := uint64(0); start < next.modulus; start += out[0].modulus {
			for _, i := range out {
				low, high := max(start+i.low, next.low), min(start+i.high, next.high)
				if low < high {
					finer = append(finer, remainders{next.modulus, low, high})
				}
			}
		}
		if len(finer) == 0 {
			return nil
		}
		out = finer
	}
	if out[0].low >= out[0].high {
		return nil
	}
	return out
}

// both counts the numbers below the least common multiple whose remainders lie in both intervals, by inclusion and exclusion.
func both(x, y remainders) uint64 {
	g := commonDivisor(x.modulus, y.modulus)
	below := func(a, b uint64) uint64 {
		qa, ra, qb, rb := a/g, a%g, b/g, b%g
		return g*qa*qb + qa*rb + qb*ra + min(ra, rb)
	}
	return below(x.high, y.high) - below(x.low, y.high) - below(x.high, y.low) + below(x.low, y.low)
}

// mixture gathers the outcomes with one destination each, and how many of all numbers lead to each.
type mixture struct {
	parts []mixedPart
}

type mixedPart struct {
	outcome Outcome
	mass    *big.Rat
}

// add adds the numbers of a set, divided by the weights of an outcome.
func (m *mixture) add(numbers reach, o Outcome) {
	intervals := numbers.intervals()
	if len(intervals) == 0 {
		return
	}
	drawn, total := o.drawn()
	start := uint64(0)
	for _, s := range drawn {
		weights := remainders{total, start, start + s.Weight}
		start += s.Weight
		count := uint64(0)
		for _, i := range intervals {
			count += both(i, weights)
		}
		if count > 0 {
			all := intervals[0].modulus / commonDivisor(intervals[0].modulus, total) * total
			m.addPart(o.alone(s), new(big.Rat).SetFrac(new(big.Int).SetUint64(count), new(big.Int).SetUint64(all)))
		}
	}
}

// drawn are the weights as Envoy draws among them: in the order of the file and not reduced. An outcome that has no choice is
// one weight of one.
func (o Outcome) drawn() ([]Share, uint64) {
	shares := o.Draw
	if shares == nil {
		shares = o.Backends
	}
	total := uint64(0)
	for _, s := range shares {
		total += s.Weight
	}
	if total == 0 {
		return []Share{{Weight: 1}}, 1
	}
	return shares, total
}

// alone is the outcome for the requests of one share.
func (o Outcome) alone(s Share) Outcome {
	o.Draw = nil
	if len(o.Backends) > 0 {
		s.Weight = 1
		o.Backends, o.Total = []Share{s}, 1
	}
	return o
}

func (m *mixture) addPart(o Outcome, mass *big.Rat) {
	key := o.Key()
	for _, p := range m.parts {
		if p.outcome.Key() == key {
			p.mass.Add(p.mass, mass)
			return
		}
	}
	m.parts = append(m.parts, mixedPart{o, mass})
}

// outcome writes the distribution in the one form that it has, whatever the rules it comes from.
func (m *mixture) outcome() Outcome {
	if len(m.parts) == 1 {
		return m.parts[0].outcome
	}
	weights := m.weights()
	toBackends := !slices.ContainsFunc(m.parts, func(p mixedPart) bool { return p.outcome.Kind != ToBackends || len(p.outcome.Backends) == 0 })
	if toBackends {
		return m.shares(weights)
	}
	mixed := Outcome{Kind: Mixed}
	for i, p := range m.parts {
		mixed.Parts = append(mixed.Parts, Part{Outcome: p.outcome, Weight: weights[i]})
		mixed.Total += weights[i]
	}
	slices.SortFunc(mixed.Parts, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Outcome.String(), b.Outcome.String()), cmp.Compare(a.Outcome.Key(), b.Outcome.Key()))
	})
	return mixed
}

// shares writes parts that all go to backends as shares. What is done for all of them is done for the outcome.
func (m *mixture) shares(weights []uint64) Outcome {
	outcome := Outcome{Kind: ToBackends, Treatment: m.commonTreatment()}
	var shares []Share
	for i, p := range m.parts {
		share := p.outcome.Backends[0]
		share.Weight = weights[i]
		var own []Treatment
		for _, t := range p.outcome.Treatment {
			if !slices.Contains(outcome.Treatment, t) {
				own = append(own, t)
			}
		}
		if own != nil {
			share.Treatment = append(own, share.Treatment...)
			slices.SortStableFunc(share.Treatment, compareTreatments)
		}
		shares = append(shares, share)
	}
	outcome.setShares(shares)
	outcome.Draw = nil
	return outcome
}

// commonTreatment is what all parts are treated with outside their shares: of each name all values or none.
func (m *mixture) commonTreatment() []Treatment {
	named := func(list []Treatment, name string) []Treatment {
		return slices.DeleteFunc(slices.Clone(list), func(t Treatment) bool { return t.Name != name })
	}
	return slices.DeleteFunc(slices.Clone(m.parts[0].outcome.Treatment), func(t Treatment) bool {
		first := named(m.parts[0].outcome.Treatment, t.Name)
		return slices.ContainsFunc(m.parts[1:], func(p mixedPart) bool {
			return !slices.Equal(named(p.outcome.Treatment, t.Name), first)
		})
	})
}

// finest is the total of weights that no 64 bits can hold exactly.
const finest = 1 << 62

// weights are the masses as whole numbers without a common divisor. Totals of several rules that have no divisor in common may
// need more than 64 bits; such weights are rounded to parts of finest, which is closer than a number of 64 bits, as Envoy
// draws it, comes to any of them.
func (m *mixture) weights() []uint64 {
	denominator := big.NewInt(1)
	for _, p := range m.parts {
		d := p.mass.Denom()
		g := new(big.Int).GCD(nil, nil, denominator, d)
		denominator.Mul(denominator, new(big.Int).Div(d, g))
	}
	if denominator.Cmp(big.NewInt(finest)) > 0 {
		denominator.SetUint64(finest)
	}
	out := make([]uint64, len(m.parts))
	var divisor uint64
	for i, p := range m.parts {
		scaled := new(big.Int).Mul(p.mass.Num(), denominator)
		out[i] = max(1, scaled.Div(scaled, p.mass.Denom()).Uint64())
		divisor = commonDivisor(divisor, out[i])
	}
	for i := range out {
		out[i] /= divisor
	}
	return out
}

// withOverrides adds the runtime keys by which the shares can be set otherwise while Envoy runs, unless that makes no
// difference.
func withOverrides(list []Treatment, stages []Stage, last Outcome) []Treatment {
	alike := !slices.ContainsFunc(stages, func(s Stage) bool { return s.Outcome.Key() != last.Key() })
	if alike {
		return list
	}
	out := list
	for _, s := range stages {
		t := Treatment{Name: "share overridden by runtime", Value: s.Chance.RuntimeKey}
		if s.Chance.RuntimeKey != "" && !slices.Contains(out, t) {
			out = append(slices.Clone(out), t)
		}
	}
	slices.SortStableFunc(out, compareTreatments)
	return out
}
