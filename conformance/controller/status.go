package controller

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/status"
)

// object names an object that has a status.
type object struct {
	kind string
	model.Name
}

// statuses are the fields of the statuses of the API's types, made of what the renderer says. An object that is not in them has
// nothing to be said of it.
func statuses(s *status.Status) map[object]any {
	made := map[object]any{}
	for _, class := range s.GatewayClasses {
		made[object{"GatewayClass", model.Name{Name: class.Name}}] = classStatus(class)
	}
	for _, gateway := range s.Gateways {
		made[object{"Gateway", gateway.Gateway}] = gatewayStatus(gateway)
	}
	for _, set := range s.ListenerSets {
		made[object{"ListenerSet", set.ListenerSet}] = listenerSetStatus(set)
	}
	for _, policy := range s.Policies {
		made[object{policy.Kind, policy.Policy}] = policyStatus(policy)
	}
	for _, route := range s.Routes {
		name := object{route.Kind, route.Route}
		parents, _ := made[name].(gatewayv1.RouteStatus)
		parents.Parents = append(parents.Parents, gatewayv1.RouteParentStatus{
			ParentRef: route.Parent, ControllerName: Name, Conditions: conditions(route.Conditions),
		})
		made[name] = parents
	}
	return made
}

func classStatus(s status.GatewayClass) gatewayv1.GatewayClassStatus {
	made := gatewayv1.GatewayClassStatus{Conditions: conditions(s.Conditions)}
	for _, feature := range s.SupportedFeatures {
		made.SupportedFeatures = append(made.SupportedFeatures, gatewayv1.SupportedFeature{Name: gatewayv1.FeatureName(feature)})
	}
	return made
}

func gatewayStatus(s status.Gateway) gatewayv1.GatewayStatus {
	made := gatewayv1.GatewayStatus{Addresses: s.Addresses, Conditions: conditions(s.Conditions)}
	if s.AttachedListenerSets > 0 {
		made.AttachedListenerSets = &s.AttachedListenerSets
	}
	for _, listener := range s.Listeners {
		made.Listeners = append(made.Listeners, gatewayv1.ListenerStatus{
			Name: gatewayv1.SectionName(listener.Name), SupportedKinds: kinds(listener.SupportedKinds),
			AttachedRoutes: int32(listener.AttachedRoutes), Conditions: conditions(listener.Conditions),
		})
	}
	return made
}

func listenerSetStatus(s status.ListenerSet) gatewayv1.ListenerSetStatus {
	made := gatewayv1.ListenerSetStatus{Conditions: conditions(s.Conditions)}
	for _, listener := range s.Listeners {
		made.Listeners = append(made.Listeners, gatewayv1.ListenerEntryStatus{
			Name: gatewayv1.SectionName(listener.Name), SupportedKinds: kinds(listener.SupportedKinds),
			AttachedRoutes: int32(listener.AttachedRoutes), Conditions: conditions(listener.Conditions),
		})
	}
	return made
}

func policyStatus(s status.Policy) gatewayv1.PolicyStatus {
	made := gatewayv1.PolicyStatus{Ancestors: []gatewayv1.PolicyAncestorStatus{}}
	for _, ancestor := range s.Ancestors {
		made.Ancestors = append(made.Ancestors, gatewayv1.PolicyAncestorStatus{
			AncestorRef: ancestor.Ancestor, ControllerName: Name, Conditions: conditions(ancestor.Conditions),
		})
	}
	return made
}

// kinds are those of the Gateway API: the renderer knows no others.
func kinds(names []string) []gatewayv1.RouteGroupKind {
	group := gatewayv1.Group(gatewayv1.GroupName)
	made := []gatewayv1.RouteGroupKind{}
	for _, name := range names {
		made = append(made, gatewayv1.RouteGroupKind{Group: &group, Kind: gatewayv1.Kind(name)})
	}
	return made
}

func conditions(said []status.Condition) []metav1.Condition {
	made := []metav1.Condition{}
	for _, c := range said {
		made = append(made, metav1.Condition{
			Type: c.Type, Status: metav1.ConditionStatus(c.Status), Reason: c.Reason, Message: c.Message, ObservedGeneration: c.ObservedGeneration,
		})
	}
	return made
}
