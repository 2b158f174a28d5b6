package table_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/proto"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
	"github.com/routedelta/routedelta/plugin/envoy/judgetest"
	"github.com/routedelta/routedelta/render/files"
)

// A table that was written as Envoy's messages is read back as it was.
func TestReadUndoesRouteConfiguration(t *testing.T) {
	var clusters []*clusterv3.Cluster
	for _, name := range tabletest.Clusters() {
		clusters = append(clusters, cluster(name))
	}
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		more := tabletest.Wide()
		more.Derived = true
		want := tabletest.RandomWideTable(random, tabletest.RandomWideOptions(random, 80), more)
		m := manager(t, tabletest.RouteConfiguration(want))
		judgetest.SetOptions(m, want.Options)
		got := readOne(t, set(t, m, clusters...))
		if !got.Options.Equal(want.Options) {
			t.Fatalf("seed %d: options %+v, want %+v", seed, got.Options, want.Options)
		}
		if !reflect.DeepEqual(got.Hosts, want.Hosts) {
			t.Fatalf("seed %d:\n got %+v\nwant %+v", seed, got.Hosts, want.Hosts)
		}
	}
}

// everyDimension are all kinds of conditions and outcomes of random tables.
func everyDimension() tabletest.Dimensions {
	all := tabletest.Widest()
	all.Free = tabletest.FreeConditions()
	return all
}

// So is one with conditions on what no client sends, which may hold where nothing is known about the place, and rules for CONNECT.
func TestReadUndoesFreeConditions(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 1))
		want := tabletest.RandomWideTable(random, table.Options{}, tabletest.Dimensions{Free: tabletest.FreeConditions(), Derived: true, Connect: true})
		s := &files.Set{Routes: []*routev3.RouteConfiguration{tabletest.RouteConfiguration(want)}}
		for _, name := range tabletest.Clusters() {
			s.Clusters = append(s.Clusters, cluster(name))
		}
		if got := readOne(t, s); !reflect.DeepEqual(got.Hosts, want.Hosts) {
			t.Fatalf("seed %d:\n got %+v\nwant %+v", seed, got.Hosts, want.Hosts)
		}
	}
}

func TestReadFindsEveryChain(t *testing.T) {
	routes := parse(t, &routev3.RouteConfiguration{}, `name: "rds" virtual_hosts { name: "any" domains: "*" }`)
	byName := manager(t, nil)
	byName.RouteSpecifier = parse(t, &managerv3.HttpConnectionManager{}, `rds { route_config_name: "rds" }`).RouteSpecifier
	secure := parse(t, &listenerv3.FilterChain{}, `
		filter_chain_match { server_names: ["B.example", "a.example"] transport_protocol: "tls" }
		transport_socket { name: "tls" typed_config { [type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext] {
			common_tls_context { tls_certificate_sds_secret_configs { name: "z" } tls_certificate_sds_secret_configs { name: "infra_cert" } } } } }`)
	secure.Filters = chain(t, byName).Filters
	narrow := parse(t, &listenerv3.FilterChain{}, `filter_chain_match { source_ports: 5 }`)
	narrow.Filters = chain(t, byName).Filters
	listener := parse(t, &listenerv3.Listener{}, `name: "l" address { socket_address { address: "0.0.0.0" port_value: 443 } }`)
	listener.FilterChains = []*listenerv3.FilterChain{secure, narrow}
	listener.DefaultFilterChain = parse(t, &listenerv3.FilterChain{}, `filters { name: "envoy.filters.network.tcp_proxy" }`)
	tables, _ := table.Read(&files.Set{
		Name: "g", Bootstrap: &bootstrapv3.Bootstrap{}, Listeners: []*listenerv3.Listener{listener},
		Routes: []*routev3.RouteConfiguration{routes},
	})
	if len(tables) != 3 {
		t.Fatalf("%d tables", len(tables))
	}
	want := table.Scope{Gateway: "g", Listener: "l", Port: 443, TLS: true, ServerNames: []string{"a.example", "b.example"}, Certificates: []string{"infra_cert", "z"}}
	if !reflect.DeepEqual(tables[0].Scope, want) || tables[0].Routes != "rds" || len(tables[0].Hosts) != 1 {
		t.Errorf("got %+v, want %+v", tables[0].Scope, want)
	}
	if tables[1].Match != "{source_ports: [5]}" {
		t.Errorf("match %q", tables[1].Match)
	}
	if len(tables[2].Options.Unmodelled) != 1 || !strings.HasPrefix(tables[2].Match, "default") {
		t.Errorf("the TCP chain is %+v", tables[2])
	}
	keys := map[string]bool{}
	for _, one := range tables {
		keys[one.Scope.Key()] = true
	}
	if len(keys) != 3 {
		t.Error("places share a key")
	}
}

