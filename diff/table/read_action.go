package table

import (
	"slices"
	"strconv"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
)

// readAction turns the action of a route, with everything inherited, into the outcome of a rule.
func (r *routeReader) readAction(host inheritance, route *routev3.Route, rule *Rule) {
	levels := []mutations{route, host, r.config}
	switch action := route.GetAction().(type) {
	case *routev3.Route_Redirect:
		rule.Outcome = redirectOutcome(action.Redirect, rule.Path)
	case *routev3.Route_DirectResponse:
		rule.Outcome = Outcome{Kind: Answered, Status: action.DirectResponse.GetStatus()}
		if body := action.DirectResponse.GetBody(); body != nil {
			rule.Outcome.treat("body", canonical(body))
		}
		if format := action.DirectResponse.GetBodyFormat(); format != nil {
			rule.Outcome.treat("body format", canonical(format))
		}
	case *routev3.Route_Route:
		levels = r.forward(host, action.Route, rule, levels)
		if rule.Outcome.Kind == ToBackends && r.answersPreflights(host, route) {
			rule.Outcome = Outcome{Kind: Answered, Status: 200}
		}
	default:
		rule.Outcome = Outcome{Kind: NoRoute}
		rule.unmodelled("action of another kind " + canonical(route))
	}
	if r.config.GetMostSpecificHeaderMutationsWins() {
		slices.Reverse(levels)
	}
	rule.Outcome.Treatment = append(rule.Outcome.Treatment, headerTreatment(levels)...)
	rule.Outcome.Treatment = append(rule.Outcome.Treatment, r.routeTreatment(host, route)...)
	rule.Outcome.Treatment = append(rule.Outcome.Treatment, r.shared...)
	if f := route.GetMatch().GetRuntimeFraction(); f.GetRuntimeKey() != "" && rule.Chance == nil {
		// The rule takes every request now, and an operator can make it take fewer.
		rule.Outcome.treat("runtime fraction", r.runtime.chanceText(f))
	}
	slices.SortStableFunc(rule.Outcome.Treatment, compareTreatments)
}

func (o *Outcome) treat(name, value string) {
	o.Treatment = append(o.Treatment, Treatment{Name: name, Value: value})
}

// forward reads a RouteAction. It returns the levels of header changes, with that of a lone weighted cluster in front.
func (r *routeReader) forward(host inheritance, action *routev3.RouteAction, rule *Rule, levels []mutations) []mutations {
	rule.Outcome = Outcome{Kind: ToBackends}
	switch c := action.GetClusterSpecifier().(type) {
	case *routev3.RouteAction_Cluster:
		rule.Outcome.setShares([]Share{r.share(c.Cluster, 1, action)})
	case *routev3.RouteAction_WeightedClusters:
		levels = r.weighted(c.WeightedClusters, action, rule, levels)
	case *routev3.RouteAction_ClusterHeader:
		rule.Outcome.setShares([]Share{{Backend: headerBackend(c.ClusterHeader), Weight: 1}})
	case *routev3.RouteAction_ClusterSpecifierPlugin:
		rule.Outcome.setShares([]Share{{Backend: pluginBackend(r.plugin(c.ClusterSpecifierPlugin)), Weight: 1}})
	case *routev3.RouteAction_InlineClusterSpecifierPlugin:
		rule.Outcome.setShares([]Share{{Backend: pluginBackend(c.InlineClusterSpecifierPlugin), Weight: 1}})
	default:
		rule.unmodelled("cluster specifier " + canonical(action))
	}
	if status, ok := onlyStatus(rule.Outcome.Backends); ok {
		// None of its clusters exists: Envoy answers by itself, and nothing that happens on the way to a backend does.
		rule.Outcome = Outcome{Kind: Answered, Status: status}
		return levels
	}
	if status := notFoundStatus(action); status != notFoundStatus(nil) && slices.ContainsFunc(rule.Outcome.Backends, chosenLate) {
		rule.Outcome.treat("answer without such a cluster", strconv.FormatUint(uint64(status), 10))
	}
	rule.Outcome.Treatment = append(rule.Outcome.Treatment, r.actionTreatment(host, action, rule.Path)...)
	return levels
}

// chosenLate tells whether the request says, or a plugin, which cluster a share is of: it may be one that does not exist.
func chosenLate(s Share) bool { return s.Backend.Kind == headerKind || s.Backend.Kind == pluginKind }

