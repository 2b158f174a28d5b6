package class

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// Lemma 4 (chances). Write a list with a rule f that takes a part of the requests of its conditions C, and behind it the list R,
// as (C and r1: f, then r1), (C and r2: f, then r2)... for all r of R, followed by R. The first of these that a request meets says
// what happens to it, and none of them has a chance when the same is done to R before.
//
// Proof. A request outside C meets none of the composed rules and goes on to R, as it does behind f. A request in C that R gives
// to r, the first of R that it meets, meets (C and r) as the first composed rule: f takes its part, the rest goes to r.
//
// Lemma 1 holds for the chains so made, a chain being the rules with a chance that a request meets and the first without one: of
// a request that changes, the chain before or the chain after has an edited rule.
//
// Proof. Let both chains be of the common subsequence. Their first rules are the first rules that the request meets on each side,
// so they are the same rule (lemma 1). If it has no chance the chains end there. If it has one, the chains go on with the lists
// behind it, whose common subsequence is what is left of the old one, and so on to the end: the chains are equal, and so is what
// Mix makes of them.
//
// The cause of a chain is its first edited rule.

// maxChains bounds the list that one list is expanded to.
const maxChains = 2048

var errChains = errors.New("too many rules that each take a part of the requests of the same paths")

// expand writes a list without chances.
func (c *comparison) expand(list []*candidate) ([]*candidate, error) {
	first := slices.IndexFunc(list, (*candidate).hasChance)
	if first < 0 {
		return list, nil
	}
	var out []*candidate
	for i := len(list) - 1; i >= first; i-- {
		k := list[i]
		switch {
		case !k.hasChance():
			out = append([]*candidate{k}, out...)
			continue
		case !k.takesPart():
			continue
		case len(out) > maxChains/2:
			return nil, errChains
		}
		chains := make([]*candidate, 0, 2*len(out))
		for _, behind := range out {
			chains = append(chains, c.compose(k, behind))
		}
		if len(k.predicates()) > 0 || k.doubt != "" {
			chains = append(chains, out...)
		}
		out = chains
	}
	return slices.Concat(list[:first], out), nil
}

func (k *candidate) hasChance() bool { return k.rule != nil && k.rule.Chance != nil }

// takesPart: of the requests that it matches, some, not none.
func (k *candidate) takesPart() bool { return k.hasChance() && k.rule.Chance.Numerator > 0 }

// compose is the chain of a rule with a chance and what takes the requests that it leaves.
func (c *comparison) compose(k, behind *candidate) *candidate {
	chain := append([]*candidate{k}, behind.rules()...)
	out := &candidate{
		side: k.side, position: behind.position, key: c.chainKey(chain), edit: k.edit, pattern: -1,
		doubt: k.doubt, chain: chain, joined: slices.Concat(k.predicates(), behind.predicates()),
	}
	if out.edit < 0 {
		out.edit = behind.edit
	}
	if out.doubt == "" {
		out.doubt = behind.doubt
	}
	if out.doubt == "" {
		mixed := mixChain(chain)
		out.outcome, out.choice = c.outcomes.of(mixed.Key(), &mixed)
	}
	return out
}

// rules are the rules that take a request together: mostly one.
func (k *candidate) rules() []*candidate {
	if k.chain == nil {
		return []*candidate{k}
	}
	return k.chain
}

// chainKeys is the bit by which the key of a chain is no rule's.
const chainKeys = 1 << 31

// chainKey is the same for chains of the same rules. A chain that ends with no route is no other's beginning.
func (c *comparison) chainKey(chain []*candidate) uint32 {
	key := []byte("chain")
	for _, k := range chain {
		if k.rest {
			key = append(key, "rest"...)
			continue
		}
		key = binary.LittleEndian.AppendUint32(key, k.key)
	}
	return chainKeys | uint32(c.ruleKeys.of(string(key)))
}

// mixChain is what a chain does with a request. Only "no route" has no rule: tails with chances are never hidden.
func mixChain(chain []*candidate) table.Outcome {
	var stages []table.Stage
	for _, k := range chain[:len(chain)-1] {
		stages = append(stages, table.Stage{Chance: *k.rule.Chance, Outcome: k.rule.Outcome})
	}
	last := noRoute
	if rule := chain[len(chain)-1].rule; rule != nil {
		last = rule.Outcome
	}
	return table.Mix(stages, last)
}
