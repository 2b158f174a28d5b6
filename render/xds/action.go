package xds

import (
	"cmp"
	"slices"
	"time"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
)

// forward sends a request to a backend.
func forward(rule model.Rule) *routev3.RouteAction {
	action := &routev3.RouteAction{}
	setClusters(action, rule.Action)
	setRewrite(action, rule)
	setTimeouts(action, rule.Action)
	action.RequestMirrorPolicies = mirrors(rule.Action.Mirrors)
	action.RetryPolicy = retryPolicy(rule.Action)
	return action
}

// setClusters picks the backend by weight. Gateway API gives the share of a reference that is refused a 500: that share goes
// to a cluster that never exists, with the answer that the route gives for such a one.
func setClusters(action *routev3.RouteAction, a model.Action) {
	var shares []*routev3.WeightedCluster_ClusterWeight
	for _, weighted := range a.Backends {
		if weighted.Weight == 0 {
			continue
		}
		if weighted.Backend == nil {
			action.ClusterNotFoundResponseCode = refusedCode(a.RefusedStatus)
		}
		made := share(weighted)
		setHostname(made, weighted, a)
		shares = append(shares, made)
	}
	if len(shares) == 0 {
		// No backend at all is what a refused one is; an empty list would be refused with the whole table.
		action.ClusterNotFoundResponseCode = refusedCode(a.RefusedStatus)
		shares = append(shares, share(model.WeightedBackend{Weight: 1}))
	}
	if len(shares) == 1 && plain(shares[0]) {
		action.ClusterSpecifier = &routev3.RouteAction_Cluster{Cluster: shares[0].Name}
		return
	}
	action.ClusterSpecifier = &routev3.RouteAction_WeightedClusters{WeightedClusters: &routev3.WeightedCluster{Clusters: shares}}
}

// refusedCode: 503 becomes UNAVAILABLE in an answer to gRPC, 500 would become UNKNOWN.
func refusedCode(status uint32) routev3.RouteAction_ClusterNotFoundResponseCode {
	if status == 503 {
		return routev3.RouteAction_SERVICE_UNAVAILABLE
	}
	return routev3.RouteAction_INTERNAL_SERVER_ERROR
}

func share(weighted model.WeightedBackend) *routev3.WeightedCluster_ClusterWeight {
	name := files.InvalidBackend
	if weighted.Backend != nil {
		name = clusterName(weighted.Backend)
	}
	return &routev3.WeightedCluster_ClusterWeight{
		Name:                    name,
		Weight:                  wrapperspb.UInt32(weighted.Weight),
		RequestHeadersToAdd:     headersToAdd(weighted.RequestHeaders),
		RequestHeadersToRemove:  weighted.RequestHeaders.Remove,
		ResponseHeadersToAdd:    headersToAdd(weighted.ResponseHeaders),
		ResponseHeadersToRemove: weighted.ResponseHeaders.Remove,
		TypedPerFilterConfig:    shareFilters(weighted),
	}
}

// setHostname rewrites the Host header for one backend. A rewrite of the route would win over it in Envoy, so where any backend has its own
// that of the rule stands at each of the others.
func setHostname(made *routev3.WeightedCluster_ClusterWeight, weighted model.WeightedBackend, a model.Action) {
	if hostname := cmp.Or(weighted.Hostname, a.Rewrite.Hostname); hostname != "" && rewritesByBackend(a) {
		made.HostRewriteSpecifier = &routev3.WeightedCluster_ClusterWeight_HostRewriteLiteral{HostRewriteLiteral: hostname}
	}
}

func rewritesByBackend(a model.Action) bool {
	return slices.ContainsFunc(a.Backends, func(b model.WeightedBackend) bool { return b.Hostname != "" && b.Weight > 0 })
}

// plain tells that nothing is done for this share alone, so that the cluster's name says it all.
func plain(s *routev3.WeightedCluster_ClusterWeight) bool {
	return len(s.RequestHeadersToAdd)+len(s.RequestHeadersToRemove)+len(s.ResponseHeadersToAdd)+len(s.ResponseHeadersToRemove) == 0 &&
		s.HostRewriteSpecifier == nil && s.TypedPerFilterConfig == nil
}

// streamIdleTimeout is after how much silence Envoy ends a request that no route says more about.
const streamIdleTimeout = 5 * time.Minute

// setTimeouts leaves a route without timeouts to Envoy's own default of 15 s, as controllers do: the API says that it is up to the
// implementation (HTTPRouteTimeouts.request), and switching it off is an edit that a reviewer wants to see. 0 is no timeout. A
// backend timeout is the timeout of one try (retryPolicy), and nothing else may end the try sooner: not the default of the route, nor
// that of a silent stream.
func setTimeouts(action *routev3.RouteAction, a model.Action) {
	allowed := a.RequestTimeout
	switch {
	case a.RequestTimeout != nil:
		action.Timeout = durationpb.New(*a.RequestTimeout)
	case a.BackendTimeout != nil:
		action.Timeout = durationpb.New(0)
		tries := 1 + time.Duration(retries(a.Retry))
		all := tries * *a.BackendTimeout
		allowed = &all
	}
	if allowed != nil && (*allowed == 0 || *allowed > streamIdleTimeout) {
		action.IdleTimeout = durationpb.New(*allowed)
	}
}
