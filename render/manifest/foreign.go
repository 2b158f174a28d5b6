package manifest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An object of a kind that is not read can change what becomes of a request all the same: as a route of another protocol, as a
// policy, as the values of a chart that makes routes. Who compares two inputs must be able to say that it differs, so a digest of
// it is kept, of what it says and not of how it is written.

// readForeign looks at an object of a kind that is not read.
func (one *item) readForeign(n *yaml.Node, group string) {
	if group == gatewayGroup || group == experimentalGroup || attachesItself(get(n, "spec")) {
		one.other.Bears, one.other.Digest = true, digest(content(n))
		return
	}
	if routes := routeValues(n, nil); len(routes) > 0 {
		// Of the values of a chart only those that are routes count: the others are mostly of its program.
		if group != "helm.toolkit.fluxcd.io" && group != "argoproj.io" {
			routes = content(n)
		}
		one.other.Bears, one.other.Digest = true, digest(routes)
		return
	}
	one.other.Digest = digest(content(n))
}

// experimentalGroup is where kinds of the Gateway API begin.
const experimentalGroup = "gateway.networking.x-k8s.io"

// attachesItself tells whether a spec is of a policy that names its targets (GEP-713), or selects them (Envoy Gateway).
func attachesItself(spec *yaml.Node) bool {
	for _, field := range []string{"targetRef", "targetRefs", "targetSelectors"} {
		if get(spec, field) != nil {
			return true
		}
	}
	return false
}

// routeValues are the mappings with a list of parentRefs, wherever they stand: the values of a HelmRelease or of an Argo CD
// Application, which a chart makes routes of. In the definition of a kind, parentRefs is no list.
func routeValues(n *yaml.Node, found []*yaml.Node) []*yaml.Node {
	n = resolve(n)
	if refs := get(n, "parentRefs"); refs != nil && refs.Kind == yaml.SequenceNode {
		return append(found, n)
	}
	for _, child := range n.Content {
		found = routeValues(child, found)
	}
	return found
}

// content is what an object says, without its name, its labels and what a controller writes into it.
func content(n *yaml.Node) []*yaml.Node {
	var list []*yaml.Node
	for p := range pairs(n) {
		switch p.key.Value {
		case "apiVersion", "kind", "metadata", "status":
		default:
			list = append(list, p.key, p.value)
		}
	}
	return list
}

// digest is equal for nodes that mean the same: comments, styles, anchors and the order of keys do not count.
func digest(nodes []*yaml.Node) string {
	h := nodeHash{sha256.New()}
	for _, n := range nodes {
		h.node(n)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

type nodeHash struct{ hash.Hash }

func (h nodeHash) node(n *yaml.Node) {
	n = resolve(n)
	switch n.Kind {
	case yaml.MappingNode:
		entries := slices.SortedStableFunc(pairs(n), func(a, b pair) int { return cmp.Compare(a.key.Value, b.key.Value) })
		h.text("mapping", len(entries), "")
		for _, p := range entries {
			h.node(p.key)
			h.node(p.value)
		}
	case yaml.SequenceNode:
		h.text("sequence", len(n.Content), "")
		for _, child := range n.Content {
			h.node(child)
		}
	default:
		h.text(n.Tag, len(n.Value), n.Value)
	}
}

// text writes a value behind its length, so that no two trees give the same bytes. A hash takes every byte.
func (h nodeHash) text(tag string, length int, value string) {
	_, _ = h.Write([]byte(tag + " " + strconv.Itoa(length) + ":" + value))
}
