package precedence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/render/model"
)

// Dialect is the order of one implementation: its rungs from first to last.
type Dialect struct {
	Name string
	// Rungs compare rules of HTTPRoutes, GRPC those of GRPCRoutes.
	Rungs, GRPC []Rung
}

// Default is the dialect of the specification.
const Default = "gateway-api"

// dialects returns every ladder, the default first. Each ends with age, name and position, so that it orders any two rules. Where an
// implementation turns the method of a GRPCRoute into a path and sorts that, its ladder for HTTPRoutes serves for both.
func dialects() []Dialect {
	all := []Dialect{
		{
			// HTTPRouteSpec.hostnames and HTTPRouteRule.matches of Gateway API v1. "The precedence of
			// RegularExpression path matches are implementation-specific": here they stand after Exact and before
			// every prefix, the longer expression first, as in Envoy Gateway and Contour.
			Name: Default,
			Rungs: []Rung{
				preciseHostname,
				longestHostname,
				pathKinds(model.PathExact, model.PathRegex, model.PathPrefix),
				pathLength,
				method,
				headers,
				queryParams,
				age,
				name,
				ruleOrder,
				matchOrder,
			},
			// GRPCRouteRule.matches. It counts characters and does not say how expressions stand to names, so they are
			// ranked as in an HTTPRoute: a name is more specific than any expression, whatever its length.
			GRPC: []Rung{
				preciseHostname,
				longestHostname,
				methodKind,
				serviceLength,
				methodLength,
				headers,
				age,
				name,
				ruleOrder,
				matchOrder,
			},
		},
		// Envoy Gateway 1.8 and 1.9 share a ladder for the fields of the Gateway API; 1.9 adds a rung for the cookie
		// matches of its own HTTPRouteFilter, which is not rendered.
		{Name: "envoy-gateway-1.8", Rungs: envoyGateway(), GRPC: envoyGatewayGRPC()},
		{Name: "envoy-gateway-1.9", Rungs: envoyGateway(), GRPC: envoyGatewayGRPC()},
		{
			// kgateway, translator/routeutils/sortable_route.go: hostnames are grouped, not compared; expressions are not
			// ranked among each other.
			Name: "kgateway",
			Rungs: []Rung{
				pathKinds(model.PathExact, model.PathRegex, model.PathPrefix),
				pathLengthButRegex,
				method,
				headers,
				queryParams,
				age,
				name,
				ruleOrder,
				matchOrder,
			},
		},
		{
			// Istio, pilot/pkg/config/kube/gateway, sortHTTPRoutes: expressions come last, so one behind a prefix "/" never
			// matches.
			Name: "istio",
			Rungs: []Rung{
				pathKinds(model.PathExact, model.PathPrefix, model.PathRegex),
				pathLength,
				method,
				headers,
				queryParams,
				age,
				name,
				ruleOrder,
				matchOrder,
			},
		},
		{
			// Contour, internal/sorter: the specification's order without its hostname rungs.
			Name: "contour",
			Rungs: []Rung{
				pathKinds(model.PathExact, model.PathRegex, model.PathPrefix),
				pathLength,
				method,
				headers,
				queryParams,
				age,
				name,
				ruleOrder,
				matchOrder,
			},
		},
	}
	for i := range all {
		if all[i].GRPC == nil {
			all[i].GRPC = all[i].Rungs
		}
	}
	return all
}

// envoyGateway is internal/gatewayapi/sort.go: a method is one more header, at equal counts exact matches win, a trailing
// slash of a prefix counts, hostnames are not compared.
func envoyGateway() []Rung {
	return []Rung{
		pathKinds(model.PathExact, model.PathRegex, model.PathPrefix),
		pathLengthWritten,
		headersWithMethod,
		exactHeadersWithMethod,
		queryParams,
		exactQueryParams,
		age,
		name,
		ruleOrder,
		matchOrder,
	}
}

// envoyGatewayGRPC is the same ladder. There a method without its service is a condition on the header ":path" behind a path that is not
// compared, and one more exact header.
func envoyGatewayGRPC() []Rung {
	return []Rung{
		pathKindOfCall,
		pathLengthOfCall,
		headersWithCall,
		exactHeadersWithCall,
		age,
		name,
		ruleOrder,
		matchOrder,
	}
}

// Names are the names of all dialects, the default first.
func Names() []string {
	var names []string
	for _, d := range dialects() {
		names = append(names, d.Name)
	}
	return names
}

// Find returns the dialect of a name; "" is the default.
func Find(name string) (Dialect, error) {
	if name == "" {
		name = Default
	}
	all := dialects()
	i := slices.IndexFunc(all, func(d Dialect) bool { return d.Name == name })
	if i < 0 {
		return Dialect{}, fmt.Errorf("unknown dialect %q: known are %s", name, strings.Join(Names(), ", "))
	}
	return all[i], nil
}
