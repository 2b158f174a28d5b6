package table

import (
	"fmt"
	"slices"

	matcherv3 "github.com/cncf/xds/go/xds/type/matcher/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	tcpproxyv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/tcp_proxy/v3"
	udpproxyv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/udp/udp_proxy/v3"
	networkv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/matching/common_inputs/network/v3"
	fractionv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/matching/input_matchers/runtime_fraction/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"
)

// Closed is where what is passed on to no cluster ends: the connection is closed, the datagram dropped.
const Closed = "connection closed"

var (
	readTCPProxyFields = namesOf("stat_prefix cluster weighted_clusters access_log access_log_options")
	readUDPProxyFields = namesOf("stat_prefix cluster matcher access_log proxy_access_log access_log_options")
)

// forwardChain reads a filter chain that passes its connections on: a table of one rule, which takes every request that is sent over
// one. It is false for a chain that does more than that.
func (r *reader) forwardChain(t *Table, chain *listenerv3.FilterChain, shared []Treatment) bool {
	proxy := &tcpproxyv3.TcpProxy{}
	filters := chain.GetFilters()
	if len(filters) != 1 || !filters[0].GetTypedConfig().MessageIs(proxy) || filters[0].GetTypedConfig().UnmarshalTo(proxy) != nil {
		return false
	}
	var shares []Share
	if proxy.GetWeightedClusters() == nil {
		shares = []Share{r.forwardShare(proxy.GetCluster(), 1)}
	}
	for _, c := range proxy.GetWeightedClusters().GetClusters() {
		share := r.forwardShare(c.GetName(), uint64(c.GetWeight()))
		share.Treatment = append(share.Treatment, otherFields(c, namesOf("name weight"))...)
		shares = append(shares, share)
	}
	if chain.GetFilterChainMatch().GetTransportProtocol() == "tls" && chain.GetTransportSocket() == nil {
		// The client has TLS with the backend, and chooses by a server name all the same.
		t.TLS, t.Match = true, ""
		t.Passes = PassedTLS
	} else {
		t.Passes = PassedBytes
		if t.TLS {
			t.Passes = PassedDecrypted
		}
	}
	t.forward(chain.GetName(), chain.GetMetadata(), shares, append(shared, otherFields(proxy, readTCPProxyFields)...))
	return true
}

// datagrams reads a listener for UDP. It has no port among those of connections, since a TCP port may have its number: it is known by
// the name that people give such a port.
func (r *reader) datagrams(listener *listenerv3.Listener) *Table {
	port := listener.GetAddress().GetSocketAddress().GetPortValue()
	t := &Table{Scope: Scope{Gateway: r.set.Name, Listener: fmt.Sprint("UDP port ", port), Port: port, UDP: true}}
	proxy := &udpproxyv3.UdpProxyConfig{}
	filters := listener.GetListenerFilters()
	if len(filters) == 1 && filters[0].GetTypedConfig().MessageIs(proxy) && filters[0].GetTypedConfig().UnmarshalTo(proxy) == nil {
		if shares, known := r.datagramShares(proxy); known {
			t.Passes = PassedDatagrams
			t.forward(proxy.GetStatPrefix(), listener.GetMetadata(), shares, otherFields(proxy, readUDPProxyFields))
			return t
		}
	}
	t.Options.Unmodelled = []string{"listener for UDP " + canonical(listener)}
	return t
}

// forward makes the one rule.
func (t *Table) forward(name string, metadata *corev3.Metadata, shares []Share, treatment []Treatment) {
	rule := Rule{Name: name, Origin: readOrigin(metadata), Path: anyPath, Outcome: Split(shares...)}
	slices.SortStableFunc(treatment, compareTreatments)
	rule.Outcome.Treatment = treatment
	t.Routes = name
	t.Hosts = []Host{{Name: name, Domains: []string{"*"}, Rules: []Rule{rule}}}
}

func (r *reader) forwardShare(cluster string, weight uint64) Share {
	found, exists := r.backends.lookup(cluster)
	if !exists {
		return Share{Backend: Backend{Cluster: Closed, Status: 503}, Weight: weight}
	}
	share := Share{Backend: found.Backend, Weight: weight}
	if found.variant != "" {
		share.Treatment = []Treatment{{Name: Variant, Value: found.variant}}
	}
	return share
}

// datagramShares reads the clusters of a UDP proxy: one, or as many as the hashes of client ports are divided among, each below the
// sum of all shares up to its own. It is false for every other way to choose.
func (r *reader) datagramShares(proxy *udpproxyv3.UdpProxyConfig) ([]Share, bool) {
	matcher := proxy.GetMatcher()
	if matcher == nil {
		return []Share{r.forwardShare(proxy.GetCluster(), 1)}, true
	}
	if matcher.GetMatcherTree() != nil {
		return nil, false
	}
	var shares []Share
	var sum uint64
	for _, m := range matcher.GetMatcherList().GetMatchers() {
		below, known := clientsBelow(m.GetPredicate())
		cluster, routed := routedTo(m.GetOnMatch())
		if !known || !routed || below < sum {
			return nil, false
		}
		shares = append(shares, r.forwardShare(cluster, below-sum))
		sum = below
	}
	last, routed := routedTo(matcher.GetOnNoMatch())
	return append(shares, r.forwardShare(last, fractions-sum)), routed
}

// fractions is the denominator of the hashes.
const fractions = 1_000_000

func clientsBelow(p *matcherv3.Matcher_MatcherList_Predicate) (uint64, bool) {
	single := p.GetSinglePredicate()
	fraction := &fractionv3.RuntimeFraction{}
	if !single.GetInput().GetTypedConfig().MessageIs(&networkv3.SourcePortInput{}) || single.GetCustomMatch().GetTypedConfig().UnmarshalTo(fraction) != nil {
		return 0, false
	}
	percent := fraction.GetRuntimeFraction().GetDefaultValue()
	simple := percent.GetDenominator() == typev3.FractionalPercent_MILLION && fraction.GetRuntimeFraction().GetRuntimeKey() == "" && fraction.GetSeed() == 0
	return uint64(percent.GetNumerator()), simple && percent.GetNumerator() <= fractions
}

func routedTo(on *matcherv3.Matcher_OnMatch) (string, bool) {
	route := &udpproxyv3.Route{}
	if on.GetMatcher() != nil || on.GetKeepMatching() || on.GetAction().GetTypedConfig().UnmarshalTo(route) != nil {
		return "", false
	}
	return route.GetCluster(), true
}
