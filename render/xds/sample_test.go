package xds_test

import (
	"time"

	"github.com/routedelta/routedelta/render/model"
)

func shop(name string) model.Name { return model.Name{Namespace: "shop", Name: name} }

// serving is a backend with one known address.
func serving(name string) *model.Backend {
	return &model.Backend{Name: shop(name), Port: 80, Endpoints: []model.Locality{{
		Zone: "a", Endpoints: []model.Endpoint{{Address: "192.0.2.1", Port: 8080}},
	}}}
}

func to(backends ...*model.Backend) model.Action {
	var action model.Action
	for _, backend := range backends {
		action.Backends = append(action.Backends, model.WeightedBackend{Weight: 1, Backend: backend})
	}
	return action
}

// rule is a rule for a path prefix, named for it.
func rule(prefix string, action model.Action) model.Rule {
	return model.Rule{
		Origin: model.Origin{Kind: "HTTPRoute", Name: shop("route")},
		Match:  model.Match{PathKind: model.PathPrefix, PathValue: prefix},
		Action: action,
	}
}

// plainGateway has one HTTP listener.
func plainGateway(port uint32, hosts ...model.Host) *model.Gateway {
	return &model.Gateway{Name: shop("edge"), Listeners: []model.Listener{{
		Port: port, Protocol: model.HTTP, Chains: []model.FilterChain{{Name: "http", Routes: model.RouteTable{Name: "http-80", Hosts: hosts}}},
	}}}
}

// sample is a small gateway with something of everything.
func sample() *model.Gateway {
	orders, canary := serving("orders"), serving("orders-canary")
	canary.Protocol = model.BackendH2C
	timeout := 5 * time.Second
	split := model.Action{
		Backends: []model.WeightedBackend{
			{Weight: 90, Backend: orders},
			{Weight: 10, Backend: canary, RequestHeaders: model.HeaderChange{Set: []model.Header{{Name: "x-track", Value: "canary 10%"}}}},
			{Weight: 0, Backend: serving("off")},
			{Weight: 1},
		},
		ResponseHeaders: model.HeaderChange{Add: []model.Header{{Name: "X-Served-By", Value: "edge"}}, Remove: []string{"server"}},
		RequestTimeout:  &timeout,
	}
	match := model.Rule{
		Origin: model.Origin{Kind: "HTTPRoute", Name: shop("search"), RuleName: "debug"},
		Match: model.Match{
			PathKind: model.PathRegex, PathValue: "/search/[a-z]+", Method: "GET",
			Headers: []model.ValueMatch{{Name: "x-env", Value: "canary"}, {Name: "x-user", Regex: true, Value: "é+"}},
			Query:   []model.ValueMatch{{Name: "debug", Value: "true"}},
		},
		Action: to(&model.Backend{Name: shop("search"), Port: 8080, DNSName: "search.shop.svc.cluster.local"}),
	}
	exact := rule("", model.Action{Redirect: &model.Redirect{Scheme: "https", Status: 301}})
	exact.Match = model.Match{PathKind: model.PathExact, PathValue: "/old"}
	gone := rule("/gone", model.Action{Direct: &model.Direct{Status: 500, Reason: "Service shop/gone does not exist"}})
	foreign := &model.Backend{Name: shop("pool"), Kind: "inferencepool.inference.networking.k8s.io", Port: 80, DNSName: "pool.shop.svc.cluster.local"}
	rules := []model.Rule{exact, rule("/orders", split), match, gone, rule("/pool", to(foreign)), rule("/", to(serving("web")))}
	gateway := plainGateway(80, model.Host{Hostname: "*"}, model.Host{Hostname: "shop.example", Rules: rules})
	gateway.Listeners = append(gateway.Listeners, model.Listener{Port: 443, Protocol: model.HTTPS, Chains: []model.FilterChain{{
		Name: "shop", ServerNames: []string{"shop.example"}, Certificates: []model.Certificate{{Name: shop("tls")}},
		Routes: model.RouteTable{Name: "https-443-shop", Hosts: []model.Host{{Hostname: "shop.example", Rules: rules[1:2]}}},
	}}})
	return gateway
}
