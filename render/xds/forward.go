package xds

import (
	xdscorev3 "github.com/cncf/xds/go/xds/core/v3"
	matcherv3 "github.com/cncf/xds/go/xds/type/matcher/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	tcpproxyv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/tcp_proxy/v3"
	udpproxyv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/udp/udp_proxy/v3"
	networkv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/matching/common_inputs/network/v3"
	fractionv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/matching/input_matchers/runtime_fraction/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"
	"google.golang.org/protobuf/proto"

	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
)

// tcpProxy passes the bytes of a connection on. Without a backend the connection is closed as soon as it is accepted: its cluster
// never exists.
func tcpProxy(chain model.FilterChain) *listenerv3.Filter {
	proxy := &tcpproxyv3.TcpProxy{StatPrefix: chain.Name}
	shares := forwardShares(chain.Forward)
	if len(shares) == 1 {
		proxy.ClusterSpecifier = &tcpproxyv3.TcpProxy_Cluster{Cluster: shares[0].cluster}
	} else {
		weighted := &tcpproxyv3.TcpProxy_WeightedCluster{}
		for _, s := range shares {
			weighted.Clusters = append(weighted.Clusters, &tcpproxyv3.TcpProxy_WeightedCluster_ClusterWeight{Name: s.cluster, Weight: s.weight})
		}
		proxy.ClusterSpecifier = &tcpproxyv3.TcpProxy_WeightedClusters{WeightedClusters: weighted}
	}
	return &listenerv3.Filter{
		Name:       "envoy.filters.network.tcp_proxy",
		ConfigType: &listenerv3.Filter_TypedConfig{TypedConfig: packed(proxy)},
	}
}

// forwardShare is a cluster with its weight.
type forwardShare struct {
	cluster string
	weight  uint32
}

// forwardShares are the shares that get anything, at least one. A refused backend is the cluster that never exists.
func forwardShares(forward *model.Forward) []forwardShare {
	var shares []forwardShare
	for _, weighted := range forward.Backends {
		if weighted.Weight == 0 {
			continue
		}
		s := forwardShare{files.InvalidBackend, weighted.Weight}
		if weighted.Backend != nil {
			s.cluster = clusterName(weighted.Backend)
		}
		shares = append(shares, s)
	}
	if len(shares) == 0 {
		shares = []forwardShare{{files.InvalidBackend, 1}}
	}
	return shares
}

// udpProxy passes datagrams on: those of one client port to one backend, for as long as there are any.
func udpProxy(chain model.FilterChain) *listenerv3.ListenerFilter {
	return &listenerv3.ListenerFilter{
		Name: "envoy.filters.udp_listener.udp_proxy",
		ConfigType: &listenerv3.ListenerFilter_TypedConfig{TypedConfig: packed(&udpproxyv3.UdpProxyConfig{
			StatPrefix:     chain.Name,
			RouteSpecifier: &udpproxyv3.UdpProxyConfig_Matcher{Matcher: splitByClient(forwardShares(chain.Forward))},
		})},
	}
}

// fractions is the precision to which weights are kept.
const fractions = 1_000_000

// splitByClient chooses by the hash of the client's port, since the UDP proxy has no weights: the first million-part of the hashes
// below the share of the first cluster, then those below the sum of the first two, and what is left.
func splitByClient(shares []forwardShare) *matcherv3.Matcher {
	var total, sum uint64
	for _, s := range shares {
		total += uint64(s.weight)
	}
	matcher := &matcherv3.Matcher{OnNoMatch: sendTo(shares[len(shares)-1].cluster)}
	list := &matcherv3.Matcher_MatcherList{}
	for _, s := range shares[:len(shares)-1] {
		sum += uint64(s.weight)
		list.Matchers = append(list.Matchers, &matcherv3.Matcher_MatcherList_FieldMatcher{
			Predicate: clientBelow(uint32(sum * fractions / total)),
			OnMatch:   sendTo(s.cluster),
		})
	}
	if len(list.Matchers) > 0 {
		matcher.MatcherType = &matcherv3.Matcher_MatcherList_{MatcherList: list}
	}
	return matcher
}

func sendTo(cluster string) *matcherv3.Matcher_OnMatch {
	return &matcherv3.Matcher_OnMatch{OnMatch: &matcherv3.Matcher_OnMatch_Action{Action: extension("route", &udpproxyv3.Route{Cluster: cluster})}}
}

// clientBelow is met by the client ports whose hash is below a fraction. All predicates of a list hash alike, so that each is met by
// those that the one before it is met by.
func clientBelow(numerator uint32) *matcherv3.Matcher_MatcherList_Predicate {
	fraction := &fractionv3.RuntimeFraction{RuntimeFraction: &corev3.RuntimeFractionalPercent{
		DefaultValue: &typev3.FractionalPercent{Numerator: numerator, Denominator: typev3.FractionalPercent_MILLION},
	}}
	return &matcherv3.Matcher_MatcherList_Predicate{MatchType: &matcherv3.Matcher_MatcherList_Predicate_SinglePredicate_{
		SinglePredicate: &matcherv3.Matcher_MatcherList_Predicate_SinglePredicate{
			Input: extension("envoy.matching.inputs.source_port", &networkv3.SourcePortInput{}),
			Matcher: &matcherv3.Matcher_MatcherList_Predicate_SinglePredicate_CustomMatch{
				CustomMatch: extension("envoy.matching.matchers.runtime_fraction", fraction),
			},
		},
	}}
}

func extension(name string, config proto.Message) *xdscorev3.TypedExtensionConfig {
	return &xdscorev3.TypedExtensionConfig{Name: name, TypedConfig: packed(config)}
}
