package attach

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/status"
)

// gateway is a Gateway while routes attach to it.
type gateway struct {
	model.Name
	source
	generation int64
	// assumed: the Gateway is not in the input.
	assumed bool
	// selected: the Gateway's class is among those asked for.
	selected  bool
	listeners []*listener
	// written is the name in the manifest, which differs from Name where the manifest names no namespace.
	written model.Name
}

// gateways reads the Gateways of the input.
func (r *resolver) gateways(objects *manifest.Objects) []*gateway {
	var gateways []*gateway
	homes := r.homes(objects)
	for _, located := range objects.Gateways {
		object := located.Object
		name := model.Name{Namespace: object.Namespace, Name: object.Name}
		g := &gateway{
			Name:       cmp.Or(homes[name], name),
			written:    name,
			source:     source{diagnostic.Object{Kind: "Gateway", Namespace: object.Namespace, Name: object.Name}, located.Places},
			generation: object.Generation,
			selected:   r.selects(string(object.Spec.GatewayClassName)),
		}
		gateways = append(gateways, g)
		if g.Name != g.written {
			r.remark(g.source, "metadata", diagnostic.NamespaceUnknown,
				fmt.Sprintf("the manifest names no namespace, and routes name this Gateway as %s: it is taken to be that one", g.Name))
		}
		if !g.selected {
			r.remark(g.source, "spec.gatewayClassName", diagnostic.ClassNotSelected,
				fmt.Sprintf("class %q is not among those asked for: the Gateway is left out", object.Spec.GatewayClassName))
			continue
		}
		g.listeners = r.listeners(g, object.Spec.Listeners)
		if object.Spec.TLS != nil {
			r.warn(g.source, "spec.tls", diagnostic.FieldUnsupported, "client certificates of the Gateway are not rendered yet", "")
		}
	}
	return gateways
}

func (r *resolver) selects(class string) bool {
	return len(r.options.GatewayClasses) == 0 || slices.Contains(r.options.GatewayClasses, class)
}

// assumedGateways makes an open Gateway for each that routes name and that is not in the input: for every port that a route
// asks for a listener that takes any hostname and every namespace. It speaks plain HTTP, as no certificate is known.
func (r *resolver) assumedGateways(objects *manifest.Objects, known []*gateway) []*gateway {
	if !r.assume() {
		return nil
	}
	byName := gatewaysByName(known)
	var assumed []*gateway
	for route := range objects.Routes() {
		for i, ref := range route.ParentRefs {
			if !isGateway(ref) {
				continue
			}
			name := parentName(ref, route.Object.GetNamespace())
			if r.index.invalid[otherKey{"Gateway", name}] {
				continue
			}
			g := byName[name]
			if g == nil && !r.assumes("Gateway", name) {
				continue
			}
			if g == nil {
				g = &gateway{
					Name:     name,
					source:   source{Object: diagnostic.Object{Kind: "Gateway", Namespace: name.Namespace, Name: name.Name}},
					assumed:  true,
					selected: true,
				}
				byName[name] = g
				assumed = append(assumed, g)
				r.warn(source{route.Name(), route.Places}, parentField(i), diagnostic.GatewayAssumed,
					fmt.Sprintf("Gateway %s is not in the input: one that takes every route is assumed", name),
					"add the Gateway to the input, or use references: strict")
			}
			if g.assumed {
				g.assumePort(assumedPort(ref))
			}
		}
	}
	return assumed
}

// assumedPort is the port of a listener that a parentRef names and that is not known. The section's name is all that tells a
// redirect to HTTPS from the routes that it leads to, so a section named for HTTPS has a port of its own. It depends on this
// one reference alone: another route never moves it.
func assumedPort(ref gatewayv1.ParentReference) uint32 {
	if ref.Port != nil {
		return uint32(*ref.Port)
	}
	if ref.SectionName != nil {
		section := strings.ToLower(string(*ref.SectionName))
		if strings.Contains(section, "https") || strings.Contains(section, "secure") && !strings.Contains(section, "insecure") {
			return 443
		}
	}
	return 80
}

func (g *gateway) assumePort(port uint32) {
	if slices.ContainsFunc(g.listeners, func(l *listener) bool { return l.port == port }) {
		return
	}
	g.listeners = append(g.listeners, &listener{
		gateway:   g,
		source:    g.source,
		namespace: g.Namespace,
		name:      fmt.Sprintf("port-%d", port),
		port:      port,
		protocol:  gatewayv1.HTTPProtocolType,
		hostname:  anyHostname,
		allowed:   allowedRoutes{kinds: routeKinds(gatewayv1.HTTPProtocolType), from: gatewayv1.NamespacesFromAll},
		supported: true,
	})
}

func gatewaysByName(gateways []*gateway) map[model.Name]*gateway {
	byName := make(map[model.Name]*gateway, len(gateways))
	for _, g := range gateways {
		byName[g.Name] = g
		if g.written.Name != "" {
			byName[g.written] = g
		}
	}
	return byName
}

func sortedGateways(gateways []*gateway) []*gateway {
	return slices.SortedFunc(slices.Values(gateways), func(a, b *gateway) int {
		return cmp.Compare(a.Name.String(), b.Name.String())
	})
}

// status of a Gateway: accepted while at least one listener is, and then with the reason ListenersNotValid if another is not
// (GatewaySpec.listeners, "Handling indistinct Listeners").
func (g *gateway) status() status.Gateway {
	report := status.Gateway{Gateway: g.Name}
	var invalid []string
	served := 0
	for _, l := range g.listeners {
		report.Listeners = append(report.Listeners, l.status())
		if !l.accepted() {
			invalid = append(invalid, l.name)
		}
		if l.served() {
			served++
		}
	}
	slices.SortFunc(report.Listeners, func(a, b status.Listener) int { return cmp.Compare(a.Name, b.Name) })
	reason, message := gatewayv1.GatewayReasonAccepted, ""
	if len(invalid) > 0 {
		slices.Sort(invalid)
		reason, message = gatewayv1.GatewayReasonListenersNotValid, "listeners not accepted: "+strings.Join(invalid, ", ")
	}
	programmed := gatewayv1.GatewayReasonProgrammed
	if served == 0 {
		programmed = gatewayv1.GatewayReasonInvalid
	}
	report.Conditions = []status.Condition{
		status.New(gatewayv1.GatewayConditionAccepted, len(invalid) < len(g.listeners), reason, message, g.generation),
		status.New(gatewayv1.GatewayConditionProgrammed, served > 0, programmed, "", g.generation),
	}
	return report
}
