package attach

import (
	"cmp"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// shared is what the backendRefs of a rule come down to: shares, or an answer where none of them can serve.
type shared struct {
	shares     []model.WeightedBackend
	direct     *model.Direct
	unrendered []model.Unrendered
	// lone are the filters of the only backend that gets requests, as far as they are done for the rule.
	lone filtered
}

// backends reads the backendRefs of a rule. "The proportion of requests that would otherwise have been routed to an invalid
// backend MUST receive a 500 status code" (HTTPRouteRule.backendRefs), or UNAVAILABLE from a GRPCRoute: such a share stays,
// without a backend.
func (r ruleReader) backends(refs []gatewayv1.HTTPBackendRef) shared {
	var s shared
	var total, valid uint32
	var first *unresolved
	scope := shareScope(refs)
	for i := range refs {
		share, problem := r.share(&s, &refs[i], indexed(r.field+".backendRefs", i), scope)
		if first == nil {
			first = problem
		}
		total += share.Weight
		if share.Backend != nil {
			valid += share.Weight
		}
		s.shares = append(s.shares, share)
	}
	switch {
	case len(refs) == 0:
	case total == 0:
		s.direct = &model.Direct{Status: r.refusedStatus(), Reason: "all weights are 0"}
		r.warn(r.route.source, r.field+".backendRefs", diagnostic.BackendShareAllZero, "all backends have weight 0: the rule "+r.answer(), "")
	case valid == 0:
		s.direct = &model.Direct{Status: r.refusedStatus(), Reason: first.message}
	}
	return s
}

// shareScope tells whether one backend alone gets requests.
func shareScope(refs []gatewayv1.HTTPBackendRef) filterScope {
	served := 0
	for i := range refs {
		if weight(&refs[i]) > 0 {
			served++
		}
	}
	if served == 1 {
		return loneFilters
	}
	return shareFilters
}

// weight with the API's default.
func weight(ref *gatewayv1.HTTPBackendRef) uint32 {
	if ref.Weight == nil {
		return 1
	}
	return uint32(*ref.Weight)
}

// share reads one backendRef with its own filters; those that are not rendered say whose they are.
func (r ruleReader) share(s *shared, ref *gatewayv1.HTTPBackendRef, field string, scope filterScope) (model.WeightedBackend, *unresolved) {
	share := model.WeightedBackend{Weight: weight(ref)}
	backend, problem := r.backend(ref.BackendObjectReference, field)
	if problem != nil {
		r.route.refuse(problem)
	}
	if share.Weight == 0 {
		scope = shareFilters
	}
	filters := r.filters(ref.Filters, field+".filters", scope)
	if reason := cmp.Or(filters.refused, filters.unasked); reason != "" {
		return share, cmp.Or(problem, &unresolved{message: reason})
	}
	for _, part := range filters.unrendered {
		part.Value += " for " + string(ref.Name)
		s.unrendered = append(s.unrendered, part)
	}
	share.Backend, share.RequestHeaders, share.ResponseHeaders = backend, filters.request, filters.response
	if scope == loneFilters {
		s.lone = filters
		return share, problem
	}
	share.Hostname, share.CORS, share.ExternalAuth = filters.rewrite.Hostname, filters.cors, filters.externalAuth
	return share, problem
}
