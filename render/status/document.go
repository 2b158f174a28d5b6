package status

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/model"
)

// Document is the status of one object in the fields of the API. What it has not got is lastTransitionTime: when a condition came to
// be so is a matter of the cluster's past, and the input says nothing of it.
type Document struct {
	APIVersion, Kind string
	model.Name
	// Generation of the object that the status speaks of; 0 where the manifest does not tell.
	Generation int64
	// Status is as encoding/json reads it.
	Status map[string]any
}

// Documents are the statuses of all objects: classes, Gateways, ListenerSets, routes, policies, each kind sorted by name.
func (s *Status) Documents() ([]Document, error) {
	w := writer{controllers: newControllers(s)}
	for _, class := range s.GatewayClasses {
		w.add("GatewayClass", model.Name{Name: class.Name}, class.Conditions, class.fields())
	}
	for _, gateway := range s.Gateways {
		w.add("Gateway", gateway.Gateway, gateway.Conditions, gateway.fields())
	}
	for _, set := range s.ListenerSets {
		w.add("ListenerSet", set.ListenerSet, set.Conditions, set.fields())
	}
	for i := 0; i < len(s.Routes); {
		end := i + 1
		for end < len(s.Routes) && s.Routes[end].Kind == s.Routes[i].Kind && s.Routes[end].Route == s.Routes[i].Route {
			end++
		}
		w.route(s.Routes[i:end])
		i = end
	}
	for _, policy := range s.Policies {
		w.policy(policy)
	}
	return w.documents, w.err
}

// writer gathers documents and keeps the first error.
type writer struct {
	controllers controllers
	documents   []Document
	err         error
}

// add adds the document of an object, given its status as a pointer to one of the API's types.
func (w *writer) add(kind string, name model.Name, said []Condition, status any) {
	if w.err != nil {
		return
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(status)
	if err != nil {
		w.err = fmt.Errorf("writing the status of %s %s: %w", kind, name, err)
		return
	}
	dropTimes(fields)
	document := Document{APIVersion: gatewayv1.GroupVersion.String(), Kind: kind, Name: name, Status: fields}
	if len(said) > 0 {
		document.Generation = said[0].ObservedGeneration
	}
	w.documents = append(w.documents, document)
}

// dropTimes drops the times that the API's type of a condition has whether they are known or not.
func dropTimes(value any) {
	switch value := value.(type) {
	case map[string]any:
		delete(value, "lastTransitionTime")
		for _, field := range value {
			dropTimes(field)
		}
	case []any:
		for _, item := range value {
			dropTimes(item)
		}
	}
}

func (c *GatewayClass) fields() *gatewayv1.GatewayClassStatus {
	made := &gatewayv1.GatewayClassStatus{Conditions: conditions(c.Conditions)}
	for _, feature := range c.SupportedFeatures {
		made.SupportedFeatures = append(made.SupportedFeatures, gatewayv1.SupportedFeature{Name: gatewayv1.FeatureName(feature)})
	}
	return made
}

func (g *Gateway) fields() *gatewayv1.GatewayStatus {
	made := &gatewayv1.GatewayStatus{Addresses: g.Addresses, Conditions: conditions(g.Conditions)}
	if g.AttachedListenerSets > 0 {
		made.AttachedListenerSets = &g.AttachedListenerSets
	}
	for _, listener := range g.Listeners {
		made.Listeners = append(made.Listeners, gatewayv1.ListenerStatus{
			Name: gatewayv1.SectionName(listener.Name), SupportedKinds: kinds(listener.SupportedKinds),
			AttachedRoutes: int32(listener.AttachedRoutes), Conditions: conditions(listener.Conditions),
		})
	}
	return made
}

func (s *ListenerSet) fields() *gatewayv1.ListenerSetStatus {
	made := &gatewayv1.ListenerSetStatus{Conditions: conditions(s.Conditions)}
	for _, listener := range s.Listeners {
		made.Listeners = append(made.Listeners, gatewayv1.ListenerEntryStatus{
			Name: gatewayv1.SectionName(listener.Name), SupportedKinds: kinds(listener.SupportedKinds),
			AttachedRoutes: int32(listener.AttachedRoutes), Conditions: conditions(listener.Conditions),
		})
	}
	return made
}

// route writes the status of one route, given that for each of its parents.
func (w *writer) route(parents []Route) {
	made := &gatewayv1.RouteStatus{}
	for _, parent := range parents {
		made.Parents = append(made.Parents, gatewayv1.RouteParentStatus{
			ParentRef: parent.Parent, ControllerName: w.controllers.of(parent.Gateway), Conditions: conditions(parent.Conditions),
		})
	}
	w.add(parents[0].Kind, parents[0].Route, parents[0].Conditions, made)
}

func (w *writer) policy(policy Policy) {
	made := &gatewayv1.PolicyStatus{Ancestors: []gatewayv1.PolicyAncestorStatus{}}
	var said []Condition
	for _, ancestor := range policy.Ancestors {
		gateway := model.Name{Namespace: policy.Policy.Namespace, Name: string(ancestor.Ancestor.Name)}
		if ancestor.Ancestor.Namespace != nil {
			gateway.Namespace = string(*ancestor.Ancestor.Namespace)
		}
		said = ancestor.Conditions
		made.Ancestors = append(made.Ancestors, gatewayv1.PolicyAncestorStatus{
			AncestorRef: ancestor.Ancestor, ControllerName: w.controllers.of(gateway), Conditions: conditions(said),
		})
	}
	w.add(policy.Kind, policy.Policy, said, made)
}

// kinds are those of the Gateway API: no others are rendered.
func kinds(names []string) []gatewayv1.RouteGroupKind {
	group := gatewayv1.Group(gatewayv1.GroupName)
	made := []gatewayv1.RouteGroupKind{}
	for _, name := range names {
		made = append(made, gatewayv1.RouteGroupKind{Group: &group, Kind: gatewayv1.Kind(name)})
	}
	return made
}

func conditions(said []Condition) []metav1.Condition {
	made := []metav1.Condition{}
	for _, c := range said {
		made = append(made, metav1.Condition{
			Type: c.Type, Status: metav1.ConditionStatus(c.Status), Reason: c.Reason, Message: c.Message, ObservedGeneration: c.ObservedGeneration,
		})
	}
	return made
}
