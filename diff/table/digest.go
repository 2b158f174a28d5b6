package table

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// digest collects values, each with its length or in a fixed width, so that no two lists of values give the same bytes.
type digest struct{ bytes []byte }

// sum gives the digest of the values, and begins anew.
func (d *digest) sum() string {
	sum := sha256.Sum256(d.bytes)
	d.begin()
	return string(sum[:])
}

// begin drops the values.
func (d *digest) begin() { d.bytes = d.bytes[:0] }

// maxPlainKey is up to where comparing the values themselves is cheaper than their sum. Longer ones, such as a rule with the text
// of a filter, would also be kept once for each rule.
const maxPlainKey = 160

// key is the rule's values behind a 0, or where they are many their sum behind a 1. It is good until something else is written.
func (d *digest) key(r *Rule) []byte {
	d.begin()
	d.bytes = append(d.bytes, 0)
	d.match(r)
	d.outcome(&r.Outcome)
	if len(d.bytes) > maxPlainKey {
		sum := sha256.Sum256(d.bytes)
		d.begin()
		d.bytes = append(append(d.bytes, 1), sum[:]...)
	}
	return d.bytes
}

func (d *digest) text(s string) {
	d.number(uint64(len(s)))
	d.bytes = append(d.bytes, s...)
}

func (d *digest) texts(list []string) {
	d.number(uint64(len(list)))
	for _, s := range list {
		d.text(s)
	}
}

func (d *digest) number(n uint64) {
	if n < 0x80 { // as nearly all are
		d.bytes = append(d.bytes, byte(n))
		return
	}
	d.bytes = binary.AppendUvarint(d.bytes, n)
}

func (d *digest) flag(b bool) {
	if b {
		d.bytes = append(d.bytes, 1)
	} else {
		d.bytes = append(d.bytes, 0)
	}
}

// match writes the conditions of a rule.
func (d *digest) match(r *Rule) {
	d.number(uint64(r.Path.Kind))
	d.text(r.Path.Value)
	d.flag(r.Path.IgnoreCase)
	d.number(uint64(len(r.Predicates)))
	for i := range r.Predicates {
		d.predicate(&r.Predicates[i])
	}
	d.number(uint64(len(r.Derived)))
	for i := range r.Derived {
		d.predicate(&r.Derived[i])
	}
	d.flag(r.Connect)
	d.texts(r.Unmodelled)
	d.flag(r.Chance != nil)
	if r.Chance != nil {
		d.number(uint64(r.Chance.Numerator))
		d.number(uint64(r.Chance.Denominator))
		d.text(r.Chance.RuntimeKey)
	}
}

func (d *digest) predicate(p *Predicate) {
	d.number(uint64(p.Source))
	d.text(p.Name)
	d.number(uint64(p.Test))
	d.text(p.Value)
	d.flag(p.IgnoreCase)
	d.flag(p.Invert)
	d.flag(p.MissingAsEmpty)
}

// outcome writes everything that happens with a request.
func (d *digest) outcome(o *Outcome) {
	d.answer(o)
	d.treatment(o.Treatment)
	d.number(uint64(len(o.Backends)))
	for i := range o.Backends {
		s := &o.Backends[i]
		d.backend(&s.Backend)
		d.number(s.Weight)
		d.treatment(s.Treatment)
	}
	d.number(uint64(len(o.Parts)))
	for i := range o.Parts {
		d.outcome(&o.Parts[i].Outcome)
		d.number(o.Parts[i].Weight)
	}
}

// draw writes how a share is found.
func (d *digest) draw(shares []Share) {
	d.number(uint64(len(shares)))
	for i := range shares {
		d.backend(&shares[i].Backend)
		d.number(shares[i].Weight)
		d.treatment(shares[i].Treatment)
	}
}

// choice writes where the request goes.
func (d *digest) choice(o *Outcome) {
	d.answer(o)
	if len(o.Backends) == 1 && o.Backends[0].Weight > 0 { // as in nearly every rule, without a list of its own
		d.number(1)
		d.backend(&o.Backends[0].Backend)
		d.number(1)
	} else {
		shares := o.ByBackend()
		d.number(uint64(len(shares)))
		for i := range shares {
			d.backend(&shares[i].Backend)
			d.number(shares[i].Weight)
		}
	}
	d.parts(o.Parts)
}

// answer writes the kind and what Envoy answers by itself. No route and an answer of 404 are the same to a client: both are a
// 404 without a body (a body of a direct response is treatment).
func (d *digest) answer(o *Outcome) {
	kind, status := o.Kind, o.Status
	if kind == NoRoute {
		kind, status = Answered, 404
	}
	d.text(string(kind))
	d.number(uint64(status))
	d.text(o.Location)
}

// parts writes where the parts of an outcome go: those that go to one place together, in an order that does not depend on
// what else is done with them.
func (d *digest) parts(parts []Part) {
	type place struct {
		choice []byte
		weight uint64
	}
	places := make([]place, len(parts))
	for i := range parts {
		var part digest
		part.choice(&parts[i].Outcome)
		places[i] = place{part.bytes, parts[i].Weight}
	}
	slices.SortFunc(places, func(a, b place) int { return bytes.Compare(a.choice, b.choice) })
	var merged []place
	var divisor uint64
	for _, p := range places {
		if last := len(merged) - 1; last >= 0 && bytes.Equal(merged[last].choice, p.choice) {
			merged[last].weight += p.weight
		} else {
			merged = append(merged, p)
		}
	}
	for _, p := range merged {
		divisor = commonDivisor(divisor, p.weight)
	}
	d.number(uint64(len(merged)))
	for _, p := range merged {
		d.text(string(p.choice))
		d.number(p.weight / max(divisor, 1))
	}
}

func (d *digest) backend(b *Backend) {
	d.text(b.Kind)
	d.text(b.Namespace)
	d.text(b.Service)
	d.number(uint64(b.Port))
	d.text(b.Cluster)
	d.number(uint64(b.Status))
}

func (d *digest) treatment(list []Treatment) {
	d.number(uint64(len(list)))
	for i := range list {
		d.text(list[i].Name)
		d.text(list[i].Value)
	}
}
