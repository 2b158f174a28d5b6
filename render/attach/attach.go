// Package attach decides which rules serve which hostname on which port, and which backends stand behind them.
//
// In come the objects of an input, checked and with the API's defaults filled in; out come the Gateways as the neutral model
// (rules of a host in no particular order), the status that a controller would write, and what there is to say about references
// that lead nowhere. Each file holds one rule set, to be read beside the Gateway API: listeners, parents, hostnames, grants,
// filters, backends, policies, hosts. Nothing here knows Envoy.
//
//	Gateway, ListenerSet ─ listeners ─┐                          ┌─ hosts ────┐
//	                                  ├─ parents ─ attachments ──┤            ├─ model.Gateway
//	HTTPRoute, GRPCRoute ─ rules ─────┤                          └─ forwards ─┘
//	TLSRoute, TCPRoute, UDPRoute ─────┘
//	           filters, backends, endpoints, policies
package attach

import (
	"cmp"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/status"
)

// References says what becomes of a reference to an object that is not in the input.
type References string

const (
	// Assume that the object exists: a Service by its DNS name, a Gateway with open listeners, a certificate. One warning each.
	Assume References = "assume"
	// Strict does as a controller would: 500, ResolvedRefs=False, not attached.
	Strict References = "strict"
)

// Options of an attachment. The zero value means the defaults that each field states.
type Options struct {
	// References: Assume by default.
	References References
	// GatewayClasses restricts the result to Gateways of these classes; empty is all.
	GatewayClasses []string
	// ClusterDomain of DNS names: "cluster.local" by default.
	ClusterDomain string
	// Ages of objects without creationTimestamp, by kind and name. Nil is: unknown.
	Ages map[diagnostic.Object]model.Age
	// Addresses lead to the Envoy of a Gateway, the usual one first. Nothing is known of Gateways that are not in it, and what they ask
	// for is granted.
	Addresses map[model.Name][]string
	// WithoutCertificates: nothing is written of certificates, so that a listener that ends TLS is not served.
	WithoutCertificates bool
	// Gone are objects that Assume does not take for granted, since the change under review removes them.
	Gone map[diagnostic.Object]bool
	// Labels are those of Namespaces that the change under review removes. Whoever takes a manifest away says nothing of the labels in the
	// cluster, so under Assume they hold.
	Labels map[string]map[string]string
}

// Attach joins routes with listeners and backends. Equal objects in any order give an equal result. Its diagnostics are warnings
// and remarks: whatever is wrong with a reference has a defined meaning.
func Attach(objects *manifest.Objects, options Options) ([]*model.Gateway, status.Status, diagnostic.List) {
	options.References = cmp.Or(options.References, Assume)
	options.ClusterDomain = cmp.Or(options.ClusterDomain, "cluster.local")
	r := &resolver{
		options: options, index: newIndex(objects), seen: map[string]bool{}, orphans: map[model.Name]bool{},
		backends: map[backendKey]resolvedBackend{}, interned: map[identity]*model.Backend{}, targets: map[model.Name][]policyTarget{},
	}
	r.readPolicies(objects)
	gateways := r.gateways(objects)
	gateways = append(gateways, r.assumedGateways(objects, gateways)...)
	sets := r.listenerSets(objects, gateways)
	r.mergeListeners(gateways)
	report := status.Status{
		GatewayClasses: r.classes(objects),
		Routes:         r.attachRoutes(objects, newParentIndex(gateways, sets)),
	}
	for _, set := range sets {
		if set.gateway.selected {
			report.ListenerSets = append(report.ListenerSets, set.status())
		}
	}
	report.Policies = r.policyStatuses(gateways)
	var models []*model.Gateway
	for _, g := range sortedGateways(gateways) {
		if !g.selected {
			continue
		}
		models = append(models, r.serve(g))
		if !g.assumed {
			report.Gateways = append(report.Gateways, g.status())
		}
	}
	r.addOverlaps(&report)
	report.Sort()
	return models, report, r.diagnostics.Sort()
}

// resolver is the state of one call of Attach.
type resolver struct {
	options Options
	index   *index
	// backends are resolved once; interned are those that there are, so that equal backends are equal pointers.
	backends map[backendKey]resolvedBackend
	interned map[identity]*model.Backend
	// policies are the BackendTLSPolicies, and targets those of a Service.
	policies []*policy
	targets  map[model.Name][]policyTarget
	// outdone are routes that get nothing of what they are attached for.
	outdone     []outdone
	diagnostics diagnostic.List
	// orphans are the ListenerSets whose Gateway is not there.
	orphans map[model.Name]bool
	// seen are the objects that have had their one warning.
	seen map[string]bool
}

func (r *resolver) assume() bool { return r.options.References == Assume }

// assumes tells whether an object that the input lacks is taken to exist.
func (r *resolver) assumes(kind string, name model.Name) bool {
	return r.assume() && !r.options.Gone[diagnostic.Object{Kind: kind, Namespace: name.Namespace, Name: name.Name}]
}

// source is the object that is being read: where its findings belong.
type source struct {
	diagnostic.Object
	places *manifest.Places
}

func (r *resolver) report(s source, field string, code diagnostic.Code, severity diagnostic.Severity, message, hint string) {
	r.diagnostics = append(r.diagnostics, diagnostic.Diagnostic{
		Code:     code,
		Severity: severity,
		Object:   s.Object,
		Field:    field,
		Position: s.places.At(field),
		Message:  message,
		Hint:     hint,
	})
}

func (r *resolver) warn(s source, field string, code diagnostic.Code, message, hint string) {
	r.report(s, field, code, diagnostic.Warning, message, hint)
}

func (r *resolver) remark(s source, field string, code diagnostic.Code, message string) {
	r.report(s, field, code, diagnostic.Info, message, "")
}

// once is true the first time a subject is asked for: what is assumed is said once, where it is first needed.
func (r *resolver) once(code diagnostic.Code, subject string) bool {
	key := string(code) + " " + subject
	if r.seen[key] {
		return false
	}
	r.seen[key] = true
	return true
}
