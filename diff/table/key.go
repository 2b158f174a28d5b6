package table

import (
	"crypto/sha256"
	"encoding/binary"
)

// Keys are opaque strings: two values are the same for the comparison exactly when their keys are (up to a collision of
// SHA-256). Names and origins are in none of them, so that a rename changes no key.

// Seal computes the keys of every rule once. Read seals what it returns; whoever changes a rule of a sealed table seals it
// again.
func (t *Table) Seal() {
	var d digest
	for h := range t.Hosts {
		rules := t.Hosts[h].Rules
		for i := range rules {
			rules[i].keys = rules[i].computeKeys(&d)
		}
	}
}

// ruleKeys are the keys of a rule, empty before Seal.
type ruleKeys struct{ match, outcome, whole string }

// MatchKey is the identity of the conditions: path, predicates, and what is not modelled.
func (r *Rule) MatchKey() string { return r.sealed().match }

// OutcomeKey is Outcome.Key.
func (r *Rule) OutcomeKey() string { return r.sealed().outcome }

// Key is the identity of conditions and outcome together: rules of one key can stand for each other.
func (r *Rule) Key() string { return r.sealed().whole }

func (r *Rule) sealed() ruleKeys {
	if r.keys.whole != "" {
		return r.keys
	}
	return r.computeKeys(&digest{})
}

// computeKeys takes a digest so that all rules of a table use the room of one.
func (r *Rule) computeKeys(d *digest) ruleKeys {
	d.number(uint64(r.Path.Kind))
	d.text(r.Path.Value)
	d.flag(r.Path.IgnoreCase)
	d.number(uint64(len(r.Predicates)))
	for _, p := range r.Predicates {
		d.predicate(p)
	}
	d.number(uint64(len(r.Unmodelled)))
	for _, u := range r.Unmodelled {
		d.text(u)
	}
	if r.Chance != nil {
		d.number(uint64(r.Chance.Numerator))
		d.number(uint64(r.Chance.Denominator))
		d.text(r.Chance.RuntimeKey)
	}
	match, outcome := d.sum(), r.Outcome.key(d)
	d.text(match)
	d.text(outcome)
	return ruleKeys{match: match, outcome: outcome, whole: d.sum()}
}

// Key is the identity of everything that happens with the request, treatment included.
func (o Outcome) Key() string { return o.key(&digest{}) }

func (o Outcome) key(d *digest) string {
	d.choice(o)
	d.treatment(o.Treatment)
	for _, s := range o.Backends {
		d.backend(s.Backend)
		d.number(s.Weight)
		d.treatment(s.Treatment)
	}
	return d.sum()
}

// SameBackends tells whether two outcomes send a request to the same place: the same shares, the same redirect, the same
// answer. They may differ in treatment.
func SameBackends(a, b Outcome) bool {
	var x, y digest
	x.choice(a)
	y.choice(b)
	return string(x.bytes) == string(y.bytes)
}

// choice writes where the request goes. No route and an answer of 404 are the same to a client: both are a 404 without a
// body (a body of a direct response is treatment).
func (d *digest) choice(o Outcome) {
	if o.Kind == NoRoute {
		o.Kind, o.Status = Answered, 404
	}
	d.text(string(o.Kind))
	d.number(uint64(o.Status))
	d.text(o.Location)
	shares := o.ByBackend()
	d.number(uint64(len(shares)))
	for _, s := range shares {
		d.backend(s.Backend)
		d.number(s.Weight)
	}
}

func (d *digest) backend(b Backend) {
	d.text(b.Kind)
	d.text(b.Namespace)
	d.text(b.Service)
	d.number(uint64(b.Port))
	d.text(b.Cluster)
	d.number(uint64(b.Status))
}

func (d *digest) treatment(list []Treatment) {
	d.number(uint64(len(list)))
	for _, t := range list {
		d.text(t.Name)
		d.text(t.Value)
	}
}

func (d *digest) predicate(p Predicate) {
	d.number(uint64(p.Source))
	d.text(p.Name)
	d.number(uint64(p.Test))
	d.text(p.Value)
	d.flag(p.IgnoreCase)
	d.flag(p.Invert)
	d.flag(p.MissingAsEmpty)
}

// digest collects values, each with its length or in a fixed width, so that no two lists of values give the same bytes.
type digest struct{ bytes []byte }

func (d *digest) text(s string) {
	d.number(uint64(len(s)))
	d.bytes = append(d.bytes, s...)
}

func (d *digest) number(n uint64) { d.bytes = binary.AppendUvarint(d.bytes, n) }

func (d *digest) flag(b bool) {
	if b {
		d.bytes = append(d.bytes, 1)
	} else {
		d.bytes = append(d.bytes, 0)
	}
}

// sum gives the digest of the values, and begins anew.
func (d *digest) sum() string {
	sum := sha256.Sum256(d.bytes)
	d.bytes = d.bytes[:0]
	return string(sum[:])
}
