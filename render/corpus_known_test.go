//go:build corpus

package render_test

import (
	"slices"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// kindOfDifference is a reason for which their status is not ours.
type kindOfDifference struct {
	verdict verdict
	why     string
	is      func(difference) bool
}

// verdict says whose a difference is.
type verdict string

const (
	// silent: their test program leaves the condition to another part of the controller, or to nobody.
	silent verdict = "silent"
	// refused: the API server gives no controller such an object; their test program does.
	refused verdict = "refused"
	// beyond: it hangs on kinds, fields or annotations that are not of the Gateway API, or on the mesh.
	beyond verdict = "beyond"
	// theirs: the specification wants it as we say it.
	theirs verdict = "theirs"
	// choice: the specification leaves it open.
	choice verdict = "choice"
)

const (
	envoyGateway = "envoy-gateway-testdata"
	istio        = "istio-gateway-testdata"
)

// differences are looked through from the top: the first that holds is the reason.
var differences = []kindOfDifference{
	{silent, "Envoy Gateway's translator writes no status of GatewayClasses", func(d difference) bool {
		return d.group == envoyGateway && d.kind == "GatewayClass" && d.theirs == ""
	}},
	{silent, "Envoy Gateway's translator leaves the conditions of Gateways to the part that has their infrastructure", func(d difference) bool {
		return d.group == envoyGateway && d.kind == "Gateway" && d.part == "" && d.theirs == ""
	}},
	{silent, "Conflicted is left out where there is no conflict, which the specification lets a controller do", func(d difference) bool {
		return d.part == "listener" && d.what == "Conflicted" && d.theirs == "" && d.ours == "False NoConflicts"
	}},
	{silent, "Istio writes no SupportedVersion", func(d difference) bool { return d.what == "SupportedVersion" && d.theirs == "" }},
	{silent, "of the listeners of a Gateway whose addresses are refused they say nothing, or Programmed without Accepted", func(d difference) bool {
		return d.part == "listener" && d.theirs == "" && inputs(d, "gateway-with-unsupported-address-type", "invalid", "listenerset-invalid")
	}},

	{refused, "the API server refuses the object", func(d difference) bool { return d.refused }},
	{refused, "the API server refuses a route of the listener, or its version", func(d difference) bool {
		return d.what == "attachedRoutes" && d.theirs > d.ours && d.inputRefuses("HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute")
	}},
	{refused, "the API server refuses the Gateway that is the parent", func(d difference) bool {
		return d.inputRefuses("Gateway") && (d.ours == "" || strings.HasSuffix(d.ours, " NoMatchingParent"))
	}},
	{refused, "the API server does not serve the version of the ReferenceGrant", func(d difference) bool {
		return d.inputRefuses("ReferenceGrant") && strings.HasSuffix(d.ours, " RefNotPermitted")
	}},
	{refused, "the API server refuses the ListenerSet that the listener is in conflict with", func(d difference) bool {
		return inputs(d, "listenerset-conflict-listeners") && d.object == "gateway-xls/conflict-listener-from-two-xlss"
	}},

	{choice, "a filter of one backend that cannot be done is UnsupportedValue, theirs has a reason of its own", func(d difference) bool {
		return d.theirs == "False UnsupportedRefValue" && d.ours == "False UnsupportedValue"
	}},
	{beyond, "backends of kinds that are no Service: Backend, ServiceImport, InferencePool, Hostname", func(d difference) bool {
		return d.what == "ResolvedRefs" && d.ours == "False InvalidKind" && d.says(diagnostic.BackendKind)
	}},
	{beyond, "filters of kinds that are not of the Gateway API (ExtensionRef)", func(d difference) bool {
		return d.part == "parent" && d.says(diagnostic.FilterUnsupported) && (d.ours == "False InvalidKind" || strings.HasSuffix(d.ours, " UnsupportedValue"))
	}},
	{beyond, "routes of which nothing is left without such filters are not accepted, and so not counted at the listener", func(d difference) bool {
		return d.group == envoyGateway && d.what == "attachedRoutes" && d.theirs > d.ours && slices.ContainsFunc(d.found, func(f diagnostic.Diagnostic) bool {
			return f.Code == diagnostic.FilterUnsupported && strings.HasSuffix(f.Object.Kind, "Route")
		})
	}},
	{beyond, "parents that are no Gateway: the mesh", func(d difference) bool {
		return d.part == "parent" && (strings.HasPrefix(d.of, "Service ") || strings.HasPrefix(d.of, "ServiceEntry "))
	}},
	{beyond, "policies that only the mesh reads: no route of a Gateway sends to their targets", func(d difference) bool {
		return d.part == "ancestor" && (strings.HasPrefix(d.of, "Service ") || strings.HasPrefix(d.of, "ServiceEntry "))
	}},
	{beyond, "BackendsAvailable is a condition of Envoy Gateway's own", func(d difference) bool { return d.what == "BackendsAvailable" }},
	{beyond, "conditions that others have written before: what stands in the status of a manifest is not read", func(d difference) bool { return d.what == "dummy" }},
	{beyond, "the listener protocol HBONE of Istio", func(d difference) bool {
		return d.kind == "Gateway" && d.says(diagnostic.ListenerUnsupported) && inputs(d, "east-west-ambient", "listenerset-invalid")
	}},
	{beyond, "Istio looks into the Service in front of the Gateway for its ports, which a file does not show", func(d difference) bool {
		return d.group == istio && d.what == "Programmed" && d.theirs == "False AddressNotUsable" && d.ours == "True Programmed"
	}},
	{beyond, "certificates by an option of Istio (tls-terminate-mode) in place of references", func(d difference) bool {
		return d.group == istio && inputs(d, "tls") && d.kind == "Gateway" && d.says(diagnostic.CertificateUnknown) && d.what != "OverlappingTLSConfig"
	}},
	{beyond, "parameters: kinds that only their controller reads, or that it takes for absent", func(d difference) bool {
		return d.kind == "Gateway" && d.says(diagnostic.FieldUnsupported) && (strings.HasSuffix(d.ours, " InvalidParameters") || d.ours == "False Invalid")
	}},
	{beyond, "they leave Gateways alone whose class is not theirs, and their class statuses; we render every class unless asked", func(d difference) bool {
		return d.group == istio && d.theirs == "" && inputs(d, "mismatch", "foreign-waypoint")
	}},
	{beyond, "matches with a policy for CONNECT are no HTTP matches to them", func(d difference) bool {
		return d.what == "RouteRulesOverlap" && inputs(d, "httproute-overlapping-matches-connect")
	}},
	{beyond, "Istio does not say RouteRulesOverlap, and Envoy Gateway says it of HTTPRoutes and GRPCRoutes only", func(d difference) bool {
		return d.what == "RouteRulesOverlap" && d.theirs == "" && (d.group == istio || d.kind == "TCPRoute" || d.kind == "UDPRoute")
	}},

	{theirs, "a listener that is not accepted, or whose certificate or authority is not there, is not programmed, nor is a Gateway without any other", func(d difference) bool {
		return d.what == "Programmed" && d.theirs == "True Programmed" && d.ours == "False Invalid"
	}},
	{choice, "no listener of the Gateway is served, and its address cannot be used: of two reasons for one condition we say the first", func(d difference) bool {
		return d.kind == "Gateway" && d.part == "" && d.what == "Programmed" && (d.theirs == "False AddressNotUsable" || d.theirs == "False UnsupportedAddress") && d.ours == "False Invalid"
	}},
	{theirs, "references of listeners that are not resolved are said of the Gateway too (ListenersNotResolved)", func(d difference) bool {
		return d.kind == "Gateway" && d.part == "" && d.what == "ResolvedRefs" && d.ours == "False ListenersNotResolved"
	}},
	{theirs, "a listener has the condition Accepted, whatever becomes of its references", func(d difference) bool {
		return d.part == "listener" && d.what == "Accepted" && d.theirs == "" && d.ours == "True Accepted"
	}},
	{theirs, "a reference that is not resolved is said in ResolvedRefs, and does not keep a listener from being accepted", func(d difference) bool {
		return (d.says(diagnostic.CertificateUnknown) || d.says(diagnostic.NotPermitted)) && d.what == "Accepted" && strings.HasPrefix(d.theirs, "False ") && d.ours == "True Accepted"
	}},
	{theirs, "where a listener of a ListenerSet is not served the set says ListenersNotValid (the official test of ReferenceGrants wants it)", func(d difference) bool {
		return d.kind == "ListenerSet" && d.part == "" && d.what == "Accepted" && strings.HasSuffix(d.ours, " ListenersNotValid") && d.theirs == "True Accepted"
	}},
	{theirs, "such a set is not counted at the Gateway", func(d difference) bool {
		return d.what == "attachedListenerSets" && d.theirs == "1" && inputs(d, "listenerset-https-tls-secret-does-not-exist")
	}},
	{theirs, "the reasons of a listener for not being programmed have no ListenersNotValid", func(d difference) bool {
		return d.part == "listener" && d.theirs == "False ListenersNotValid" && d.ours == "False Invalid"
	}},
	{theirs, "a ListenerSet of a Gateway that is not accepted says so (ParentNotAccepted)", func(d difference) bool {
		return d.kind == "ListenerSet" && d.theirs == "False UnsupportedAddress" && d.ours == "False ParentNotAccepted"
	}},
	{theirs, "listeners whose hostnames overlap say so (OverlappingTLSConfig)", func(d difference) bool {
		return d.what == "OverlappingTLSConfig" && d.theirs == ""
	}},
	{choice, "a port that the Service does not have: the specification does not name it among the references that are not resolved, and nothing can be sent there", func(d difference) bool {
		return d.group == istio && d.what == "ResolvedRefs" && d.ours == "False BackendNotFound" && d.says(diagnostic.BackendPort)
	}},
	{choice, "a listener for UDP, which is an extended feature that Istio does not have", func(d difference) bool {
		return d.group == istio && d.kind == "Gateway" && d.object == "istio-system/udp-protocol"
	}},

	{choice, "a listener for HTTPS without certificates has no valid certificate: InvalidCertificateRef", func(d difference) bool {
		return d.part == "listener" && d.what == "ResolvedRefs" && d.ours == "False InvalidCertificateRef"
	}},
	{choice, "a port that the Service does not have is BackendNotFound, the reason of the specification that comes nearest", func(d difference) bool {
		return d.theirs == "False PortNotFound" && d.ours == "False BackendNotFound"
	}},
	{choice, "header names that no request can have, and Host: the first has no effect, the second is a rewrite of the host (RD1220)", func(d difference) bool {
		return inputs(d, "httproute-with-header-filter-invalid-headers") && d.theirs == "False UnsupportedValue" && d.ours == "True Accepted"
	}},
	{choice, "a Gateway outside of the input: a route says NoMatchingParent, theirs is silent as it may be another controller's", func(d difference) bool {
		return inputs(d, "status") && d.theirs == "" && strings.Contains(d.of, "istio-system/not-istio")
	}},
}

// inputs tells whether the difference is of one of some inputs.
func inputs(d difference, names ...string) bool {
	return slices.Contains(names, strings.TrimSuffix(strings.TrimSuffix(d.input, ".yaml"), ".in"))
}