func TestReadNamesWhatIsMissing(t *testing.T) {
	m := manager(t, nil)
	m.RouteSpecifier = parse(t, &managerv3.HttpConnectionManager{}, `rds { route_config_name: "nosuch" }`).RouteSpecifier
	tables, diagnostics := table.Read(set(t, m))
	if len(tables) != 1 || len(tables[0].Options.Unmodelled) != 1 || len(diagnostics) != 1 {
		t.Fatalf("%+v %v", tables, diagnostics)
	}
	if d := tables[0].Evaluate(table.Request{Method: "GET", Host: "h", Path: "/"}); d.Undecided == "" {
		t.Error("a table without its routes is decided")
	}
}

// Options that change what reaches the router, or how a route is chosen, are named with their content.
func TestOptionsThatAreNotModelled(t *testing.T) {
	for _, test := range []struct{ manager, routes, want string }{
		{manager: `forward_proto_config {}`, want: "forward_proto_config {}"},
		{routes: `vhds {}`, want: "vhds {}"},
		{routes: `vhost_header: "x"`, want: `vhost_header "x"`},
	} {
		m := parse(t, &managerv3.HttpConnectionManager{}, test.manager)
		m.RouteSpecifier = &managerv3.HttpConnectionManager_RouteConfig{RouteConfig: parse(t, &routev3.RouteConfiguration{}, `name: "r" `+test.routes)}
		got := readOne(t, set(t, m)).Options.Unmodelled
		if len(got) != 1 || !strings.HasPrefix(got[0], test.want) {
			t.Errorf("%s%s: got %q, want %q", test.manager, test.routes, got, test.want)
		}
	}
}

// Filters that may change the request, or choose a route again, are named with their content; all others leave the route alone.
func TestRerouters(t *testing.T) {
	for _, test := range []struct{ manager, want string }{
		{`early_header_mutation_extensions { name: "e" }`, `early header mutation {name: "e"}`},
		{`http_filters { name: "lua" typed_config { [type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua] {} } }`, `filter lua {name: "lua", typed_config: envoy`},
		{`http_filters { name: "later" config_discovery {} }`, "filter later {"},
		{`http_filters { name: "x" typed_config { type_url: "t/unknown" } }`, "filter x {"},
		{`http_filters { name: "jwt" typed_config { [type.googleapis.com/envoy.extensions.filters.http.jwt_authn.v3.JwtAuthentication] { providers { key: "p" value { clear_route_cache: true } } } } }`, "filter jwt {"},
	} {
		m := parse(t, &managerv3.HttpConnectionManager{}, test.manager)
		m.RouteSpecifier = &managerv3.HttpConnectionManager_RouteConfig{RouteConfig: &routev3.RouteConfiguration{}}
		got := readOne(t, set(t, m)).Options
		if len(got.Rerouters) != 1 || !strings.HasPrefix(got.Rerouters[0], test.want) || len(got.Unmodelled) > 0 {
			t.Errorf("%s: got %q, want %q", test.manager, got.Rerouters, test.want)
		}
	}
	for _, steady := range []string{
		`http_filters { name: "cors" typed_config { [type.googleapis.com/envoy.extensions.filters.http.cors.v3.Cors] {} } }`,
		`http_filters { name: "jwt" typed_config { [type.googleapis.com/envoy.extensions.filters.http.jwt_authn.v3.JwtAuthentication] { providers { key: "p" value {} } } } }`,
		`http_filters { name: "auth" typed_config { [type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthz] {} } }`,
	} {
		m := parse(t, &managerv3.HttpConnectionManager{}, steady)
		m.RouteSpecifier = &managerv3.HttpConnectionManager_RouteConfig{RouteConfig: &routev3.RouteConfiguration{}}
		if got := readOne(t, set(t, m)).Options; len(got.Rerouters)+len(got.Unmodelled) > 0 {
			t.Errorf("%s: %+v", steady, got)
		}
	}
}

func TestRuntimeFeaturesAreNotModelled(t *testing.T) {
	s := set(t, manager(t, &routev3.RouteConfiguration{}))
	s.Bootstrap.LayeredRuntime = parse(t, &bootstrapv3.LayeredRuntime{}, `layers { name: "a" static_layer {
		fields { key: "re2.max_program_size.error_level" value { number_value: 100 } }
		fields { key: "envoy.reloadable_features.match_headers_individually" value { bool_value: false } } } }`)
	if got := readOne(t, s).Options.Unmodelled; len(got) != 1 || !strings.Contains(got[0], "match_headers_individually") {
		t.Errorf("got %q", got)
	}
}

func TestVirtualHostMatcherTreeIsNotModelled(t *testing.T) {
	host := readHost(t, parse(t, &routev3.VirtualHost{}, `name: "a" domains: "A.example" matcher { on_no_match { matcher {} } }`))
	if len(host.Rules) != 1 || len(host.Rules[0].Unmodelled) != 1 || host.Domains[0] != "a.example" {
		t.Errorf("got %+v", host)
	}
}

