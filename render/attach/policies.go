package attach

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// policy is a BackendTLSPolicy: how the backends of a Service prove who they are.
type policy struct {
	model.Name
	source
	declared *gatewayv1.BackendTLSPolicy
	age      model.Age
	// tls is what it asks for, nil where that cannot be met: nobody is spoken to then.
	tls *model.BackendTLS
	// missing is a target that is not there, invalid why the policy cannot be met, conflicted why another one takes its place, and
	// unresolved the first reference that leads nowhere; each may be nil.
	missing, invalid, conflicted, unresolved *unresolved
}

// policyTarget is one target of a policy: a Service, or one port of it.
type policyTarget struct {
	policy *policy
	field  string // spec.targetRefs[i]
	// port is the name of the port (sectionName), "" for all that have no policy of their own.
	port string
}

// reachedPort is a port of a Service that a route sends to.
type reachedPort struct {
	model.Name
	port uint32
}

// readPolicies reads the policies of the input. The targets of each Service stand in the order of precedence: "the older policy by
// creation timestamp", then "first in alphabetical order by {namespace}/{name}" (BackendTLSPolicySpec.targetRefs).
func (r *resolver) readPolicies(objects *manifest.Objects) {
	for _, located := range objects.BackendTLSPolicies {
		object := located.Object
		p := &policy{
			Name:     model.Name{Namespace: object.Namespace, Name: object.Name},
			source:   source{diagnostic.Object{Kind: "BackendTLSPolicy", Namespace: object.Namespace, Name: object.Name}, located.Places},
			declared: object,
		}
		p.age = r.ageOf(object, p.Object)
		r.readValidation(p)
		r.policies = append(r.policies, p)
	}
	slices.SortStableFunc(r.policies, func(a, b *policy) int {
		return cmp.Or(a.age.Compare(b.age), cmp.Compare(a.Name.String(), b.Name.String()))
	})
	for _, p := range r.policies {
		r.readTargets(p)
	}
}

// readTargets files a policy under its Services, and marks it where an earlier one has the same target.
func (r *resolver) readTargets(p *policy) {
	for i, ref := range p.declared.Spec.TargetRefs {
		t := policyTarget{policy: p, field: fmt.Sprintf("spec.targetRefs[%d]", i)}
		if ref.Group != "" || ref.Kind != "Service" {
			r.warn(p.source, t.field, diagnostic.PolicyIgnored, fmt.Sprintf("the target is a %s, which is no Service: nothing comes of it", ref.Kind), "")
			continue
		}
		if ref.SectionName != nil {
			t.port = string(*ref.SectionName)
		}
		service := model.Name{Namespace: p.Namespace, Name: string(ref.Name)}
		if problem := r.missingTarget(service, t.port); problem != "" {
			p.missing = &unresolved{string(gatewayv1.PolicyReasonTargetNotFound), problem}
			r.warn(p.source, t.field, diagnostic.PolicyIgnored, problem+": nothing comes of it", "")
		}
		if first := find(r.targets[service], t.port); first != nil {
			p.conflicted = &unresolved{string(gatewayv1.PolicyReasonConflicted), fmt.Sprintf("%s has the same target %s and comes first", first.Object, targetText(service, t.port))}
			r.warn(p.source, t.field, diagnostic.PolicyConflict, p.conflicted.message, "keep one policy for each target")
			continue
		}
		r.targets[service] = append(r.targets[service], t)
	}
}

// missingTarget says what is not there of a target, or "". A Service that is assumed has any port.
func (r *resolver) missingTarget(service model.Name, port string) string {
	located, known := r.index.services[service]
	switch {
	case !known && !r.assumes("Service", service):
		return fmt.Sprintf("Service %s is not in the input", service)
	case known && port != "" && !slices.ContainsFunc(located.Object.Spec.Ports, func(p corev1.ServicePort) bool { return p.Name == port }):
		return fmt.Sprintf("Service %s has no port named %q", service, port)
	}
	return ""
}

func targetText(service model.Name, port string) string {
	if port == "" {
		return "Service " + service.String()
	}
	return fmt.Sprintf("port %q of Service %s", port, service)
}

// find is the policy of a target, or nil.
func find(targets []policyTarget, port string) *policy {
	for _, t := range targets {
		if t.port == port {
			return t.policy
		}
	}
	return nil
}

// policyOf is the policy that holds for a port of a Service: the one that names the port before the one for the whole Service. Of a
// Service that is not in the input the names of ports are not known; a policy for one of them is held to be for this one, since
// leaving it out would send in plain text what is to be encrypted.
func (r *resolver) policyOf(service model.Name, port *corev1.ServicePort) *policy {
	targets := r.targets[service]
	if port == nil {
		if len(targets) == 0 {
			return nil
		}
		return cmp.Or(find(targets, ""), targets[0].policy)
	}
	if port.Name != "" {
		if named := find(targets, port.Name); named != nil {
			return named
		}
	}
	return find(targets, "")
}