// plugin is a cluster specifier plugin of the route configuration. Envoy takes no name that is not there.
func (r *routeReader) plugin(name string) *routev3.ClusterSpecifierPlugin {
	for _, plugin := range r.config.GetClusterSpecifierPlugins() {
		if plugin.GetExtension().GetName() == name {
			return plugin
		}
	}
	return nil
}

// onlyStatus is the answer where no share reaches a backend.
func onlyStatus(shares []Share) (uint32, bool) {
	if len(shares) != 1 {
		return 0, false
	}
	return shares[0].Backend.Status, shares[0].Backend.Status != 0
}

// share is one cluster with its weight; a cluster that does not exist is the answer that the route gives for it.
func (r *routeReader) share(cluster string, weight uint64, action *routev3.RouteAction) Share {
	found, exists := r.backends.lookup(cluster)
	if !exists {
		return Share{Backend: Backend{Status: notFoundStatus(action)}, Weight: weight}
	}
	share := Share{Backend: found.Backend, Weight: weight}
	if found.variant != "" {
		share.Treatment = []Treatment{{Name: Variant, Value: found.variant}}
	}
	return share
}

func notFoundStatus(action *routev3.RouteAction) uint32 {
	switch action.GetClusterNotFoundResponseCode() {
	case routev3.RouteAction_NOT_FOUND:
		return 404
	case routev3.RouteAction_INTERNAL_SERVER_ERROR:
		return 500
	}
	return 503
}

// weighted reads weighted clusters. What is done for a lone one is done for the route.
func (r *routeReader) weighted(w *routev3.WeightedCluster, action *routev3.RouteAction, rule *Rule, levels []mutations) []mutations {
	used := slices.DeleteFunc(slices.Clone(w.GetClusters()), func(c *routev3.WeightedCluster_ClusterWeight) bool {
		return r.clusterWeight(w, c) == 0
	})
	alone := len(used) == 1
	var shares []Share
	for _, c := range used {
		share := r.share(c.GetName(), r.clusterWeight(w, c), action)
		if c.GetClusterHeader() != "" {
			share = Share{Backend: headerBackend(c.GetClusterHeader()), Weight: share.Weight}
		}
		if share.Backend.Status == 0 {
			share.Treatment = append(share.Treatment, r.clusterTreatment(c, alone)...)
			slices.SortStableFunc(share.Treatment, compareTreatments)
		}
		shares = append(shares, share)
	}
	rule.Outcome.setShares(shares)
	rule.Outcome.Treatment = append(rule.Outcome.Treatment, choiceTreatment(w, alone)...)
	if alone {
		return append([]mutations{used[0]}, levels...)
	}
	return levels
}

// clusterWeight is the weight of a cluster, which the runtime may replace by one of its own.
func (s *surroundings) clusterWeight(w *routev3.WeightedCluster, c *routev3.WeightedCluster_ClusterWeight) uint64 {
	if prefix := w.GetRuntimeKeyPrefix(); prefix != "" {
		return s.runtime.weight(prefix+"."+c.GetName(), c.GetWeight().GetValue())
	}
	return uint64(c.GetWeight().GetValue())
}

// choiceTreatment is what else than a random number picks among weighted clusters.
func choiceTreatment(w *routev3.WeightedCluster, alone bool) []Treatment {
	var list []Treatment
	switch by := w.GetRandomValueSpecifier().(type) {
	case *routev3.WeightedCluster_HeaderName:
		list = append(list, Treatment{Name: "share chosen by", Value: "header " + lowerASCII(by.HeaderName)})
	case *routev3.WeightedCluster_UseHashPolicy:
		if by.UseHashPolicy.GetValue() {
			list = append(list, Treatment{Name: "share chosen by", Value: "hash policy"})
		}
	}
	if alone {
		return nil
	}
	if key := w.GetRuntimeKeyPrefix(); key != "" {
		list = append(list, Treatment{Name: "weights overridden by runtime", Value: key})
	}
	return list
}

// chanceText is a runtime fraction: "10%", with the runtime key that may override it.
func (r runtimeValues) chanceText(f *corev3.RuntimeFractionalPercent) string {
	numerator, denominator := r.fraction(f)
	text := percent(uint64(min(numerator, denominator)), uint64(denominator))
	if key := f.GetRuntimeKey(); key != "" {
		text += " (runtime " + key + ")"
	}
	return text
}
