// Package cluster does what a cluster does beside the gateway: pods run, EndpointSlices say where, logs can be read.
//
// In come the Deployments and Services of an API; out go Pods and EndpointSlices into the same API, and the servers of each pod
// on a loopback address of its own. No route and no Gateway is looked at.
//
//	Deployments ─ deployment.go ─ pods ─ pod.go, volume.go ─ echo servers
//	Services    ─ endpoints.go  ─ EndpointSlices
package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/routedelta/routedelta/conformance/loopback"
)

// Cluster runs the pods of an API.
type Cluster struct {
	client  client.Client
	network *loopback.Network

	mutex sync.Mutex
	// pods are those that run, by the name of their Deployment.
	pods map[types.NamespacedName][]*pod
	// addresses counts those that were given out. None is given twice, so that no connection meets another pod than it was made to.
	addresses int
}

// New makes a cluster on an API. Its writes go through the client.
func New(client client.Client, network *loopback.Network) *Cluster {
	return &Cluster{client: client, network: network, pods: map[types.NamespacedName][]*pod{}}
}

// Settle makes Pods and EndpointSlices what the Deployments and Services want.
func (c *Cluster) Settle(ctx context.Context) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err := c.settleDeployments(ctx); err != nil {
		return fmt.Errorf("running pods: %w", err)
	}
	if err := c.settleEndpoints(ctx); err != nil {
		return fmt.Errorf("writing endpoints: %w", err)
	}
	return nil
}

// Close stops all pods.
func (c *Cluster) Close() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	var failed error
	for _, pods := range c.pods {
		for _, pod := range pods {
			failed = errors.Join(failed, pod.servers.Close())
		}
	}
	c.pods = map[types.NamespacedName][]*pod{}
	return failed
}

// find gives a running pod, or nil.
func (c *Cluster) find(name types.NamespacedName) *pod {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, pods := range c.pods {
		for _, pod := range pods {
			if pod.name == name {
				return pod
			}
		}
	}
	return nil
}
