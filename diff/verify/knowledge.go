package verify

import (
	"math/big"
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// answered tells what is known of a question.
type answered uint8

const (
	open answered = iota
	yes
	no
)

func answerOf(b bool) answered {
	if b {
		return yes
	}
	return no
}

func (a answered) not() answered {
	switch a {
	case yes:
		return no
	case no:
		return yes
	}
	return open
}

// fact is what is known of one variable: whether there is a value, and which tests some value passes (holds) or none
// (fails).
type fact struct {
	present      answered
	holds, fails []int
}

// knowledge is what is known of a request, by variable.
type knowledge []fact

// ask tells whether a condition holds, or that its question is open: whether there is a value comes first.
//
//	            no value                    some value
//	present     missingAsEmpty xor invert   not invert
//	test        missingAsEmpty: as for ""   (some value passes) xor invert
//	            a header, a parameter: no
//	            a cookie: invert
func (vs *variables) ask(k knowledge, c condition) answered {
	f := &k[c.variable]
	if f.present == open {
		return open
	}
	var found answered
	switch {
	case c.test == presence:
		found = answerOf(f.present == yes || c.missingAsEmpty)
	case f.present == no && c.missingAsEmpty:
		found = answerOf(vs.list[c.variable].empty[c.test])
	case f.present == no && c.missingFails:
		return no
	case f.present == no:
		found = no
	case slices.Contains(f.holds, c.test):
		found = yes
	case slices.Contains(f.fails, c.test):
		found = no
	}
	if c.invert {
		return found.not()
	}
	return found
}

// learn answers the open question of a condition. It is false where no request has that answer.
func (vs *variables) learn(k knowledge, c condition, answer answered) (knowledge, bool) {
	k = slices.Clone(k)
	f := &k[c.variable]
	switch {
	case f.present == open:
		f.present = answer
	case answer == yes:
		f.holds = append(slices.Clip(f.holds), c.test)
	default:
		f.fails = append(slices.Clip(f.fails), c.test)
	}
	return k, vs.list[c.variable].possible(f)
}

// possible tells whether a request can be so. A header with several values has, for each test that holds, a value that passes it
// and none of those that fail; so each needs a sample of its own, and no more. One value needs one sample for all.
func (v *variable) possible(f *fact) bool {
	switch {
	case f.present == no:
		return v.optional
	case v.unknown || v.source == table.Free:
		return true
	}
	left := v.left(f)
	if !v.several {
		for _, t := range f.holds {
			left.And(left, v.passing[t])
		}
		return left.Sign() != 0
	}
	for _, t := range f.holds {
		if new(big.Int).And(left, v.passing[t]).Sign() == 0 {
			return false
		}
	}
	return left.Sign() != 0
}

// left are the samples that pass none of the tests that fail.
func (v *variable) left(f *fact) *big.Int {
	left := new(big.Int).Lsh(big.NewInt(1), uint(len(v.samples)))
	left.Sub(left, big.NewInt(1))
	for _, t := range f.fails {
		left.AndNot(left, v.passing[t])
	}
	return left
}

// values are some that a request of the fact holds.
func (v *variable) values(f *fact) []string {
	left := v.left(f)
	if !v.several {
		for _, t := range f.holds {
			left.And(left, v.passing[t])
		}
		return []string{v.samples[left.TrailingZeroBits()]}
	}
	var out []string
	for _, t := range f.holds {
		value := v.samples[new(big.Int).And(left, v.passing[t]).TrailingZeroBits()]
		if !slices.Contains(out, value) {
			out = append(out, value)
		}
	}
	if len(out) == 0 {
		out = append(out, v.samples[left.TrailingZeroBits()])
	}
	return out
}
