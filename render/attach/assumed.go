package attach

import (
	"fmt"
	"slices"
	"strings"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// assumedGateways makes an open Gateway for each that routes or ListenerSets name and that is not in the input: for every port that
// a route asks for a listener that takes any hostname and every namespace. It speaks plain HTTP, as no certificate is known, or what the
// kind of route asks for. The listeners of a ListenerSet are known, so none is made for them.
func (r *resolver) assumedGateways(objects *manifest.Objects, known []*gateway) []*gateway {
	if !r.assume() {
		return nil
	}
	a := assumer{resolver: r, byName: gatewaysByName(known)}
	for route := range objects.Routes() {
		for i, ref := range route.ParentRefs {
			if isGateway(ref) {
				g := a.gateway(parentName(ref, route.Object.GetNamespace()), source{route.Name(), route.Places}, parentField(i))
				g.assumeListener(route.Kind, ref)
			}
		}
	}
	for _, located := range objects.ListenerSets {
		if ref := located.Object.Spec.ParentRef; isGatewayReference(ref) {
			a.gateway(setParent(located.Object), setSource(located), "spec.parentRef")
		}
	}
	return a.assumed
}

// assumer makes the Gateways that are not in the input.
type assumer struct {
	*resolver
	byName  map[model.Name]*gateway
	assumed []*gateway
}

// gateway is the Gateway of a name, made if it must be; nil is one that is invalid or that the change under review removes.
func (a *assumer) gateway(name model.Name, asking source, field string) *gateway {
	if g := a.byName[name]; g != nil {
		return g
	}
	if a.index.invalid[otherKey{"Gateway", name}] || !a.assumes("Gateway", name) {
		return nil
	}
	g := &gateway{
		Name:     name,
		source:   source{Object: diagnostic.Object{Kind: "Gateway", Namespace: name.Namespace, Name: name.Name}},
		assumed:  true,
		selected: true,
		spec:     &gatewayv1.GatewaySpec{},
	}
	a.byName[name] = g
	a.assumed = append(a.assumed, g)
	a.warn(asking, field, diagnostic.GatewayAssumed,
		fmt.Sprintf("Gateway %s is not in the input: one that takes every route is assumed", name),
		"add the Gateway to the input, or use references: strict")
	return g
}

// assumedPort is the port of a listener that a parentRef of a kind of route names and that is not known; 0 where nothing tells it. The
// section's name is all that tells a redirect to HTTPS from the routes that it leads to, so a section named for HTTPS has a port of
// its own. It depends on this one reference alone: another route never moves it.
func assumedPort(kind string, ref gatewayv1.ParentReference) uint32 {
	switch {
	case ref.Port != nil:
		return uint32(*ref.Port)
	case kind == "TCPRoute" || kind == "UDPRoute":
		return 0
	case kind == "TLSRoute":
		return 443
	case ref.SectionName != nil:
		section := strings.ToLower(string(*ref.SectionName))
		if strings.Contains(section, "https") || strings.Contains(section, "secure") && !strings.Contains(section, "insecure") {
			return 443
		}
	}
	return 80
}

// assumedProtocol of a listener for a kind of route. TLS is passed on, as no certificate is known.
func assumedProtocol(kind string) (gatewayv1.ProtocolType, *gatewayv1.ListenerTLSConfig) {
	switch kind {
	case "TLSRoute":
		mode := gatewayv1.TLSModePassthrough
		return gatewayv1.TLSProtocolType, &gatewayv1.ListenerTLSConfig{Mode: &mode}
	case "TCPRoute":
		return gatewayv1.TCPProtocolType, nil
	case "UDPRoute":
		return gatewayv1.UDPProtocolType, nil
	}
	return gatewayv1.HTTPProtocolType, nil
}

// assumeListener adds an open listener for a parentRef to a Gateway that is assumed. The routes of one port are of one protocol; who
// comes first has it.
func (g *gateway) assumeListener(kind string, ref gatewayv1.ParentReference) {
	port := assumedPort(kind, ref)
	if g == nil || !g.assumed || port == 0 {
		return
	}
	protocol, tls := assumedProtocol(kind)
	all := gatewayv1.NamespacesFromAll
	l := &listener{gateway: g, source: g.source, namespace: g.Namespace}
	l.read(&gatewayv1.Listener{
		Name: gatewayv1.SectionName(fmt.Sprintf("port-%d", port)), Port: gatewayv1.PortNumber(port), Protocol: protocol, TLS: tls,
		AllowedRoutes: &gatewayv1.AllowedRoutes{Namespaces: &gatewayv1.RouteNamespaces{From: &all}},
	})
	if !slices.ContainsFunc(g.listeners, func(other *listener) bool { return other.portKey() == l.portKey() }) {
		g.listeners = append(g.listeners, l)
	}
}
