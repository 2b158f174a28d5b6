package envoy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render"
)

// world is a small cluster with what its manifests say. All values are of small pools, so that hostnames, matches and names
// overlap, tie and collide as often as not.
type world struct {
	references render.References
	gateways   []*gatewayv1.Gateway
	routes     []*gatewayv1.HTTPRoute
	services   []*corev1.Service
	slices     []*discoveryv1.EndpointSlice
	grants     []*gatewayv1beta1.ReferenceGrant
	namespaces []*corev1.Namespace
}

// The pools. A hostname "" is none.
var (
	poolNamespaces = []string{"a", "b", "a-b"}
	poolHostnames  = []string{"", "a.test", "x.a.test", "*.a.test", "*.x.a.test", "*.test", "y.x.a.test", "b.test"}
	poolPaths      = []string{"/", "/a", "/a/", "/a/b", "/a/b/", "/ab", "/a/b/c", "/A"}
	poolRegexes    = []string{"/a.*", "/[ab]+", "/a/b|/ab", "/.", ".*/b"}
	poolMethods    = []gatewayv1.HTTPMethod{"GET", "POST", "HEAD", "DELETE"}
	poolHeaders    = []string{"x-env", "X-Env", "X-ENV", "version", "X-Tag"}
	poolQuery      = []string{"q", "Q", "v"}
	poolValues     = []string{"1", "2", "one", "12"}
	valueRegexes   = []string{"[0-9]", "1|one", "o.*", ".+"}
	poolServices   = []string{"web", "api", "ready", "ready", "idle", "idle", "outside", "missing"}
	poolPorts      = []gatewayv1.PortNumber{80, 8080, 9090} // 9090 is a port that no Service has
	poolReplaced   = []string{"/", "", "/new", "/new/", "/n/e/w"}
	listenerPorts  = []gatewayv1.PortNumber{80, 8080}
)

// maker draws the parts of a world.
type maker struct {
	*rand.Rand
	// known are the matches that the world has already.
	known *[]gatewayv1.HTTPRouteMatch
}

func pick[T any](m maker, pool []T) T { return pool[m.IntN(len(pool))] }

// chance is true once in n times.
func (m maker) chance(n int) bool { return m.IntN(n) == 0 }

// maybe is nil or one of a pool, as often as the other.
func maybe[T any](m maker, pool []T) *T {
	if m.chance(2) {
		return nil
	}
	return new(pick(m, pool))
}

func newWorld(random *rand.Rand) *world {
	m := maker{random, new([]gatewayv1.HTTPRouteMatch)}
	w := &world{references: pick(m, []render.References{render.Strict, render.Assume})}
	for _, name := range poolNamespaces {
		w.namespaces = append(w.namespaces, &corev1.Namespace{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Namespace"},
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"team": name[:1]}},
		})
		w.services = append(w.services, m.services(name)...)
		w.slices = append(w.slices, slice(name, "idle", "10.0.0.1", false), slice(name, "ready", "10.0.0.2", true))
	}
	for i := range 1 + m.IntN(2) {
		w.gateways = append(w.gateways, m.gateway(fmt.Sprint("gateway-", i)))
	}
	aged := m.chance(2) // in a cluster all objects have an age, in a repository none
	for i := range 1 + m.IntN(6) {
		w.routes = append(w.routes, m.route(fmt.Sprint("route-", i), w.gateways, aged))
	}
	if w.references == render.Strict {
		m.useForeignKinds(w)
	}
	for range m.IntN(3) {
		w.grants = append(w.grants, m.grant(fmt.Sprint("grant-", len(w.grants))))
	}
	return w
}

// useForeignKinds makes a few backends be of a kind that is no Service; what that means under assume is no matter of the API.
func (m maker) useForeignKinds(w *world) {
	for _, route := range w.routes {
		for _, rule := range route.Spec.Rules {
			for i := range rule.BackendRefs {
				if m.chance(30) {
					rule.BackendRefs[i].Group, rule.BackendRefs[i].Kind = new(gatewayv1.Group("example.com")), new(gatewayv1.Kind("Backend"))
				}
			}
		}
	}
}

