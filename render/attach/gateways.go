package attach

import (
	"cmp"
	"fmt"
	"slices"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// gateway is a Gateway while routes attach to it.
type gateway struct {
	model.Name
	source
	generation int64
	// assumed: the Gateway is not in the input.
	assumed bool
	// selected: the Gateway's class is among those asked for.
	selected bool
	// written is the name in the manifest, which differs from Name where the manifest names no namespace.
	written model.Name
	spec    *gatewayv1.GatewaySpec
	// refused is why the Gateway as a whole is not accepted, or nil.
	refused *unresolved
	// listeners are the Gateway's own; those of sets stand behind them, in the order of precedence.
	listeners []*listener
	sets      []*listenerSet
	// onPort are the accepted listeners that share a port, sorted by chain name.
	onPort map[portKey][]*listener
	// guards are what the ports of spec.tls.frontend ask of clients, once a listener needs it.
	guards map[*gatewayv1.TLSConfig]*clientGuard
	// clientCertificate is what backends are shown, or nil; unresolved is why there is none although the Gateway names one.
	clientCertificate *model.Certificate
	unresolved        *unresolved
	addresses         gatewayAddresses
}

// gateways reads the Gateways of the input. Their listeners are read but not yet held against those of ListenerSets.
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
			spec:       &object.Spec,
		}
		gateways = append(gateways, g)
		if g.Name != g.written {
			r.remark(g.source, "metadata", diagnostic.NamespaceUnknown,
				fmt.Sprintf("the manifest names no namespace, and who attaches names this Gateway as %s: it is taken to be that one", g.Name))
		}
		if !g.selected {
			r.leaveOut(g, objects)
			continue
		}
		r.readGateway(g)
	}
	return gateways
}

// leaveOut says that a Gateway is of another class. Where every Gateway is, the classes that are asked for are most likely misspelt.
func (r *resolver) leaveOut(g *gateway, objects *manifest.Objects) {
	class := string(g.spec.GatewayClassName)
	message := fmt.Sprintf("class %q is not among those asked for: the Gateway is left out", class)
	if slices.ContainsFunc(objects.Gateways, func(other manifest.Located[*gatewayv1.Gateway]) bool {
		return r.selects(string(other.Object.Spec.GatewayClassName))
	}) {
		r.remark(g.source, "spec.gatewayClassName", diagnostic.ClassNotSelected, message)
		return
	}
	hint := "no Gateway of the input is of a class that is asked for"
	if near := diagnostic.Nearest(class, r.options.GatewayClasses); near != "" {
		hint += fmt.Sprintf(": did you mean %q in place of %q?", class, near)
	}
	r.warn(g.source, "spec.gatewayClassName", diagnostic.ClassNotSelected, message, hint)
}

func (r *resolver) readGateway(g *gateway) {
	r.readParameters(g)
	r.readAddresses(g)
	r.readClientCertificate(g)
	g.listeners = r.readListeners(g, nil, g.spec.Listeners)
}

func (r *resolver) selects(class string) bool {
	return len(r.options.GatewayClasses) == 0 || slices.Contains(r.options.GatewayClasses, class)
}

// readParameters: no kind of parameters is known. A controller that does not know one rejects the Gateway
// (GatewayInfrastructure.parametersRef); under assume the parameters are another implementation's, and routes do without them.
func (r *resolver) readParameters(g *gateway) {
	if g.spec.Infrastructure == nil || g.spec.Infrastructure.ParametersRef == nil {
		return
	}
	ref := g.spec.Infrastructure.ParametersRef
	message := fmt.Sprintf("parameters of kind %s of group %q are not read", ref.Kind, ref.Group)
	const field = "spec.infrastructure.parametersRef"
	if r.assume() {
		r.remark(g.source, field, diagnostic.FieldUnsupported, message+": the Gateway is rendered without them")
		return
	}
	g.refused = &unresolved{string(gatewayv1.GatewayReasonInvalidParameters), message}
	r.warn(g.source, field, diagnostic.FieldUnsupported, message+": the Gateway is not served", "")
}

// mergeListeners finds the listeners of each Gateway and of its ListenerSets that exclude each other, and follows the references of
// the others.
func (r *resolver) mergeListeners(gateways []*gateway) {
	for _, g := range gateways {
		if !g.selected {
			continue
		}
		uses := portUses{}
		uses.add(g.listeners)
		for _, set := range g.sets {
			uses.add(set.listeners)
		}
		r.resolveListeners(g.allListeners())
		g.onPort = map[portKey][]*listener{}
		for _, l := range g.allListeners() {
			if l.accepted() {
				g.onPort[l.portKey()] = append(g.onPort[l.portKey()], l)
			}
		}
		for _, listeners := range g.onPort {
			slices.SortFunc(listeners, func(a, b *listener) int { return cmp.Compare(a.chainName(), b.chainName()) })
		}
	}
}

// allListeners are those of the Gateway and of the ListenerSets that it takes.
func (g *gateway) allListeners() []*listener {
	all := slices.Clone(g.listeners)
	for _, set := range g.sets {
		all = append(all, set.listeners...)
	}
	return all
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
