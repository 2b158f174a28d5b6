package attach

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// usage is what a route does with a backend: it decides which port of a Service is meant and what is spoken to it.
type usage string

const (
	useHTTP usage = "HTTP"
	useGRPC usage = "gRPC"
	useTCP  usage = "TCP"
	usePass usage = "passthrough" // TLS as the client speaks it
	useTLS  usage = "TLS"         // what the listener has decrypted, encrypted again where a BackendTLSPolicy says so
	useUDP  usage = "UDP"
	// Servers that are asked whether a request is allowed.
	useAuth     usage = "ExternalAuth over HTTP"
	useGRPCAuth usage = "ExternalAuth over gRPC"
)

func usageOf(routeKind string) usage {
	switch routeKind {
	case "GRPCRoute":
		return useGRPC
	case "TLSRoute":
		return usePass
	case "TCPRoute":
		return useTCP
	case "UDPRoute":
		return useUDP
	}
	return useHTTP
}

// refusal is what becomes of the share of a backend that is refused, for messages.
func (u usage) refusal() string {
	switch u {
	case useTCP, usePass, useTLS:
		return "its share of the connections is closed"
	case useUDP:
		return "its share of the datagrams is dropped"
	case useGRPC:
		return "its share is UNAVAILABLE"
	case useAuth, useGRPCAuth:
		return "nobody says whether a request is allowed, so that none is: it answers 500"
	}
	return "its share answers 500"
}

// encrypts tells whether a BackendTLSPolicy is applied: to "HTTPRoute, GRPCRoute, TLSRoute with termination"
// (BackendTLSPolicySpec.targetRefs).
func (u usage) encrypts() bool {
	switch u {
	case useHTTP, useGRPC, useTLS, useAuth, useGRPCAuth: // "If the backend service requires TLS, use BackendTLSPolicy" (HTTPExternalAuthFilter.backendRef)
		return true
	}
	return false
}

// asksProtocol tells whether the Service says which HTTP is spoken to it. gRPC leaves no choice.
func (u usage) asksProtocol() bool { return u == useHTTP || u == useAuth }

// backendKey is what tells backends apart.
type backendKey struct {
	group, kind string
	model.Name
	port uint32
	use  usage
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
	return r.backendFor(ref, field, usageOf(r.route.Kind))
}

// mirrored follows a reference to a backend that gets copies of requests.
func (r ruleReader) mirrored(ref gatewayv1.BackendObjectReference, field string) (*model.Backend, *unresolved) {
	return r.follow(ref, field, usageOf(r.route.Kind), "requests are not copied to it")
}

// backendFor follows a reference to a backend that is used in a given way.
func (r ruleReader) backendFor(ref gatewayv1.BackendObjectReference, field string, use usage) (*model.Backend, *unresolved) {
	return r.follow(ref, field, use, use.refusal())
}

// follow resolves a reference to a backend. refusal is what becomes of it where it leads nowhere, for messages.
func (r ruleReader) follow(ref gatewayv1.BackendObjectReference, field string, use usage, refusal string) (*model.Backend, *unresolved) {
	key := r.backendKey(ref, use)
	if !r.mayUse(key) {
		message := fmt.Sprintf("no ReferenceGrant in namespace %s lets %s of namespace %s use %s %s", key.Namespace, aKind(r.route.Kind), r.route.Namespace, key.kind, key.Name)
		r.warnOnce(field, diagnostic.NotPermitted, message+": "+refusal,
			fmt.Sprintf("add a ReferenceGrant from %s to %s in namespace %s", r.route.Kind, key.kind, key.Namespace))
		return nil, &unresolved{string(gatewayv1.RouteReasonRefNotPermitted), message}
	}
	if key.isService() && use.encrypts() {
		r.route.reached = append(r.route.reached, reachedPort{key.Name, key.port})
	}
	resolved, known := r.resolver.backends[key]
	if !known {
		resolved = r.resolve(key)
		resolved.backend = r.intern(resolved.backend)
		r.resolver.backends[key] = resolved
	}
	if resolved.backend == nil {
		r.warnOnce(field, resolved.code, resolved.message+": "+refusal, resolved.hint)
		return nil, &unresolved{string(resolved.reason), resolved.message}
	}
	// What is assumed of a backend, or missing from it, is said where it is first needed.
	if resolved.code != "" && !known {
		r.warnOnce(field, resolved.code, resolved.message, resolved.hint)
	}
	return resolved.backend, nil
}

func (r ruleReader) backendKey(ref gatewayv1.BackendObjectReference, use usage) backendKey {
	key := backendKey{kind: "Service", Name: model.Name{Namespace: r.route.Namespace, Name: string(ref.Name)}, use: use}
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
	return key
}

// warnOnce warns about a field of the route. The backends of a TLSRoute are read once more where a listener ends TLS.
func (r ruleReader) warnOnce(field string, code diagnostic.Code, message, hint string) {
	if r.once(code, r.route.Object.String()+" "+field+" "+message) {
		r.warn(r.route.source, field, code, message, hint)
	}
}

// identity is what a backend is called by. A Service's port has one BackendTLSPolicy, so that all who encrypt do it alike.
type identity struct {
	kind string
	model.Name
	port      uint32
	protocol  model.BackendProtocol
	encrypted bool
}

// intern makes equal backends equal pointers, whoever uses them.
func (r *resolver) intern(b *model.Backend) *model.Backend {
	if b == nil {
		return nil
	}
	key := identity{b.Kind, b.Name, b.Port, b.Protocol, b.TLS != nil}
	if known := r.interned[key]; known != nil {
		return known
	}
	r.interned[key] = b
	return b
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
	return r.encrypt(r.serviceBackend(service.Object, port, key), key, &port)
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
	backend := &model.Backend{Name: key.Name, Port: key.port, Protocol: key.use.protocol(), DNSName: r.dnsName(key.Name)}
	resolved := resolvedBackend{backend: backend}
	if !r.index.invalid[otherKey{key.kind, key.Name}] {
		resolved.code = diagnostic.BackendAssumed
		resolved.message = message + ": rendered by its DNS name " + backend.DNSName
		resolved.hint = "add the Service to the input, or use references: strict"
	}
	return r.encrypt(resolved, key, nil)
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
	backend := &model.Backend{
		Name: key.Name, Kind: strings.ToLower(key.kind + "." + key.group), Port: key.port, Protocol: key.use.protocol(), DNSName: r.dnsName(key.Name),
	}
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

// aKind is the kind of a route with its article, by how its first letter is spoken.
func aKind(kind string) string {
	if kind == "HTTPRoute" {
		return "an " + kind
	}
	return "a " + kind
}
