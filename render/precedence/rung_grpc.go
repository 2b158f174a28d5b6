package precedence

import (
	"fmt"

	"github.com/routedelta/routedelta/render/model"
)

// routeKind keeps rules of the two kinds apart.
var routeKind = Rung{
	Name: "kind of route",
	order: func(a, b *model.Rule) int {
		if a.Match.GRPC == nil {
			return -1
		}
		return 1
	},
	detail: func(winner, loser *model.Rule) string {
		return fmt.Sprintf("%s before %s", winner.Origin.Kind, loser.Origin.Kind)
	},
}

// methodKind: a match by names stands before one by expressions, and both before one that takes any call.
var methodKind = Rung{
	Name:  "kind of method match",
	order: func(a, b *model.Rule) int { return callRank(a) - callRank(b) },
	detail: func(winner, loser *model.Rule) string {
		kinds := []string{"Exact", "RegularExpression", "any method"}
		return fmt.Sprintf("%s before %s", kinds[callRank(winner)], kinds[callRank(loser)])
	},
}

func callRank(r *model.Rule) int {
	switch m := r.Match.GRPC; {
	case m.Service == "" && m.Method == "":
		return 2
	case m.Regex:
		return 1
	}
	return 0
}

// "the largest number of: [...] Characters in a matching service. Characters in a matching method." (GRPCRouteRule.matches)
var (
	serviceLength = most("characters of the service", func(r *model.Rule) int { return len(r.Match.GRPC.Service) })
	methodLength  = most("characters of the method", func(r *model.Rule) int { return len(r.Match.GRPC.Method) })
)

// The next four are Envoy Gateway's.
var (
	pathKindOfCall = Rung{
		Name:  "kind of path match",
		order: func(a, b *model.Rule) int { return callPathRank(a) - callPathRank(b) },
		detail: func(winner, loser *model.Rule) string {
			kinds := []string{"Exact", "RegularExpression", "PathPrefix"}
			return fmt.Sprintf("%s before %s", kinds[callPathRank(winner)], kinds[callPathRank(loser)])
		},
	}
	pathLengthOfCall = most("characters of the path", func(r *model.Rule) int {
		if methodAlone(r) > 0 || r.Match.PathValue == "/" {
			return 0
		}
		return len(r.Match.PathValue)
	})
	headersWithCall      = most("number of headers, a method alone counted as one", func(r *model.Rule) int { return len(r.Match.Headers) + methodAlone(r) })
	exactHeadersWithCall = most("number of exact headers, a method alone counted as one", func(r *model.Rule) int { return exact(r.Match.Headers) + methodAlone(r) })
)

func callPathRank(r *model.Rule) int {
	switch m := r.Match.GRPC; {
	case m.Regex && callRank(r) == 1:
		return 1
	case m.Service != "" && m.Method != "":
		return 0
	}
	return 2
}

// methodAlone is 1 for a method by name without a service.
func methodAlone(r *model.Rule) int {
	if m := r.Match.GRPC; !m.Regex && m.Service == "" && m.Method != "" {
		return 1
	}
	return 0
}