func TestBackendsSurviveRenames(t *testing.T) {
	for _, test := range []struct {
		cluster *clusterv3.Cluster
		want    string
	}{
		{ours(t, "shop/orders/80", "shop", "orders", 80), "{ shop orders 80  0}"},
		{ours(t, "renamed", "shop", "orders", 80), "{ shop orders 80  0}"},
		{cluster("shop/orders/80"), "{   0 shop/orders/80 0}"},
		{cluster("outbound|80||orders.shop.svc.cluster.local"), "{ shop orders 80  0}"},
		{cluster("kube_shop_orders_80"), "{ shop orders 80  0}"},
		{parse(t, &clusterv3.Cluster{}, `name: "httproute/shop/r/rule/0" metadata { filter_metadata { key: "envoy-gateway" value { fields { key: "resources" value { list_value {
			values { struct_value { fields { key: "kind" value { string_value: "HTTPRoute" } } fields { key: "name" value { string_value: "r" } } } } } } } } } }`), "{   0 httproute/shop/r/rule/0 0}"},
		{parse(t, &clusterv3.Cluster{}, `name: "c" metadata { filter_metadata { key: "envoy-gateway" value { fields { key: "resources" value { list_value {
			values { struct_value { fields { key: "kind" value { string_value: "Backend" } } fields { key: "name" value { string_value: "b" } } fields { key: "namespace" value { string_value: "n" } } } } } } } } } }`), "{backend n b 0  0}"},
	} {
		type plain table.Backend // without String
		if got := fmt.Sprint(plain(table.Names{}.Identify(test.cluster))); got != test.want {
			t.Errorf("%s: got %s, want %s", test.cluster.Name, got, test.want)
		}
	}
}

// Two clusters of one backend differ in treatment, not in backend.
func TestVariantsOfABackend(t *testing.T) {
	config := parse(t, &routev3.RouteConfiguration{}, `virtual_hosts { name: "a" domains: "*"
		routes { match { prefix: "/" } route { cluster: "shop/orders/80" } }
		routes { match { prefix: "/" } route { cluster: "shop/orders/80/h2c" } } }`)
	read := readOne(t, set(t, manager(t, config), ours(t, "shop/orders/80", "shop", "orders", 80), ours(t, "shop/orders/80/h2c", "shop", "orders", 80)))
	a, b := &read.Hosts[0].Rules[0], &read.Hosts[0].Rules[1]
	if !table.SameBackends(a.Outcome, b.Outcome) || a.OutcomeKey() == b.OutcomeKey() {
		t.Errorf("%+v and %+v", a.Outcome, b.Outcome)
	}
}

// An unknown cluster is an answer only where all clusters are among the files.
func TestUnknownClustersOfAServer(t *testing.T) {
	s := set(t, manager(t, parse(t, &routev3.RouteConfiguration{}, `virtual_hosts { name: "a" domains: "*" routes { match { prefix: "/" } route { cluster: "c" } } }`)))
	s.Bootstrap.DynamicResources = parse(t, &bootstrapv3.Bootstrap_DynamicResources{}, `cds_config { ads {} }`)
	if got := readOne(t, s).Hosts[0].Rules[0].Outcome.String(); got != "c" {
		t.Errorf("got %s", got)
	}
}

// FuzzRead: no bytes of other people make Read or Evaluate panic.
func FuzzRead(f *testing.F) {
	for seed := range uint64(5) {
		random := rand.New(rand.NewPCG(seed, 2))
		data, err := proto.Marshal(tabletest.RouteConfiguration(tabletest.RandomWideTable(random, tabletest.Rendered(), everyDimension())))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, "h", "/a?q=1", "x", "1")
	}
	f.Fuzz(func(t *testing.T, data []byte, host, path, name, value string) {
		config := &routev3.RouteConfiguration{}
		if proto.Unmarshal(data, config) != nil {
			return
		}
		tables, _ := table.Read(set(t, manager(t, config)))
		request := table.Request{Method: "GET", Host: host, Path: path, Headers: []table.Field{{Name: name, Value: value}}}
		first, second := tables[0].Evaluate(request), tables[0].Evaluate(request)
		if !reflect.DeepEqual(first, second) {
			t.Errorf("%+v, then %+v", first, second)
		}
	})
}

// BenchmarkRead reads one virtual host for each ten rules.
func BenchmarkRead(b *testing.B) {
	const rules = 10_000
	config := &routev3.RouteConfiguration{}
	for h := range rules / 10 {
		host := &routev3.VirtualHost{Domains: []string{fmt.Sprintf("h%d.example", h)}}
		for i := range 10 {
			host.Routes = append(host.Routes, parse(b, &routev3.Route{}, fmt.Sprintf(`name: "r" match { path_separated_prefix: "/p%d" headers { name: "x" string_match { exact: "a" } } } route { cluster: "c%d" timeout {} }`, i, i)))
		}
		config.VirtualHosts = append(config.VirtualHosts, host)
	}
	s := set(b, manager(b, config))
	b.ReportAllocs()
	for b.Loop() {
		table.Read(s)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rules, "ns/rule")
}
