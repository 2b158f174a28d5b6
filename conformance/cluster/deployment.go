package cluster

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
)

// settleDeployments starts the pods of new Deployments and stops those of Deployments that are gone. The suite changes none.
func (c *Cluster) settleDeployments(ctx context.Context) error {
	var deployments appsv1.DeploymentList
	if err := c.client.List(ctx, &deployments); err != nil {
		return err
	}
	wanted := map[types.NamespacedName]bool{}
	for i := range deployments.Items {
		deployment := &deployments.Items[i]
		name := types.NamespacedName{Namespace: deployment.Namespace, Name: deployment.Name}
		wanted[name] = true
		if _, runs := c.pods[name]; runs {
			continue
		}
		if err := c.startDeployment(ctx, name, deployment); err != nil {
			return err
		}
	}
	for name, pods := range c.pods {
		if wanted[name] {
			continue
		}
		for _, pod := range pods {
			if err := c.stopPod(ctx, pod); err != nil {
				return err
			}
		}
		delete(c.pods, name)
	}
	return nil
}

func (c *Cluster) startDeployment(ctx context.Context, name types.NamespacedName, deployment *appsv1.Deployment) error {
	replicas := 1
	if deployment.Spec.Replicas != nil {
		replicas = int(*deployment.Spec.Replicas)
	}
	c.pods[name] = nil
	for i := range replicas {
		// As a Deployment names them: the suite cuts off two parts to learn whose pod it is.
		podName := types.NamespacedName{Namespace: name.Namespace, Name: fmt.Sprintf("%s-5f6d7-%05d", name.Name, i)}
		pod, err := c.startPod(ctx, podName, deployment.Spec.Template)
		if err != nil {
			return err
		}
		c.pods[name] = append(c.pods[name], pod)
	}
	return nil
}
