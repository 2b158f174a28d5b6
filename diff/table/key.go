package table

import (
	"crypto/sha256"
	"slices"
	"strings"
)

// Keys are opaque strings: two values are the same for the comparison exactly when their keys are (for long ones up to a
// collision of SHA-256). Names and origins are in none of them, so that a rename changes no key.

// Seal computes the keys of every rule, and the digests of hosts and table, once. Read seals what it returns; whoever
// changes a sealed table seals it again.
func (t *Table) Seal() {
	var d digest
	for h := range t.Hosts {
		t.Hosts[h].seal(&d)
	}
	t.digest = t.computeDigest(&d)
}

// seal keeps the keys of a host in one text, of which each rule has its part, so that no rule needs room of its own.
func (h *Host) seal(d *digest) {
	const usual = 96 // bytes of a key
	var keys strings.Builder
	keys.Grow(len(h.Rules) * usual)
	whole, ends := sha256.New(), make([]int, len(h.Rules))
	for i := range h.Rules {
		key := d.key(&h.Rules[i])
		keys.Write(key)
		whole.Write(key)
		ends[i] = keys.Len()
	}
	start := 0
	for i, end := range ends {
		h.Rules[i].key = keys.String()[start:end]
		start = end
	}
	d.begin()
	if haveChance(h.Rules) {
		for i := range h.Rules {
			d.draw(h.Rules[i].Outcome.Draw)
		}
	}
	whole.Write(d.bytes)
	d.begin()
	h.digest = string(whole.Sum(nil))
}

func haveChance(rules []Rule) bool {
	for i := range rules {
		if rules[i].Chance != nil {
			return true
		}
	}
	return false
}

// Digest is the identity of the rules of a host in their order: hosts of one digest do the same with every request that comes to
// them.
func (h *Host) Digest() string {
	if h.digest != "" {
		return h.digest
	}
	unsealed := Host{Rules: slices.Clone(h.Rules)}
	unsealed.seal(&digest{})
	return unsealed.digest
}

// Digest is the identity of the domains and rules of all hosts in their order. Options are not in it.
func (t *Table) Digest() string {
	if t.digest != "" {
		return t.digest
	}
	return t.computeDigest(&digest{})
}

func (t *Table) computeDigest(d *digest) string {
	hosts := make([]string, len(t.Hosts))
	for h := range t.Hosts {
		hosts[h] = t.Hosts[h].Digest()
	}
	for h := range t.Hosts {
		d.texts(t.Hosts[h].Domains)
		d.text(hosts[h])
	}
	return d.sum()
}

// Key is the identity of conditions and outcome together: rules of one key can stand for each other.
func (r *Rule) Key() string {
	if r.key != "" {
		return r.key
	}
	var d digest
	return string(d.key(r))
}

// KeyBetween is the key by which the rules of two lists are compared: Key, unless a rule of either list has a chance. The number
// that decides about a chance decides about shares too, so how it is used for them (Outcome.Draw) is then part of the key.
func KeyBetween(before, after []Rule) func(*Rule) string {
	if haveChance(before) || haveChance(after) {
		return (*Rule).keyWithDraw
	}
	return (*Rule).Key
}

func (r *Rule) keyWithDraw() string {
	if r.Outcome.Draw == nil {
		return r.Key()
	}
	var d digest
	d.text(r.Key())
	d.draw(r.Outcome.Draw)
	return d.sum()
}

// MatchKey is the identity of the conditions: path, predicates, chance, and what is not modelled.
func (r *Rule) MatchKey() string {
	var d digest
	d.match(r)
	return d.sum()
}

// OutcomeKey is Outcome.Key.
func (r *Rule) OutcomeKey() string { return r.Outcome.Key() }

// Key is the identity of everything that happens with the request, treatment included.
func (o Outcome) Key() string {
	var d digest
	d.outcome(&o)
	return d.sum()
}

// ChoiceKey is the identity of what SameBackends compares.
func (o Outcome) ChoiceKey() string {
	var d digest
	d.choice(&o)
	return d.sum()
}

// SameBackends tells whether two outcomes send a request to the same place: the same shares, the same redirect, the same
// answer. They may differ in treatment.
func SameBackends(a, b Outcome) bool {
	if len(a.Backends) == 1 && len(b.Backends) == 1 && a.Kind == ToBackends && b.Kind == ToBackends && a.Status == b.Status && a.Backends[0].Weight > 0 && b.Backends[0].Weight > 0 {
		return a.Backends[0].Backend == b.Backends[0].Backend && a.Location == b.Location
	}
	var x, y digest
	x.choice(&a)
	y.choice(&b)
	return string(x.bytes) == string(y.bytes)
}
