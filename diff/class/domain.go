package class

import (
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// mode is what a literal says about the values of a variable that is there.
type mode uint8

const (
	anyValue mode = iota // it is there: nothing more
	noneAtAll
	somePass // some value is in the literal's set
	nonePass // no value is in the literal's set
)

// literal is a predicate, or its negation, over the atoms of its variable.
//
// Lemma 9 (one literal for a predicate). Every predicate of Envoy's is one literal, and the negation of a literal is a literal:
//
//	                     absent   present
//	test                 no       some value passes
//	test, inverted       no       no value passes
//	 + missing as empty  as ""    the same
//	test of a cookie     no       it passes (inverted: yes, it does not)
//	present              no       yes (inverted: yes, no)
//
// Proof. A literal says two things: whether it holds for a request without the variable, and what it asks of one with it. The table
// reads a column each. What can be asked with it, anything or nothing, some value passes or none does, comes in pairs of
// opposites; so the opposite of both columns is a literal, and it is the negation, as a request is in just one column.
type literal struct {
	variable int
	absent   bool // holds for a request without the variable
	mode     mode
	set      bitset
}

func (l literal) not() literal {
	l.absent = !l.absent
	l.mode = [...]mode{anyValue: noneAtAll, noneAtAll: anyValue, somePass: nonePass, nonePass: somePass}[l.mode]
	return l
}

// literalOf reads a predicate of envoy.config.route.v3.HeaderMatcher, QueryParameterMatcher or CookieMatcher, of the method, or a
// free condition, which is there or not.
func literalOf(p table.Predicate, index int, v *variable) literal {
	if p.Test == table.Present {
		l := literal{variable: index, absent: p.MissingAsEmpty, mode: anyValue}
		if p.Invert {
			return l.not()
		}
		return l
	}
	t := v.tests[testOf(p)]
	l := literal{variable: index, mode: somePass, set: v.passing[t]}
	if p.Invert {
		l.mode, l.absent = nonePass, p.Source == table.Cookie
	}
	if p.MissingAsEmpty {
		l.absent = v.emptyPasses[t] != p.Invert
	}
	return l
}

// domain is what is still possible for a variable: to be absent, or to hold a set of values out of allowed that meets each
// of needed. For a variable with one value needed is empty.
type domain struct {
	several bool
	absent  bool
	allowed bitset
	needed  []bitset
}

// present tells whether the variable can still be there.
func (d *domain) present() bool {
	if d.allowed.empty() {
		return false
	}
	return !slices.ContainsFunc(d.needed, func(n bitset) bool { return !n.meets(d.allowed) })
}

func (d *domain) possible() bool { return d.absent || d.present() }

// assert returns the domain under a literal, which may be impossible.
func (d domain) assert(l literal) domain {
	d.absent = d.absent && l.absent
	switch {
	case l.mode == noneAtAll:
		d.allowed, d.needed = make(bitset, len(d.allowed)), nil
	case l.mode == nonePass:
		d.allowed = d.allowed.without(l.set)
	case l.mode == somePass && d.several:
		d.needed = append(d.needed[:len(d.needed):len(d.needed)], l.set)
	case l.mode == somePass:
		d.allowed = d.allowed.and(l.set)
	}
	return d
}

// allows tells whether the literal can still hold.
func (d *domain) allows(l literal) bool {
	if d.absent && l.absent {
		return true
	}
	switch l.mode {
	case anyValue:
		return d.present()
	case somePass:
		return l.set.meets(d.allowed) && d.present()
	case nonePass:
		left := domain{allowed: d.allowed.without(l.set), needed: d.needed}
		return left.present()
	}
	return false
}

// implies tells whether the literal holds whatever is still possible. It may miss that it does; the search then only takes
// longer.
func (d *domain) implies(l literal) bool {
	if d.absent && !l.absent {
		return false
	}
	switch l.mode {
	case anyValue:
		return true
	case noneAtAll:
		return !d.present()
	case somePass:
		return d.allowed.within(l.set, d.allowed) ||
			slices.ContainsFunc(d.needed, func(n bitset) bool { return n.within(l.set, d.allowed) })
	default:
		return !d.allowed.meets(l.set)
	}
}

// values are the fewest values found that a request of the domain can hold; nil for an absent variable.
func (d *domain) values(v *variable) []string {
	if d.absent {
		return nil
	}
	var out []string
	missing := slices.Clone(d.needed)
	for first := true; first || len(missing) > 0; first = false {
		best, most := d.allowed.first(), 0
		for a := range v.atoms {
			if !d.allowed.has(a) {
				continue
			}
			met := 0
			for _, n := range missing {
				if n.has(a) {
					met++
				}
			}
			if met > most {
				best, most = a, met
			}
		}
		out = append(out, v.atoms[best])
		missing = slices.DeleteFunc(missing, func(n bitset) bool { return n.has(best) })
	}
	return out
}
