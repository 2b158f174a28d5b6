package attach

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// readCertificates resolves the certificates of a listener that ends TLS. One that cannot be used makes the listener's references
// unresolved; the listener is served while one is left.
func (r *resolver) readCertificates(l *listener) {
	if l.tls == nil || len(l.tls.CertificateRefs) == 0 {
		r.assumeCertificate(l)
		return
	}
	reader := certificateReader{r, l.source, l.namespace}
	for i, ref := range l.tls.CertificateRefs {
		certificate, problem := reader.read(ref, indexed(l.field+".tls.certificateRefs", i))
		if problem != nil {
			l.unresolve(problem.as(gatewayv1.ListenerReasonInvalidCertificateRef))
			continue
		}
		l.certificates = append(l.certificates, certificate)
	}
}

// assumeCertificate is for a listener that names none: implementations take it from tls.options or from an annotation then.
func (r *resolver) assumeCertificate(l *listener) {
	if !r.assume() {
		l.unresolve(&unresolved{string(gatewayv1.ListenerReasonInvalidCertificateRef), "the listener names no certificate"})
		r.warn(l.source, l.field+".tls", diagnostic.CertificateUnknown,
			fmt.Sprintf("listener %q names no certificate: it is not served", l.name), "add tls.certificateRefs")
		return
	}
	name := model.Name{Namespace: l.namespace, Name: l.source.Object.Name + "-" + l.name}
	l.certificates = []model.Certificate{{Name: name}}
	r.remark(l.source, l.field+".tls", diagnostic.CertificateAssumed,
		fmt.Sprintf("listener %q names no certificate: one named %s is assumed", l.name, name))
}

// withholdCertificates leaves a listener without certificates where none may be written. It is not served in the clear instead: who asks
// for TLS would send passwords over it.
func (r *resolver) withholdCertificates(l *listener) {
	if !r.options.WithoutCertificates || len(l.certificates) == 0 {
		return
	}
	l.certificates, l.withheld = nil, true
	r.warn(l.source, l.field+".tls", diagnostic.CertificateWithheld,
		fmt.Sprintf("listener %q is not served: it ends TLS, and nothing is written of certificates (secrets: none)", l.name),
		"use secrets: reference, and mount the Secret")
}

// readClientCertificate resolves what the Gateway shows to backends that ask for a certificate (GatewayBackendTLS).
func (r *resolver) readClientCertificate(g *gateway) {
	if g.spec.TLS == nil || g.spec.TLS.Backend == nil || g.spec.TLS.Backend.ClientCertificateRef == nil {
		return
	}
	reader := certificateReader{r, g.source, g.Namespace}
	certificate, problem := reader.read(*g.spec.TLS.Backend.ClientCertificateRef, "spec.tls.backend.clientCertificateRef")
	if problem != nil {
		g.unresolved = problem.as(gatewayv1.ListenerConditionReason(gatewayv1.GatewayReasonInvalidClientCertificateRef))
		return
	}
	if r.options.WithoutCertificates {
		r.warn(g.source, "spec.tls.backend.clientCertificateRef", diagnostic.CertificateWithheld,
			"backends are shown no certificate: nothing is written of certificates (secrets: none)", "use secrets: reference, and mount the Secret")
		return
	}
	g.clientCertificate = &certificate
}

// certificateReader follows the references of one object to Secrets.
type certificateReader struct {
	*resolver
	from      source
	namespace string
}

// badCertificate says why a certificate cannot be used.
type badCertificate struct {
	// forbidden: no ReferenceGrant allows the reference. That has one reason everywhere; an invalid one has a reason of its place.
	forbidden bool
	message   string
}

func (b *badCertificate) as(invalid gatewayv1.ListenerConditionReason) *unresolved {
	if b.forbidden {
		return &unresolved{string(gatewayv1.ListenerReasonRefNotPermitted), b.message}
	}
	return &unresolved{string(invalid), b.message}
}

func (r certificateReader) read(ref gatewayv1.SecretObjectReference, field string) (model.Certificate, *badCertificate) {
	name := model.Name{Namespace: r.namespace, Name: string(ref.Name)}
	if ref.Namespace != nil {
		name.Namespace = string(*ref.Namespace)
	}
	refuse := func(message, hint string) (model.Certificate, *badCertificate) {
		r.warn(r.from, field, diagnostic.CertificateUnknown, message, hint)
		return model.Certificate{}, &badCertificate{message: message}
	}
	if group, kind := secretKind(ref); group != "" || kind != "Secret" {
		return refuse(fmt.Sprintf("the certificate is a %s, which is no Secret", kind), "")
	}
	if !permitted(r.index.grants, reference{r.from.Kind, r.namespace, "", "Secret", name.Namespace, name.Name}) {
		message := notGranted(r.from.Kind, r.namespace, "Secret", name)
		r.warn(r.from, field, diagnostic.NotPermitted, message, fmt.Sprintf("add a ReferenceGrant from %s to Secret in namespace %s", r.from.Kind, name.Namespace))
		return model.Certificate{}, &badCertificate{forbidden: true, message: message}
	}
	secret, found := r.index.secrets[name]
	switch {
	case !found && !r.assumes("Secret", name):
		return refuse(fmt.Sprintf("Secret %s is not in the input", name), "add the Secret to the input, or use references: assume")
	case !found && r.once(diagnostic.CertificateAssumed, name.String()):
		r.remark(r.from, field, diagnostic.CertificateAssumed, fmt.Sprintf("Secret %s is not in the input: it is assumed to exist", name))
	case found && secret.Type != corev1.SecretTypeTLS && secret.Type != "":
		return refuse(fmt.Sprintf("Secret %s is of type %s, not %s", name, secret.Type, corev1.SecretTypeTLS), "")
	case found && secret.Pair.Verdict == manifest.PairMissing && r.assume():
		if r.once(diagnostic.CertificateAssumed, name.String()) {
			r.remark(r.from, field, diagnostic.CertificateAssumed, fmt.Sprintf("Secret %s is without its data: %s, and it is assumed to get it", name, secret.Pair.Problem))
		}
	case found && secret.Pair.Problem != "":
		return refuse(fmt.Sprintf("Secret %s cannot be used: %s", name, secret.Pair.Problem), "")
	}
	return model.Certificate{Name: name}, nil
}

func secretKind(ref gatewayv1.SecretObjectReference) (group, kind string) {
	group, kind = "", "Secret"
	if ref.Group != nil {
		group = string(*ref.Group)
	}
	if ref.Kind != nil {
		kind = string(*ref.Kind)
	}
	return group, kind
}

// notGranted says that a reference over namespaces has no ReferenceGrant.
func notGranted(fromKind, fromNamespace, toKind string, to model.Name) string {
	return fmt.Sprintf("no ReferenceGrant in namespace %s lets %ss of namespace %s use %s %s", to.Namespace, fromKind, fromNamespace, toKind, to)
}
