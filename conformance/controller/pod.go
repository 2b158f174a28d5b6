package controller

import (
	"context"
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/model"
)

// writePods shows each Gateway's Envoy in the API, as the pod that it would be in a cluster. What the Gateway wants on whatever is made
// for it (spec.infrastructure) comes from the rendering.
func (c *Controller) writePods(ctx context.Context, rendering *render.Rendering) error {
	served := map[model.Name]bool{}
	for _, gateway := range rendering.Gateways {
		served[gateway.Model.Name] = true
		if err := c.writePod(ctx, gateway.Model); err != nil {
			return err
		}
	}
	for name, pod := range c.pods {
		if served[name] {
			continue
		}
		if err := c.Client.Delete(ctx, pod, client.GracePeriodSeconds(0)); err != nil {
			return err
		}
		delete(c.pods, name)
	}
	return nil
}

func (c *Controller) writePod(ctx context.Context, gateway *model.Gateway) error {
	labels := map[string]string{gatewayv1.GatewayNameLabelKey: gateway.Name.Name}
	maps.Copy(labels, gateway.Labels)
	if pod := c.pods[gateway.Name]; pod != nil {
		if maps.Equal(pod.Labels, labels) && maps.Equal(pod.Annotations, gateway.Annotations) {
			return nil
		}
		pod.Labels, pod.Annotations = labels, gateway.Annotations
		return c.Client.Update(ctx, pod)
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: gateway.Namespace, Name: gateway.Name.Name + "-envoy", Labels: labels, Annotations: gateway.Annotations,
		},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "envoy", Image: "envoyproxy/envoy:v1.40.0"}}},
	}
	if err := c.Client.Create(ctx, pod); err != nil {
		return err
	}
	c.pods[gateway.Name] = pod
	pod.Status = corev1.PodStatus{
		Phase:      corev1.PodRunning,
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
	}
	return c.Client.Status().Update(ctx, pod)
}
