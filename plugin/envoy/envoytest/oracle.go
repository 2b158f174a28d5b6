package envoytest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	proxyv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/listener/proxy_protocol/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	discoveryv3 "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/routedelta/routedelta/render/files"
)

const (
	// routesName is the route configuration's name while the oracle serves it.
	routesName = "table"
	// barrierHost has one route in every generation, named after it: whoever gets its answer knows that the only worker
	// serves that generation.
	barrierHost = "generation.oracle"
	loadTimeout = 60 * time.Second
)

// oracleFormat is the body of every answer of the oracle. %ROUTE_NAME% and the like are what Envoy writes into its own
// answers; no backend is needed to see them. All but the last two are free of "|".
const oracleFormat = "%RESPONSE_CODE%|%ROUTE_NAME%|%RESPONSE_FLAGS%|%UPSTREAM_CLUSTER%|%REQ(:AUTHORITY)%|%REQ(:PATH)%"

// OracleOptions of an oracle. The zero value is usable.
type OracleOptions struct {
	// Manager changes the HTTP connection manager: normalisation of paths, ports in hosts and so on.
	Manager func(*managerv3.HttpConnectionManager)
	// Filters of the connection stand before the connection manager.
	Filters []*listenerv3.Filter
	// Clusters are the names of clusters that exist. They have no endpoints: a request that is sent to one is answered
	// 503 with the flag UH, and the answer has its name. Envoy does not say the name of a cluster that does not exist (flag NC).
	Clusters []string
	// Port is that of the address that every connection is made to, as Envoy is told. 0 is a socket, which has no port.
	Port uint32
}

// Oracle is a real Envoy that serves one route table after the other and says of each request which route won. It has
// no backends: a route to a cluster answers 503, a redirect or a direct response as it does anywhere. A gRPC client is told
// everything with status 200; Answer.Status is the one that any other client would get.
//
// Traps, found by experiment: an answer of 204 or 304 gets a body here and breaks the connection; a table must not
// have the domain generation.oracle.
type Oracle struct {
	process    *Process
	generation int
	clients    *clients
}

// StartOracle starts an Envoy without routes. It ends with the test.
func StartOracle(t testing.TB, options OracleOptions) *Oracle {
	t.Helper()
	o := &Oracle{}
	root := newRoot(t)
	if err := o.write(root, &routev3.RouteConfiguration{}); err != nil {
		t.Fatal(err)
	}
	bootstrap, err := oracleBootstrap(root, options)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeJSON(filepath.Join(root, "config", files.BootstrapPath), bootstrap); err != nil {
		t.Fatal(err)
	}
	o.process = launch(t, filepath.Join(root, "config"), files.BootstrapPath, root, adminClient("unix", adminSocket(root)))
	o.clients = &clients{socket: listenerSocket(root, 0), port: options.Port}
	t.Cleanup(o.clients.close)
	if err := o.settle(); err != nil {
		t.Fatal(err)
	}
	return o
}

// oracleBootstrap has one listener, whose routes come from a file.
func oracleBootstrap(root string, options OracleOptions) (*bootstrapv3.Bootstrap, error) {
	manager := oracleManager()
	if options.Manager != nil {
		options.Manager(manager)
	}
	typed, err := anypb.New(manager)
	if err != nil {
		return nil, err
	}
	bootstrap := &bootstrapv3.Bootstrap{
		Node:            &corev3.Node{Id: "oracle", Cluster: "oracle"},
		Admin:           &bootstrapv3.Admin{Address: pipe(adminSocket(root))},
		LayeredRuntime:  regexLimit(),
		StaticResources: &bootstrapv3.Bootstrap_StaticResources{},
	}
	bootstrap.StaticResources.Listeners = []*listenerv3.Listener{{
		Name: "oracle", Address: pipe(listenerSocket(root, 0)),
		FilterChains: []*listenerv3.FilterChain{{Filters: append(slices.Clone(options.Filters), &listenerv3.Filter{
			Name: "http", ConfigType: &listenerv3.Filter_TypedConfig{TypedConfig: typed},
		})}},
	}}
	if options.Port != 0 {
		proxy, err := anypb.New(&proxyv3.ProxyProtocol{})
		if err != nil {
			return nil, err
		}
		bootstrap.StaticResources.Listeners[0].ListenerFilters = []*listenerv3.ListenerFilter{{
			Name: "proxy", ConfigType: &listenerv3.ListenerFilter_TypedConfig{TypedConfig: proxy},
		}}
	}
	for _, name := range options.Clusters {
		bootstrap.StaticResources.Clusters = append(bootstrap.StaticResources.Clusters, &clusterv3.Cluster{
			Name:                 name,
			ClusterDiscoveryType: &clusterv3.Cluster_Type{Type: clusterv3.Cluster_STATIC},
			LoadAssignment:       &endpointv3.ClusterLoadAssignment{ClusterName: name},
		})
	}
	return bootstrap, nil
}

