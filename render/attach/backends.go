package attach

import (
	"cmp"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// shared is what the backendRefs of a rule come down to: shares, or an answer where none of them can serve.
type shared struct {
	shares     []model.WeightedBackend
	direct     *model.Direct
	unrendered []model.Unrendered
}

// backends reads the backendRefs of a rule. "The proportion of requests that would otherwise have been routed to an invalid
// backend MUST receive a 500 status code" (HTTPRouteRule.backendRefs): such a share stays, without a backend.
func (r ruleReader) backends(refs []gatewayv1.HTTPBackendRef) shared {
	var s shared
	var total, valid uint32
	var first *unresolved
	for i := range refs {
		share, unrendered, problem := r.share(&refs[i], fmt.Sprintf("%s.backendRefs[%d]", r.field, i))
		s.unrendered = append(s.unrendered, unrendered...)
		if first == nil {
			first = problem
		}
		total += share.Weight
		if share.Backend != nil {
			valid += share.Weight
		}
		s.shares = append(s.shares, share)
	}
	switch {
	case len(refs) == 0:
	case total == 0:
		s.direct = &model.Direct{Status: 500, Reason: "all weights are 0"}
		r.warn(r.route.source, r.field+".backendRefs", diagnostic.BackendShareAllZero, "all backends have weight 0: the rule answers 500", "")
	case valid == 0:
		s.direct = &model.Direct{Status: 500, Reason: first.message}
	}
	return s
}

// share reads one backendRef with its own filters; those that are not rendered say whose they are.
func (r ruleReader) share(ref *gatewayv1.HTTPBackendRef, field string) (model.WeightedBackend, []model.Unrendered, *unresolved) {
	share := model.WeightedBackend{Weight: 1}
	if ref.Weight != nil {
		share.Weight = uint32(*ref.Weight)
	}
	backend, problem := r.backend(ref.BackendObjectReference, field)
	if problem != nil {
		r.route.refuse(problem)
	}
	filters := r.filters(ref.Filters, field+".filters", backendFilters)
	if filters.refused != "" {
		return share, nil, cmp.Or(problem, &unresolved{message: filters.refused})
	}
	for i := range filters.unrendered {
		filters.unrendered[i].Value += " for " + string(ref.Name)
	}
	share.Backend, share.RequestHeaders, share.ResponseHeaders = backend, filters.request, filters.response
	return share, filters.unrendered, problem
}

// backendKey is what tells backends apart.
type backendKey struct {
	group, kind string
	model.Name
	port uint32
}

func (k backendKey) isService() bool { return k.group == "" && k.kind == "Service" }

// resolvedBackend is a backend, or the reason why there is none, with what there is to say about it.
type resolvedBackend struct {
	backend *model.Backend
	reason  gatewayv1.RouteConditionReason
	code    diagnostic.Code
	message string
	hint    string
}

// backend follows a reference to a backend.
func (r ruleReader) backend(ref gatewayv1.BackendObjectReference, field string) (*model.Backend, *unresolved) {
	key := backendKey{kind: "Service", Name: model.Name{Namespace: r.route.Namespace, Name: string(ref.Name)}}
	if ref.Group != nil {
		key.group = string(*ref.Group)
	}
	if ref.Kind != nil {
		key.kind = string(*ref.Kind)
	}
	if ref.Namespace != nil {
		key.Namespace = string(*ref.Namespace)
	}
	if ref.Port != nil {
		key.port = uint32(*ref.Port)
	}
	if !r.mayUse(key) {
		message := fmt.Sprintf("no ReferenceGrant in namespace %s lets an %s of namespace %s use %s %s", key.Namespace, r.route.Kind, r.route.Namespace, key.kind, key.Name)
		r.warn(r.route.source, field, diagnostic.NotPermitted, message+": its share answers 500",
			fmt.Sprintf("add a ReferenceGrant from %s to %s in namespace %s", r.route.Kind, key.kind, key.Namespace))
		return nil, &unresolved{string(gatewayv1.RouteReasonRefNotPermitted), message}
	}
	resolved, known := r.resolver.backends[key]
	if !known {
		resolved = r.resolve(key)
		r.resolver.backends[key] = resolved
	}
	if resolved.backend == nil {
		r.warn(r.route.source, field, resolved.code, resolved.message+": its share answers 500", resolved.hint)
		return nil, &unresolved{string(resolved.reason), resolved.message}
	}
	// What is assumed of a backend, or missing from it, is said where it is first needed.
	if resolved.code != "" && !known {
		r.warn(r.route.source, field, resolved.code, resolved.message, resolved.hint)
	}
	return resolved.backend, nil
}

// mayUse tells whether the route may refer to a backend. A manifest that names no namespace is applied to one by kustomize, Flux or
// kubectl -n; where it writes the namespace of its backend it is taken to be one that may use it. Refused on both sides of a
// change, the reference would hide the change.
func (r ruleReader) mayUse(key backendKey) bool {
	if permitted(r.index.grants, reference{r.route.Kind, r.route.Namespace, key.group, key.kind, key.Namespace, key.Name.Name}) {
		return true
	}
	if !r.route.declared.NamespaceAbsent || !r.assume() {
		return false
	}
	if r.once(diagnostic.NamespaceUnknown, r.route.Name.String()+" "+key.Namespace) {
		r.remark(r.route.source, "metadata", diagnostic.NamespaceUnknown,
			fmt.Sprintf("the manifest names no namespace: it is taken to be one whose routes may use what is in namespace %s", key.Namespace))
	}
	return true
}

// resolve finds what stands behind a key.
func (r *resolver) resolve(key backendKey) resolvedBackend {
	if !key.isService() {
		return r.foreignBackend(key)
	}
	service, found := r.index.services[key.Name]
	if !found {
		return r.missingService(key)
	}
	if service.Object.Spec.Type == corev1.ServiceTypeExternalName {
		// The API advises against them: they lead anywhere, past every ReferenceGrant (BackendObjectReference, CVE-2021-25740).
		return resolvedBackend{
			reason:  gatewayv1.RouteReasonUnsupportedValue,
			code:    diagnostic.BackendExternal,
			message: fmt.Sprintf("Service %s is of type ExternalName, which is refused", key.Name),
			hint:    "use a Service with endpoints",
		}
	}
	port, problem := servicePort(service.Object, key)
	if problem != nil {
		return *problem
	}
	return r.serviceBackend(service.Object, port, key)
}

func (r *resolver) missingService(key backendKey) resolvedBackend {
	message := fmt.Sprintf("Service %s is not in the input", key.Name)
	switch {
	case r.assume() && !r.assumes("Service", key.Name):
		return resolvedBackend{
			reason: gatewayv1.RouteReasonBackendNotFound, code: diagnostic.BackendUnknown,
			message: fmt.Sprintf("Service %s is removed", key.Name), hint: "keep the Service, or take it out of the backendRefs",
		}
	case !r.assume():
		return resolvedBackend{
			reason: gatewayv1.RouteReasonBackendNotFound, code: diagnostic.BackendUnknown,
			message: message, hint: "add the Service to the input, or use references: assume",
		}
	case key.port == 0:
		return withoutPort(key)
	}
	backend := &model.Backend{Name: key.Name, Port: key.port, DNSName: r.dnsName(key.Name)}
	if r.index.invalid[otherKey{key.kind, key.Name}] {
		return resolvedBackend{backend: backend}
	}
	return resolvedBackend{
		backend: backend, code: diagnostic.BackendAssumed,
		message: message + ": rendered by its DNS name " + backend.DNSName, hint: "add the Service to the input, or use references: strict",
	}
}

// foreignBackend is of a kind that is no Service. Under assume it is taken to serve under its name.
func (r *resolver) foreignBackend(key backendKey) resolvedBackend {
	present := "is not in the input"
	if r.index.others[otherKey{key.kind, key.Name}] {
		present = "is not rendered"
	}
	message := fmt.Sprintf("%s %s of group %q %s", key.kind, key.Name, key.group, present)
	if !r.assumes(key.kind, key.Name) {
		return resolvedBackend{reason: gatewayv1.RouteReasonInvalidKind, code: diagnostic.BackendKind, message: message}
	}
	backend := &model.Backend{Name: key.Name, Kind: strings.ToLower(key.kind + "." + key.group), Port: key.port, DNSName: r.dnsName(key.Name)}
	if key.port == 0 {
		backend.DNSPort = 80 // many foreign kinds hold the port themselves
	}
	return resolvedBackend{backend: backend, code: diagnostic.BackendKind, message: message + ": it is assumed to serve as " + backend.DNSName}
}

func (r *resolver) dnsName(name model.Name) string {
	return fmt.Sprintf("%s.%s.svc.%s", name.Name, name.Namespace, r.options.ClusterDomain)
}

func withoutPort(key backendKey) resolvedBackend {
	return resolvedBackend{
		reason: gatewayv1.RouteReasonBackendNotFound, code: diagnostic.BackendPort,
		message: fmt.Sprintf("no port is given for Service %s", key.Name), hint: "set the port of the backendRef",
	}
}
