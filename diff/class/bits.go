package class

import (
	"math/bits"
	"slices"
)

// bitset is a set of small numbers. The methods return new sets; sets that go together have one length.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func fullBitset(n int) bitset {
	b := newBitset(n)
	for i := range n {
		b.add(i)
	}
	return b
}

func (b bitset) add(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bitset) has(i int) bool { return b[i/64]>>(i%64)&1 == 1 }

func (b bitset) empty() bool {
	return !slices.ContainsFunc(b, func(word uint64) bool { return word != 0 })
}

func (b bitset) and(o bitset) bitset {
	out := make(bitset, len(b))
	for i := range b {
		out[i] = b[i] & o[i]
	}
	return out
}

func (b bitset) without(o bitset) bitset {
	out := make(bitset, len(b))
	for i := range b {
		out[i] = b[i] &^ o[i]
	}
	return out
}

func (b bitset) meets(o bitset) bool {
	for i := range b {
		if b[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// meetsIn tells whether b and o meet inside limit.
func (b bitset) meetsIn(o, limit bitset) bool {
	for i := range b {
		if b[i]&o[i]&limit[i] != 0 {
			return true
		}
	}
	return false
}

// within tells whether what b has inside limit is also in o.
func (b bitset) within(o, limit bitset) bool {
	for i := range b {
		if b[i]&limit[i]&^o[i] != 0 {
			return false
		}
	}
	return true
}

func (b bitset) first() int {
	for i, word := range b {
		if word != 0 {
			return i*64 + bits.TrailingZeros64(word)
		}
	}
	return -1
}

func (b bitset) count() (n int) {
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}
