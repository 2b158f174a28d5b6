package cluster

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// managed marks the EndpointSlices that are ours; the suite writes some by hand.
var managed = client.MatchingLabels{discoveryv1.LabelManagedBy: "conformance.routedelta"}

// settleEndpoints writes one EndpointSlice for each Service with a selector.
func (c *Cluster) settleEndpoints(ctx context.Context) error {
	var services corev1.ServiceList
	if err := c.client.List(ctx, &services); err != nil {
		return err
	}
	var existing discoveryv1.EndpointSliceList
	if err := c.client.List(ctx, &existing, managed); err != nil {
		return err
	}
	present := map[types.NamespacedName]*discoveryv1.EndpointSlice{}
	for i := range existing.Items {
		present[client.ObjectKeyFromObject(&existing.Items[i])] = &existing.Items[i]
	}
	for i := range services.Items {
		if len(services.Items[i].Spec.Selector) == 0 {
			continue
		}
		wanted := c.endpointSlice(&services.Items[i])
		have := present[client.ObjectKeyFromObject(wanted)]
		delete(present, client.ObjectKeyFromObject(wanted))
		if err := c.writeSlice(ctx, have, wanted); err != nil {
			return err
		}
	}
	for _, gone := range present {
		if err := c.client.Delete(ctx, gone); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) writeSlice(ctx context.Context, have, wanted *discoveryv1.EndpointSlice) error {
	switch {
	case have == nil:
		return c.client.Create(ctx, wanted)
	case apiequality.Semantic.DeepEqual(have.Endpoints, wanted.Endpoints) && apiequality.Semantic.DeepEqual(have.Ports, wanted.Ports):
		return nil
	}
	wanted.ResourceVersion = have.ResourceVersion
	return c.client.Update(ctx, wanted)
}

// endpointSlice lists the pods that a Service selects.
func (c *Cluster) endpointSlice(service *corev1.Service) *discoveryv1.EndpointSlice {
	made := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: service.Namespace, Name: service.Name + "-managed",
			Labels: map[string]string{discoveryv1.LabelServiceName: service.Name, discoveryv1.LabelManagedBy: managed[discoveryv1.LabelManagedBy]},
		},
		AddressType: discoveryv1.AddressTypeIPv4,
	}
	for _, port := range service.Spec.Ports {
		made.Ports = append(made.Ports, discoveryv1.EndpointPort{
			Name: &port.Name, Port: &port.TargetPort.IntVal, Protocol: &port.Protocol, AppProtocol: port.AppProtocol,
		})
	}
	selector := labels.SelectorFromSet(service.Spec.Selector)
	for _, pods := range c.pods {
		for _, pod := range pods {
			if pod.name.Namespace == service.Namespace && selector.Matches(labels.Set(pod.labels)) {
				ready := true
				made.Endpoints = append(made.Endpoints, discoveryv1.Endpoint{
					Addresses:  []string{pod.address.String()},
					Conditions: discoveryv1.EndpointConditions{Ready: &ready},
				})
			}
		}
	}
	slices.SortFunc(made.Endpoints, func(a, b discoveryv1.Endpoint) int { return slices.Compare(a.Addresses, b.Addresses) })
	return made
}
