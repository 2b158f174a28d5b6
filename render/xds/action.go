package xds

import (
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
)

// forward sends a request to a backend.
func forward(rule model.Rule) *routev3.RouteAction {
	action := &routev3.RouteAction{}
	setClusters(action, rule.Action.Backends)
	setRewrite(action, rule)
	setTimeouts(action, rule.Action)
	return action
}

// setClusters picks the backend by weight. Gateway API gives the share of a reference that is refused a 500: that share goes
// to a cluster that never exists, with the answer that the route gives for such a one.
func setClusters(action *routev3.RouteAction, backends []model.WeightedBackend) {
	var shares []*routev3.WeightedCluster_ClusterWeight
	for _, weighted := range backends {
		if weighted.Weight == 0 {
			continue
		}
		if weighted.Backend == nil {
			action.ClusterNotFoundResponseCode = routev3.RouteAction_INTERNAL_SERVER_ERROR
		}
		shares = append(shares, share(weighted))
	}
	if len(shares) == 0 {
		// No backend at all is what a refused one is; an empty list would be refused with the whole table.
		action.ClusterNotFoundResponseCode = routev3.RouteAction_INTERNAL_SERVER_ERROR
		shares = append(shares, share(model.WeightedBackend{Weight: 1}))
	}
	if len(shares) == 1 && plain(shares[0]) {
		action.ClusterSpecifier = &routev3.RouteAction_Cluster{Cluster: shares[0].Name}
		return
	}
	action.ClusterSpecifier = &routev3.RouteAction_WeightedClusters{WeightedClusters: &routev3.WeightedCluster{Clusters: shares}}
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
	}
}

// plain tells that nothing is done for this share alone, so that the cluster's name says it all.
func plain(s *routev3.WeightedCluster_ClusterWeight) bool {
	return len(s.RequestHeadersToAdd)+len(s.RequestHeadersToRemove)+len(s.ResponseHeadersToAdd)+len(s.ResponseHeadersToRemove) == 0
}

// setTimeouts leaves a route without timeouts to Envoy's own default of 15 s, as controllers do: the API says that it is up to the
// implementation (HTTPRouteTimeouts.request), and switching it off is an edit that a reviewer wants to see. 0 is no timeout. A
// backend timeout is the timeout of one try; the policy around it asks for no retry, and nothing else may end the try sooner.
func setTimeouts(action *routev3.RouteAction, a model.Action) {
	switch {
	case a.RequestTimeout != nil:
		action.Timeout = durationpb.New(*a.RequestTimeout)
	case a.BackendTimeout != nil:
		action.Timeout = durationpb.New(0)
	}
	if a.BackendTimeout != nil && *a.BackendTimeout > 0 {
		action.RetryPolicy = &routev3.RetryPolicy{
			NumRetries:    wrapperspb.UInt32(0),
			PerTryTimeout: durationpb.New(*a.BackendTimeout),
		}
	}
}
