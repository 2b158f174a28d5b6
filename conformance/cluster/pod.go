package cluster

import (
	"context"
	"fmt"
	"net/netip"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/routedelta/routedelta/conformance/echo"
)

// node is where all pods run.
const node = "this-machine"

// pod is one that runs.
type pod struct {
	name    types.NamespacedName
	labels  map[string]string
	address netip.Addr
	log     *log
	servers *echo.Servers
}

// startPod runs a pod and writes it into the API.
func (c *Cluster) startPod(ctx context.Context, name types.NamespacedName, template corev1.PodTemplateSpec) (*pod, error) {
	address, err := c.network.Pod(c.addresses)
	if err != nil {
		return nil, err
	}
	c.addresses++
	p := &pod{name: name, labels: template.Labels, address: address, log: &log{}}
	if len(template.Spec.Containers) != 1 {
		return nil, fmt.Errorf("pod %s has %d containers, and one can be run", name, len(template.Spec.Containers))
	}
	container := template.Spec.Containers[0]
	p.servers, err = echo.Start(echo.Pod{
		Namespace: name.Namespace, Name: name.Name, Address: address,
		Image: container.Image, Environment: environment(container), Log: p.log.add,
		ReadFile: c.volumes(name.Namespace, template.Spec.Volumes, container.VolumeMounts).readFile,
	})
	if err != nil {
		return nil, err
	}
	return p, c.writePod(ctx, p, template)
}

// environment holds the variables with a value; those that refer to the pod are known to its servers anyway.
func environment(container corev1.Container) map[string]string {
	variables := map[string]string{}
	for _, variable := range container.Env {
		if variable.ValueFrom == nil {
			variables[variable.Name] = variable.Value
		}
	}
	return variables
}

// writePod says in the API that a pod runs and is ready.
func (c *Cluster) writePod(ctx context.Context, p *pod, template corev1.PodTemplateSpec) error {
	object := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: p.name.Namespace, Name: p.name.Name, Labels: p.labels},
		Spec:       template.Spec,
	}
	object.Spec.NodeName = node
	if err := c.client.Create(ctx, object); err != nil {
		return err
	}
	address := p.address.String()
	object.Status = corev1.PodStatus{
		Phase:      corev1.PodRunning,
		PodIP:      address,
		PodIPs:     []corev1.PodIP{{IP: address}},
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
	}
	return c.client.Status().Update(ctx, object)
}

func (c *Cluster) stopPod(ctx context.Context, p *pod) error {
	if err := p.servers.Close(); err != nil {
		return err
	}
	object := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: p.name.Namespace, Name: p.name.Name}}
	return c.client.Delete(ctx, object, client.GracePeriodSeconds(0))
}
