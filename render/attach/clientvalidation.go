package attach

import (
	"fmt"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// clientGuard is what one TLSConfig of spec.tls.frontend asks of clients.
type clientGuard struct {
	// validation is nil where there is no valid CA certificate: then nobody may come in.
	validation *model.ClientValidation
	// unresolved is the first reference that leads nowhere, or nil.
	unresolved *unresolved
}

// guard asks the clients of an HTTPS listener for certificates, if the Gateway says so. "If ALL CACertificateRefs are invalid, the
// implementation MUST also ensure the Accepted condition on the listener is set to status: False"
// (FrontendTLSValidation.caCertificateRefs).
func (r *resolver) guard(l *listener) {
	config, field := l.gateway.frontend(l.port)
	if config == nil || config.Validation == nil {
		return
	}
	guard := l.gateway.guards[config]
	if guard == nil {
		guard = r.readGuard(l.gateway, config.Validation, field+".validation")
		if l.gateway.guards == nil {
			l.gateway.guards = map[*gatewayv1.TLSConfig]*clientGuard{}
		}
		l.gateway.guards[config] = guard
	}
	if guard.unresolved != nil {
		l.unresolve(guard.unresolved)
	}
	l.validation = guard.validation
	if guard.validation == nil {
		l.unguarded = "no CA certificate for clients is valid: " + guard.unresolved.message
	}
}

// frontend is what the Gateway says of a port, and where: the whole of perPort "overrides the default configuration for all Listeners
// handling HTTPS traffic that match this port" (FrontendTLSConfig.perPort).
func (g *gateway) frontend(port uint32) (*gatewayv1.TLSConfig, string) {
	if g.spec.TLS == nil || g.spec.TLS.Frontend == nil {
		return nil, ""
	}
	frontend := g.spec.TLS.Frontend
	for i := range frontend.PerPort {
		if uint32(frontend.PerPort[i].Port) == port {
			return &frontend.PerPort[i].TLS, fmt.Sprintf("spec.tls.frontend.perPort[%d].tls", i)
		}
	}
	return &frontend.Default, "spec.tls.frontend.default"
}

// insecure tells whether clients without a valid certificate are let in anywhere.
func (g *gateway) insecure() bool {
	if g.spec.TLS == nil || g.spec.TLS.Frontend == nil {
		return false
	}
	insecure := allowsInsecure(&g.spec.TLS.Frontend.Default)
	for i := range g.spec.TLS.Frontend.PerPort {
		insecure = insecure || allowsInsecure(&g.spec.TLS.Frontend.PerPort[i].TLS)
	}
	return insecure
}

func allowsInsecure(config *gatewayv1.TLSConfig) bool {
	return config.Validation != nil && config.Validation.Mode == gatewayv1.AllowInsecureFallback
}

func (r *resolver) readGuard(g *gateway, spec *gatewayv1.FrontendTLSValidation, field string) *clientGuard {
	guard := &clientGuard{}
	found := model.ClientValidation{AllowInsecure: spec.Mode == gatewayv1.AllowInsecureFallback}
	for i, ref := range spec.CACertificateRefs {
		problem := r.readAuthority(g, ref, indexed(field+".caCertificateRefs", i), &found)
		if problem != nil && guard.unresolved == nil {
			guard.unresolved = problem
		}
	}
	if found.Authorities != "" {
		found.AuthoritiesFrom = nil
	}
	if found.Authorities != "" || found.AuthoritiesFrom != nil {
		guard.validation = &found
	}
	return guard
}

// readAuthority adds the CA certificates of one reference.
func (r *resolver) readAuthority(g *gateway, ref gatewayv1.ObjectReference, field string, into *model.ClientValidation) *unresolved {
	refuse := func(code diagnostic.Code, reason gatewayv1.ListenerConditionReason, message, hint string) *unresolved {
		r.warn(g.source, field, code, message, hint)
		return &unresolved{string(reason), message}
	}
	if ref.Group != "" || ref.Kind != "ConfigMap" {
		return refuse(diagnostic.CertificateUnknown, gatewayv1.ListenerReasonInvalidCACertificateKind,
			fmt.Sprintf("the CA certificates are in a %s, which is no ConfigMap", ref.Kind), "")
	}
	name := model.Name{Namespace: g.Namespace, Name: string(ref.Name)}
	if ref.Namespace != nil {
		name.Namespace = string(*ref.Namespace)
	}
	if !permitted(r.index.grants, reference{"Gateway", g.Namespace, "", "ConfigMap", name.Namespace, name.Name}) {
		return refuse(diagnostic.NotPermitted, gatewayv1.ListenerReasonRefNotPermitted, notGranted("Gateway", g.Namespace, "ConfigMap", name),
			"add a ReferenceGrant from Gateway to ConfigMap in namespace "+name.Namespace)
	}
	certificates, known, err := r.authorities(name)
	switch {
	case err != nil:
		return refuse(diagnostic.CertificateUnknown, gatewayv1.ListenerReasonInvalidCACertificateRef, err.Error(), "")
	case !known && !r.assumes("ConfigMap", name):
		return refuse(diagnostic.CertificateUnknown, gatewayv1.ListenerReasonInvalidCACertificateRef,
			fmt.Sprintf("ConfigMap %s is not in the input", name), "add the ConfigMap to the input, or use references: assume")
	case !known:
		r.assumeAuthorities(g, name, field, into)
	default:
		into.Authorities += certificates
	}
	return nil
}

// assumeAuthorities takes the CA certificates from a file beside the certificates of the listeners, since their text is not known.
// Envoy reads the one file, or the text of the ConfigMaps that are known: of several references some are left out, so that fewer
// clients get in, and never more.
func (r *resolver) assumeAuthorities(g *gateway, name model.Name, field string, into *model.ClientValidation) {
	if into.AuthoritiesFrom == nil {
		into.AuthoritiesFrom = &name
	}
	if r.once(diagnostic.CertificateAssumed, "ConfigMap "+name.String()) {
		r.remark(g.source, field, diagnostic.CertificateAssumed,
			fmt.Sprintf("ConfigMap %s is not in the input: it is assumed to exist, and clients of its CAs get in where it is the only one", name))
	}
}
