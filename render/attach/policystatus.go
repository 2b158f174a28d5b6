package attach

import (
	"cmp"
	"slices"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/status"
)

// maxAncestors is what a PolicyStatus has room for.
const maxAncestors = 16

// policyStatuses is the status of each BackendTLSPolicy for the Gateways whose routes reach its targets. A policy that none reaches
// has nobody to answer for it; that is said, if nothing else is said of its targets.
func (r *resolver) policyStatuses(gateways []*gateway) []status.Policy {
	reached := reachedBy(gateways)
	var statuses []status.Policy
	for _, p := range r.policies {
		ancestors := map[*gateway]bool{}
		complete := p.missing == nil
		for _, ref := range p.declared.Spec.TargetRefs {
			if ref.Group != "" || ref.Kind != "Service" {
				complete = false
				continue
			}
			service := model.Name{Namespace: p.Namespace, Name: string(ref.Name)}
			for g, ports := range reached[service] {
				if ref.SectionName == nil || slices.ContainsFunc(ports, func(port uint32) bool { return r.isPort(service, port, string(*ref.SectionName)) }) {
					ancestors[g] = true
				}
			}
		}
		switch {
		case len(ancestors) > 0:
			statuses = append(statuses, p.status(ancestors))
		case complete:
			r.remark(p.source, "spec.targetRefs", diagnostic.PolicyIgnored, "no route of the input that is attached sends to its targets")
		}
	}
	return statuses
}

// reachedBy says for each Service which Gateways' routes send to it, and to which ports.
func reachedBy(gateways []*gateway) map[model.Name]map[*gateway][]uint32 {
	reached := map[model.Name]map[*gateway][]uint32{}
	for _, g := range gateways {
		for _, l := range g.listeners {
			for _, a := range l.attachments {
				for _, port := range a.route.reached {
					if reached[port.Name] == nil {
						reached[port.Name] = map[*gateway][]uint32{}
					}
					if ports := reached[port.Name][g]; !slices.Contains(ports, port.port) {
						reached[port.Name][g] = append(ports, port.port)
					}
				}
			}
		}
	}
	return reached
}

// isPort tells whether a port of a Service has a name. The ports of a Service that is not in the input have any (policyOf), and who
// reaches a Service is to know of a policy for a port that it does not have.
func (r *resolver) isPort(service model.Name, port uint32, name string) bool {
	located, known := r.index.services[service]
	if !known || r.missingTarget(service, name) != "" {
		return true
	}
	for _, p := range located.Object.Spec.Ports {
		if uint32(p.Port) == port && p.Name == name {
			return true
		}
	}
	return false
}

func (p *policy) status(ancestors map[*gateway]bool) status.Policy {
	report := status.Policy{Kind: p.Kind, Policy: p.Name}
	for g := range ancestors {
		report.Ancestors = append(report.Ancestors, status.Ancestor{Ancestor: ancestorRef(g), Conditions: p.conditions()})
	}
	slices.SortFunc(report.Ancestors, func(a, b status.Ancestor) int {
		return cmp.Or(cmp.Compare(*a.Ancestor.Namespace, *b.Ancestor.Namespace), cmp.Compare(a.Ancestor.Name, b.Ancestor.Name))
	})
	report.Ancestors = report.Ancestors[:min(len(report.Ancestors), maxAncestors)]
	return report
}

func ancestorRef(g *gateway) gatewayv1.ParentReference {
	group, kind, namespace := gatewayv1.Group(gatewayv1.GroupName), gatewayv1.Kind("Gateway"), gatewayv1.Namespace(g.Namespace)
	return gatewayv1.ParentReference{Group: &group, Kind: &kind, Namespace: &namespace, Name: gatewayv1.ObjectName(g.Name.Name)}
}

// conditions of a policy, the same for each ancestor: what is wrong with a policy is wrong wherever its targets are reached from. One
// that conflicts in one of several targets is not accepted, and still holds for the others.
func (p *policy) conditions() []status.Condition {
	generation := p.declared.Generation
	problem := cmp.Or(p.missing, p.invalid, p.conflicted)
	accepted := cmp.Or(problem, &unresolved{reason: string(gatewayv1.PolicyReasonAccepted)})
	resolved := cmp.Or(p.unresolved, &unresolved{reason: string(gatewayv1.BackendTLSPolicyReasonResolvedRefs)})
	return []status.Condition{
		status.New(gatewayv1.PolicyConditionAccepted, problem == nil, gatewayv1.PolicyConditionReason(accepted.reason), accepted.message, generation),
		status.New(gatewayv1.BackendTLSPolicyConditionResolvedRefs, p.unresolved == nil, gatewayv1.PolicyConditionReason(resolved.reason), resolved.message, generation),
	}
}
