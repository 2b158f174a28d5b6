package diff

import (
	"cmp"
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// clusterOf names a cluster as the share of a rule does.
type clusterOf struct {
	table.Backend
	variant string
}

// encryptedSide has the clusters of a side that are spoken to by TLS, with the words for it.
type encryptedSide map[clusterOf]table.Treatment

func encryptedClusters(set namedSet) encryptedSide {
	found := encryptedSide{}
	for _, cluster := range set.AllClusters() {
		if cluster.GetTransportSocket() == nil {
			continue
		}
		c := set.names.Connect(cluster, nil)
		for _, t := range encryption(c.Properties, nil) {
			if t.Name == table.UpstreamTLS {
				found[clusterOf{c.Backend, c.Variant}] = t
			}
		}
	}
	return found
}

// withTLS adds to the outcomes of a class the TLS to their backends, where some requests are spoken over it and others in plain text: who
// moves from one backend to another changes that too. How the same backend is reached otherwise is a class of its own.
func (c *gatewayComparison) withTLS(before, after []table.Outcome) (was, is []table.Outcome) {
	if c.encrypted == nil {
		earlier, later := ofBoth(namedSet{c.gateway.before, c.clusters.Before}, namedSet{c.gateway.after, c.clusters.After}, encryptedClusters)
		c.encrypted = &[2]encryptedSide{earlier, later}
	}
	encrypted, plain := 0, 0
	for side, outcomes := range [][]table.Outcome{before, after} {
		for _, o := range outcomes {
			e, p := c.encrypted[side].count(o)
			encrypted, plain = encrypted+e, plain+p
		}
	}
	if encrypted == 0 || plain == 0 {
		return before, after
	}
	return c.encrypted[0].addTo(before), c.encrypted[1].addTo(after)
}

// count is how many backends of an outcome are spoken to by TLS, and how many in plain text.
func (e encryptedSide) count(o table.Outcome) (encrypted, plain int) {
	for _, s := range o.Backends {
		if _, is := e[clusterOfShare(s)]; is {
			encrypted++
		} else if s.Backend.Status == 0 {
			plain++
		}
	}
	for _, part := range o.Parts {
		more, others := e.count(part.Outcome)
		encrypted, plain = encrypted+more, plain+others
	}
	return encrypted, plain
}

// addTo gives the outcomes with the TLS to each backend among its treatments.
func (e encryptedSide) addTo(outcomes []table.Outcome) []table.Outcome {
	outcomes = slices.Clone(outcomes)
	for i := range outcomes {
		o := &outcomes[i]
		o.Backends = slices.Clone(o.Backends)
		for j := range o.Backends {
			s := &o.Backends[j]
			if tls, is := e[clusterOfShare(*s)]; is {
				s.Treatment = append(slices.Clone(s.Treatment), tls)
				slices.SortStableFunc(s.Treatment, func(a, b table.Treatment) int { return cmp.Compare(a.Name, b.Name) })
			}
		}
		o.Parts = slices.Clone(o.Parts)
		for j := range o.Parts {
			o.Parts[j].Outcome = e.addTo([]table.Outcome{o.Parts[j].Outcome})[0]
		}
	}
	return outcomes
}

func clusterOfShare(s table.Share) clusterOf {
	named := clusterOf{Backend: s.Backend}
	for _, t := range s.Treatment {
		if t.Name == table.Variant {
			named.variant = t.Value
		}
	}
	return named
}