// services are those of a namespace. Some are not there at times; "missing" never is.
func (m maker) services(namespace string) []*corev1.Service {
	var list []*corev1.Service
	for _, name := range []string{"web", "api", "ready", "idle", "outside"} {
		if name == "api" && m.chance(4) {
			continue
		}
		service := &corev1.Service{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Service"}, ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
		service.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: 80}, {Name: "other", Port: 8080}}
		if name == "outside" {
			service.Spec.Type, service.Spec.ExternalName = corev1.ServiceTypeExternalName, "example.com"
		}
		list = append(list, service)
	}
	return list
}

// slice is the one endpoint of a Service whose addresses are known.
func slice(namespace, service, address string, ready bool) *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		TypeMeta:    metav1.TypeMeta{APIVersion: "discovery.k8s.io/v1", Kind: "EndpointSlice"},
		ObjectMeta:  metav1.ObjectMeta{Namespace: namespace, Name: service + "-1", Labels: map[string]string{discoveryv1.LabelServiceName: service}},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Name: new("http"), Port: new(int32(3000))}, {Name: new("other"), Port: new(int32(3001))}},
		Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{address}, Conditions: discoveryv1.EndpointConditions{Ready: new(ready)}}},
	}
}

// gateway has listeners that differ in port or hostname, as the API server demands.
func (m maker) gateway(name string) *gatewayv1.Gateway {
	g := &gatewayv1.Gateway{TypeMeta: metav1.TypeMeta{APIVersion: gatewayv1.GroupVersion.String(), Kind: "Gateway"}}
	g.Namespace, g.Name, g.Spec.GatewayClassName = pick(m, poolNamespaces[:2]), name, "any"
	taken := map[string]bool{}
	for i := range 1 + m.IntN(4) {
		port, hostname := pick(m, listenerPorts), pick(m, poolHostnames)
		if key := fmt.Sprint(port, hostname); !taken[key] {
			taken[key] = true
			l := gatewayv1.Listener{Name: gatewayv1.SectionName(fmt.Sprint("listener-", i)), Port: port, Protocol: gatewayv1.HTTPProtocolType, AllowedRoutes: m.allowedRoutes()}
			if hostname != "" {
				l.Hostname = new(gatewayv1.Hostname(hostname))
			}
			g.Spec.Listeners = append(g.Spec.Listeners, l)
		}
	}
	return g
}

func (m maker) allowedRoutes() *gatewayv1.AllowedRoutes {
	namespaces := &gatewayv1.RouteNamespaces{From: new(gatewayv1.NamespacesFromAll)}
	switch m.IntN(8) {
	case 0:
		return nil
	case 1:
		namespaces.From = new(gatewayv1.NamespacesFromSame)
	case 2:
		namespaces.From = new(gatewayv1.NamespacesFromSelector)
		namespaces.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"team": pick(m, []string{"a", "b"})}}
	}
	allowed := &gatewayv1.AllowedRoutes{Namespaces: namespaces}
	if m.chance(12) {
		allowed.Kinds = []gatewayv1.RouteGroupKind{{Kind: pick(m, []gatewayv1.Kind{"HTTPRoute", "GRPCRoute"})}}
	}
	return allowed
}

func (m maker) grant(name string) *gatewayv1beta1.ReferenceGrant {
	g := &gatewayv1beta1.ReferenceGrant{TypeMeta: metav1.TypeMeta{APIVersion: gatewayv1beta1.GroupVersion.String(), Kind: "ReferenceGrant"}}
	g.Namespace, g.Name = pick(m, poolNamespaces), name
	for range 1 + m.IntN(2) {
		g.Spec.From = append(g.Spec.From, gatewayv1beta1.ReferenceGrantFrom{
			Group: gatewayv1.GroupName, Kind: pick(m, []gatewayv1.Kind{"HTTPRoute", "HTTPRoute", "GRPCRoute"}), Namespace: gatewayv1.Namespace(pick(m, poolNamespaces)),
		})
		to := gatewayv1beta1.ReferenceGrantTo{Kind: pick(m, []gatewayv1.Kind{"Service", "Service", "Secret"})}
		if m.chance(2) {
			to.Name = new(gatewayv1.ObjectName(pick(m, poolServices)))
		}
		g.Spec.To = append(g.Spec.To, to)
	}
	return g
}

