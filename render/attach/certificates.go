package attach

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// readCertificates resolves the certificates of an HTTPS listener. One that cannot be used makes the listener's references
// unresolved; the listener is served while one is left.
func (r *resolver) readCertificates(l *listener, tls *gatewayv1.ListenerTLSConfig) {
	if tls == nil || len(tls.CertificateRefs) == 0 {
		r.assumeCertificate(l)
		return
	}
	for i, ref := range tls.CertificateRefs {
		certificate, problem := r.certificate(l, ref, fmt.Sprintf("%s.tls.certificateRefs[%d]", l.field, i))
		if problem != nil {
			if l.unresolved == nil {
				l.unresolved = problem
			}
			continue
		}
		l.certificates = append(l.certificates, certificate)
	}
}

// assumeCertificate is for a listener that names none: implementations take it from tls.options or from an annotation then.
func (r *resolver) assumeCertificate(l *listener) {
	if !r.assume() {
		l.unresolved = &unresolved{string(gatewayv1.ListenerReasonInvalidCertificateRef), "the listener names no certificate"}
		r.warn(l.gateway.source, l.field+".tls", diagnostic.CertificateUnknown,
			fmt.Sprintf("listener %q names no certificate: it is not served", l.name), "add tls.certificateRefs")
		return
	}
	name := model.Name{Namespace: l.gateway.Namespace, Name: l.gateway.Name.Name + "-" + l.name}
	l.certificates = []model.Certificate{{Name: name}}
	r.remark(l.gateway.source, l.field+".tls", diagnostic.CertificateAssumed,
		fmt.Sprintf("listener %q names no certificate: one named %s is assumed", l.name, name))
}

func (r *resolver) certificate(l *listener, ref gatewayv1.SecretObjectReference, field string) (model.Certificate, *unresolved) {
	name := model.Name{Namespace: l.gateway.Namespace, Name: string(ref.Name)}
	if ref.Namespace != nil {
		name.Namespace = string(*ref.Namespace)
	}
	refuse := func(code diagnostic.Code, reason gatewayv1.ListenerConditionReason, message, hint string) (model.Certificate, *unresolved) {
		r.warn(l.gateway.source, field, code, message, hint)
		return model.Certificate{}, &unresolved{string(reason), message}
	}
	group, kind := "", "Secret"
	if ref.Group != nil {
		group = string(*ref.Group)
	}
	if ref.Kind != nil {
		kind = string(*ref.Kind)
	}
	if group != "" || kind != "Secret" {
		return refuse(diagnostic.CertificateUnknown, gatewayv1.ListenerReasonInvalidCertificateRef,
			fmt.Sprintf("the certificate is a %s, which is no Secret", kind), "")
	}
	if !permitted(r.index.grants, reference{"Gateway", l.gateway.Namespace, "", "Secret", name.Namespace, name.Name}) {
		return refuse(diagnostic.NotPermitted, gatewayv1.ListenerReasonRefNotPermitted,
			fmt.Sprintf("no ReferenceGrant in namespace %s lets Gateways of namespace %s use Secret %s", name.Namespace, l.gateway.Namespace, name),
			"add a ReferenceGrant from Gateway to Secret in namespace "+name.Namespace)
	}
	secret, found := r.index.secrets[name]
	switch {
	case !found && !r.assumes("Secret", name):
		return refuse(diagnostic.CertificateUnknown, gatewayv1.ListenerReasonInvalidCertificateRef,
			fmt.Sprintf("Secret %s is not in the input", name), "add the Secret to the input, or use references: assume")
	case !found && r.once(diagnostic.CertificateAssumed, name.String()):
		r.remark(l.gateway.source, field, diagnostic.CertificateAssumed, fmt.Sprintf("Secret %s is not in the input: it is assumed to exist", name))
	case found && secret.Type != corev1.SecretTypeTLS && secret.Type != "":
		return refuse(diagnostic.CertificateUnknown, gatewayv1.ListenerReasonInvalidCertificateRef,
			fmt.Sprintf("Secret %s is of type %s, not %s", name, secret.Type, corev1.SecretTypeTLS), "")
	}
	return model.Certificate{Name: name}, nil
}
