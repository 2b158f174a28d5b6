package class

import "slices"

// takes tells whether a rule takes the requests of its conditions when Envoy has drawn a number.
func (c *candidate) takes(drawn uint32) bool {
	return !c.hasChance() || drawn%c.rule.Chance.Denominator < c.rule.Chance.Numerator
}

// maxDraws bounds the numbers that are tried for one list.
const maxDraws = 512

// draws are numbers that show every way in which the chances of a list can fall out together. Of more than maxDraws there
// are some, and all is false.
//
// A chance is "the number modulo 100, 10,000 or 1,000,000 is less than n". Written with two digits of base 100 below a third one
// that is compared as a whole, each of the digits is only compared with a digit of some n. So it is enough to try, for each digit, 0,
// those digits, and what follows them.
func draws(list []*candidate) (numbers []uint32, all bool) {
	if !slices.ContainsFunc(list, (*candidate).hasChance) {
		return []uint32{0}, true
	}
	digits := [3][]uint32{{0}, {0}, {0}}
	for _, k := range list {
		if !k.hasChance() {
			continue
		}
		n := k.rule.Chance.Numerator
		for i := range digits {
			digits[i] = append(digits[i], n%100, n%100+1)
			n /= 100
		}
	}
	for i := range digits {
		slices.Sort(digits[i])
		digits[i] = slices.DeleteFunc(slices.Compact(digits[i]), func(d uint32) bool { return d > 99 })
	}
	for _, high := range digits[2] {
		for _, middle := range digits[1] {
			for _, low := range digits[0] {
				if len(numbers) == maxDraws {
					return numbers, false
				}
				numbers = append(numbers, high*10_000+middle*100+low)
			}
		}
	}
	return numbers, true
}