// encrypt applies the BackendTLSPolicy of a backend. port is nil where the Service is not in the input.
func (r *resolver) encrypt(resolved resolvedBackend, key backendKey, port *corev1.ServicePort) resolvedBackend {
	p := r.policyOf(key.Name, port)
	switch {
	case p != nil && key.use == useTCP && resolved.code == "":
		resolved.code = diagnostic.PolicyIgnored
		resolved.message = fmt.Sprintf("%s does not hold for a TCPRoute: what comes is passed on to Service %s as it is", p.Object, key.Name)
	case !key.use.encrypts():
	case p != nil && p.tls == nil:
		return resolvedBackend{
			// The API has no reason of its own for "a BackendTLSPolicy is present that refers to the Service, and the implementation is
			// unable to meet the requirement" (HTTPBackendRef).
			reason: "InvalidBackendTLSPolicy", code: diagnostic.PolicyInvalid,
			message: fmt.Sprintf("%s of Service %s: %s", p.Object, key.Name, p.invalid.message), hint: "give the policy a CA certificate",
		}
	case p != nil:
		secured := *resolved.backend
		secured.TLS = p.tls
		resolved.backend = &secured
	case port != nil && speaksTLS(*port) && key.use != useTLS:
		return r.withoutPolicy(resolved, key, port)
	}
	return resolved
}

// withoutPolicy is a backend that speaks TLS with whom no policy says: no certificate could be held against anything. "If a Route
// is not able to send traffic to the backend using the specified protocol then the backend is considered invalid" (BackendRef).
// Under assume such a backend stays, as many controllers let it, and is spoken to in plain text.
func (r *resolver) withoutPolicy(resolved resolvedBackend, key backendKey, port *corev1.ServicePort) resolvedBackend {
	message := fmt.Sprintf("appProtocol %s of Service %s needs a BackendTLSPolicy, and there is none", *port.AppProtocol, key.Name)
	hint := "add a BackendTLSPolicy that says for which hostname and by which CA the backend's certificate is"
	if !r.assume() {
		return resolvedBackend{reason: gatewayv1.RouteReasonUnsupportedProtocol, code: diagnostic.PolicyMissing, message: message, hint: hint}
	}
	resolved.code, resolved.message, resolved.hint = diagnostic.PolicyMissing, message+": the backend is spoken to in plain text", hint
	return resolved
}

// readValidation turns the validation of a policy into the model. "If ALL CACertificateRefs are invalid", and where a set of well-known
// certificates is not known, it cannot be met.
func (r *resolver) readValidation(p *policy) {
	validation := &p.declared.Spec.Validation
	tls := &model.BackendTLS{Hostname: strings.ToLower(string(validation.Hostname))}
	for _, name := range validation.SubjectAltNames {
		if name.Type == gatewayv1.URISubjectAltNameType {
			tls.SubjectAltNames = append(tls.SubjectAltNames, model.SubjectAltName{URI: true, Value: string(name.URI)})
			continue
		}
		tls.SubjectAltNames = append(tls.SubjectAltNames, model.SubjectAltName{Value: strings.ToLower(string(name.Hostname))})
	}
	if len(p.declared.Spec.Options) > 0 {
		r.warn(p.source, "spec.options", diagnostic.FieldUnsupported, "no option of a BackendTLSPolicy is known: they are left out", "")
	}
	switch wellKnown := validation.WellKnownCACertificates; {
	case wellKnown != nil && *wellKnown == gatewayv1.WellKnownCACertificatesSystem:
		tls.System = true
	case wellKnown != nil && *wellKnown != "":
		p.invalid = &unresolved{string(gatewayv1.PolicyReasonInvalid), fmt.Sprintf("the well-known CA certificates %s are not known", *wellKnown)}
		r.warn(p.source, "spec.validation.wellKnownCACertificates", diagnostic.PolicyInvalid, p.invalid.message, "")
	default:
		r.readAuthorities(p, tls)
	}
	if p.invalid == nil {
		p.tls = tls
	}
}

// readAuthorities reads the CA certificates of a policy from ConfigMaps of its namespace. One that cannot be read makes the references
// unresolved; the others hold.
func (r *resolver) readAuthorities(p *policy, tls *model.BackendTLS) {
	for i, ref := range p.declared.Spec.Validation.CACertificateRefs {
		field := fmt.Sprintf("spec.validation.caCertificateRefs[%d]", i)
		name := model.Name{Namespace: p.Namespace, Name: string(ref.Name)}
		reason, problem := gatewayv1.BackendTLSPolicyReasonInvalidCACertificateRef, ""
		certificates, known, err := r.authorities(name)
		switch {
		case ref.Group != "" || ref.Kind != "ConfigMap":
			reason, problem = gatewayv1.BackendTLSPolicyReasonInvalidKind, fmt.Sprintf("the CA certificate is a %s, which is no ConfigMap", ref.Kind)
		case !known && !r.assumes("ConfigMap", name):
			problem = fmt.Sprintf("ConfigMap %s is not in the input", name)
		case !known:
			r.remark(p.source, field, diagnostic.CertificateAssumed, fmt.Sprintf("ConfigMap %s is not in the input: it is assumed to exist", name))
			if tls.AuthoritiesFrom == nil {
				tls.AuthoritiesFrom = &name
			}
		case err != nil:
			problem = err.Error()
		}
		if problem != "" {
			r.warn(p.source, field, diagnostic.PolicyInvalid, problem, "")
			if p.unresolved == nil {
				p.unresolved = &unresolved{string(reason), problem}
			}
			continue
		}
		tls.Authorities += certificates
	}
	if tls.Authorities != "" {
		tls.AuthoritiesFrom = nil // what is known is held to be all
	}
	if tls.Authorities == "" && tls.AuthoritiesFrom == nil {
		problem := cmp.Or(p.unresolved, &unresolved{message: "there is no CA certificate"})
		p.invalid = &unresolved{string(gatewayv1.BackendTLSPolicyReasonNoValidCACertificate), problem.message}
	}
}
