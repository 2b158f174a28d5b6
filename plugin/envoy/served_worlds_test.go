package envoy_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
)

// door is a port of a Gateway of one world.
type door struct {
	world   int
	gateway string // namespace/name
	port    gatewayv1.PortNumber
}

// servedWorlds are many worlds behind one Envoy, since starting one takes longer than asking it all there is to ask.
type servedWorlds struct {
	envoy    *envoytest.Envoy
	backends map[string]string
	// ports are those that stand for the doors.
	ports map[door]uint32
}

// serve renders worlds and starts an Envoy that serves all their Gateways. Each keeps its messages as they were rendered,
// except for the ports and the names of listeners and route tables, which may be there once in an Envoy.
func serve(t *testing.T, worlds []*world) *servedWorlds {
	t.Helper()
	served := &servedWorlds{ports: map[door]uint32{}}
	all := &files.Set{Name: "worlds", Bootstrap: &bootstrapv3.Bootstrap{StaticResources: &bootstrapv3.Bootstrap_StaticResources{}}}
	for i, w := range worlds {
		rendering, err := w.render(t)
		if err != nil {
			t.Fatalf("rendering: %v\n%s", err, w)
		}
		for _, gateway := range rendering.Gateways {
			if err := served.add(all, i, gateway); err != nil {
				t.Fatalf("gateway %s: %v\n%s", gateway.Model.Name, err, w)
			}
		}
	}
	slices.SortFunc(all.Clusters, func(a, b *clusterv3.Cluster) int { return strings.Compare(a.GetName(), b.GetName()) })
	served.backends = backendNames(all)
	// The static form asks for no file subscription of each table.
	served.envoy = envoytest.StartAs(t, all, files.Options{Form: files.Static})
	served.envoy.RequireLoaded(t)
	return served
}

// render reads the manifests as any input is read.
func (w *world) render(t *testing.T) (*render.Rendering, error) {
	text, err := w.manifests()
	if err != nil {
		return nil, err
	}
	objects, found := manifest.Read(t.Context(), []manifest.Source{{Name: "world.yaml", Data: text, Named: true}}, manifest.Limits{})
	rendering, err := render.Render(t.Context(), objects, render.Options{References: w.references, AdminPort: -1})
	if err != nil {
		return nil, err
	}
	// A world that is refused would show nothing.
	if found = append(found, rendering.Diagnostics...); found.HasErrors() {
		return nil, fmt.Errorf("the world is not valid: %v", found)
	}
	return rendering, nil
}

// add takes a rendering over.
func (s *servedWorlds) add(all *files.Set, world int, gateway render.Gateway) error {
	if all.Bootstrap.LayeredRuntime == nil {
		all.Bootstrap.Node, all.Bootstrap.LayeredRuntime = gateway.Files.Bootstrap.GetNode(), gateway.Files.Bootstrap.GetLayeredRuntime()
	}
	prefix := fmt.Sprintf("world-%d/%s/", world, gateway.Model.Name)
	for _, listener := range gateway.Files.AllListeners() {
		address := listener.GetAddress().GetSocketAddress()
		own := uint32(1 + len(s.ports))
		s.ports[door{world, gateway.Model.Name.String(), gatewayv1.PortNumber(address.GetPortValue())}] = own
		listener = proto.CloneOf(listener)
		listener.Name = prefix + listener.Name
		listener.GetAddress().GetSocketAddress().PortSpecifier = &corev3.SocketAddress_PortValue{PortValue: own}
		if err := renameRoutes(listener, prefix); err != nil {
			return err
		}
		all.Bootstrap.StaticResources.Listeners = append(all.Bootstrap.StaticResources.Listeners, listener)
	}
	for _, routes := range gateway.Files.Routes {
		routes = proto.CloneOf(routes)
		routes.Name = prefix + routes.Name
		all.Routes = append(all.Routes, routes)
	}
	all.Endpoints = append(all.Endpoints, gateway.Files.Endpoints...)
	for _, c := range gateway.Files.AllClusters() {
		known := slices.IndexFunc(all.Clusters, func(other *clusterv3.Cluster) bool { return other.GetName() == c.GetName() })
		switch {
		case known < 0:
			all.Clusters = append(all.Clusters, c)
		case !proto.Equal(all.Clusters[known], c):
			return fmt.Errorf("cluster %q differs from that of another world", c.GetName())
		}
	}
	return nil
}

// renameRoutes gives the route table of a listener its new name.
func renameRoutes(listener *listenerv3.Listener, prefix string) error {
	for _, chain := range listener.GetFilterChains() {
		for _, filter := range chain.GetFilters() {
			manager := &managerv3.HttpConnectionManager{}
			if err := filter.GetTypedConfig().UnmarshalTo(manager); err != nil {
				return err
			}
			if manager.GetRds() == nil {
				return errors.New("a listener without a route table")
			}
			manager.GetRds().RouteConfigName = prefix + manager.GetRds().RouteConfigName
			typed, err := anypb.New(manager)
			if err != nil {
				return err
			}
			filter.ConfigType = &listenerv3.Filter_TypedConfig{TypedConfig: typed}
		}
	}
	return nil
}

// ask gives the effect of a request as Envoy has it.
func (s *servedWorlds) ask(ctx context.Context, at door, request envoytest.Request) (effect, error) {
	answer, err := s.envoy.Ask(ctx, s.ports[at], request)
	if err != nil {
		return effect{}, err
	}
	if answer.Seen == nil {
		observed := effect{status: answer.Status}
		if location := answer.Headers.Get("Location"); location != "" {
			observed.location, observed.response = withoutOwnPort(location), seenFields(answer.Headers, responseNames)
		}
		return observed, nil
	}
	return effect{
		backend: s.backends[answer.Cluster], path: answer.Path, host: answer.Host,
		request: seenFields(answer.Seen.Headers, requestNames), response: seenFields(answer.Headers, responseNames),
	}, nil
}

// The fields that requests have and filters touch; all others are Envoy's or the client's own affair.
var (
	requestNames  = []string{"X-Env", "Version", "X-Tag", "X-New", "X-Backend"}
	responseNames = []string{"Content-Type", "X-Reply", "X-Tag", "X-Backend"}
)

func seenFields(headers map[string][]string, names []string) fields {
	seen := fields{}
	for _, name := range names {
		for _, value := range headers[name] {
			seen.add(name, value)
		}
	}
	return seen
}