// oldest is the age of the older half of the routes.
var oldest = time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)

// manifests are the world as a repository holds it.
func (w *world) manifests() ([]byte, error) {
	var b bytes.Buffer
	for _, object := range w.objects() {
		data, err := json.Marshal(object)
		if err != nil {
			return nil, err
		}
		node := map[string]any{}
		if err := json.Unmarshal(data, &node); err != nil {
			return nil, err
		}
		delete(node, "status") // its empty form is not one that the API server takes
		text, err := yaml.Marshal(node)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "---\n%s", text)
	}
	return b.Bytes(), nil
}

func (w *world) objects() []runtime.Object {
	var list []runtime.Object
	for _, g := range w.gateways {
		list = append(list, g)
	}
	for _, r := range w.routes {
		list = append(list, r)
	}
	for _, s := range w.services {
		list = append(list, s)
	}
	for _, s := range w.slices {
		list = append(list, s)
	}
	for _, g := range w.grants {
		list = append(list, g)
	}
	for _, n := range w.namespaces {
		list = append(list, n)
	}
	return list
}

// specification is what the API says of the world. Under references: assume a Service exists with the port that a route names,
// and so does a Gateway.
func (w *world) specification() *specification {
	s := &specification{routes: w.routes, services: w.services, gateways: w.gateways, grants: w.grants, namespaces: w.namespaces, idle: map[string]bool{}}
	for _, slice := range w.slices {
		s.idle[slice.Namespace+"/"+slice.Labels[discoveryv1.LabelServiceName]] = !*slice.Endpoints[0].Conditions.Ready
	}
	if w.references != render.Assume {
		return s
	}
	for _, route := range w.routes {
		for _, ref := range route.Spec.ParentRefs {
			s.assumeGateway(route.Namespace, ref)
		}
		for _, rule := range route.Spec.Rules {
			for _, ref := range rule.BackendRefs {
				s.assumeService(w, route.Namespace, ref.BackendObjectReference)
			}
		}
	}
	return s
}

// assumeGateway adds an open listener on port 80 for a Gateway that is not there.
func (s *specification) assumeGateway(namespace string, ref gatewayv1.ParentReference) {
	if ref.Namespace != nil {
		namespace = string(*ref.Namespace)
	}
	if slices.ContainsFunc(s.gateways, func(g *gatewayv1.Gateway) bool { return g.Namespace == namespace && g.Name == string(ref.Name) }) {
		return
	}
	g := &gatewayv1.Gateway{}
	g.Namespace, g.Name = namespace, string(ref.Name)
	g.Spec.Listeners = []gatewayv1.Listener{{Port: 80, AllowedRoutes: &gatewayv1.AllowedRoutes{
		Namespaces: &gatewayv1.RouteNamespaces{From: new(gatewayv1.NamespacesFromAll)},
	}}}
	s.gateways = append(slices.Clip(s.gateways), g)
}

// assumeService adds a Service with the port of a reference for one that the manifests lack.
func (s *specification) assumeService(w *world, namespace string, ref gatewayv1.BackendObjectReference) {
	if ref.Namespace != nil {
		namespace = string(*ref.Namespace)
	}
	if slices.ContainsFunc(w.services, func(known *corev1.Service) bool {
		return known.Namespace == namespace && known.Name == string(ref.Name)
	}) {
		return
	}
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: string(ref.Name)}}
	service.Spec.Ports = []corev1.ServicePort{{Port: *ref.Port}}
	s.services = append(slices.Clip(s.services), service)
}

// String is the world's manifests, for a reader of a failure.
func (w *world) String() string {
	text, err := w.manifests()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("references: %s\n%s", w.references, strings.TrimSpace(string(text)))
}