// write puts a table where Envoy watches, by rename: it sees nothing else (envoy-files, section 4). The binary form is
// the fastest for it to read.
func (o *Oracle) write(root string, routes *routev3.RouteConfiguration) error {
	o.generation++
	routes = proto.CloneOf(routes)
	routes.Name = routesName
	routes.VirtualHosts = append(routes.VirtualHosts, barrier(o.generation))
	resource, err := anypb.New(routes)
	if err != nil {
		return err
	}
	data, err := proto.Marshal(&discoveryv3.DiscoveryResponse{
		VersionInfo: strconv.Itoa(o.generation), Resources: []*anypb.Any{resource},
	})
	if err != nil {
		return err
	}
	path := filepath.Join(root, "config", "routes.pb")
	if err := os.WriteFile(path+".new", data, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func barrier(generation int) *routev3.VirtualHost {
	return &routev3.VirtualHost{
		Name: barrierHost, Domains: []string{barrierHost},
		Routes: []*routev3.Route{{
			Name:   strconv.Itoa(generation),
			Match:  &routev3.RouteMatch{PathSpecifier: &routev3.RouteMatch_Prefix{Prefix: "/"}},
			Action: &routev3.Route_DirectResponse{DirectResponse: &routev3.DirectResponseAction{Status: 200}},
		}},
	}
}

// RejectedError says that Envoy does not take a route configuration. The one before it is served on.
type RejectedError struct{ Cause string }

func (e *RejectedError) Error() string { return "Envoy rejects the route configuration: " + e.Cause }

// Load replaces the table and returns when Envoy serves it, or a *RejectedError.
func (o *Oracle) Load(routes *routev3.RouteConfiguration) error {
	if err := o.write(o.process.root, routes); err != nil {
		return fmt.Errorf("writing the route configuration: %w", err)
	}
	return o.settle()
}

// settle asks the data plane for the generation, and the admin interface now and then whether it was rejected.
func (o *Oracle) settle() error {
	want := strconv.Itoa(o.generation)
	begin := time.Now()
	nextLook := begin.Add(100 * time.Millisecond)
	for {
		answers, err := o.Ask([]Request{{Method: "GET", Host: barrierHost, Path: "/"}})
		if err != nil {
			return err
		}
		if answers[0].Route == want {
			return nil
		}
		if now := time.Now(); now.After(nextLook) {
			nextLook = now.Add(100 * time.Millisecond)
			if err := o.rejection(); err != nil {
				return err
			}
			if now.Sub(begin) > loadTimeout {
				return fmt.Errorf("generation %d of the route configuration is not served after %v: %s", o.generation, loadTimeout, o.process.log())
			}
		}
		time.Sleep(200 * time.Microsecond)
	}
}

// rejection compares how many generations there were with how many Envoy took and refused.
func (o *Oracle) rejection() error {
	counters, err := o.process.counters()
	if err != nil {
		return err
	}
	prefix := "http.oracle.rds." + routesName + "."
	taken := counters[prefix+"update_success"]
	refused := counters[prefix+"update_rejected"] + counters[prefix+"update_failure"]
	if taken+refused < int64(o.generation) || refused == 0 {
		return nil
	}
	lines := strings.Split(o.process.log(), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if _, cause, ok := strings.Cut(lines[i], "update rejected: "); ok {
			return &RejectedError{Cause: strings.Join(append([]string{cause}, lines[i+1:]...), "\n")}
		}
	}
	return &RejectedError{Cause: strings.Join(lines, "\n")}
}
