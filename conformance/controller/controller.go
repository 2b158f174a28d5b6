// Package controller is a Gateway API controller around the renderer: it reads what an API holds, has it rendered, and writes what
// came of it back. It decides nothing: which route is served where, and every condition of every status, is the renderer's.
//
//	API ─ collect.go ─ manifests ─ render ─┬ files  ─ fleet ─ Envoys
//	                                       ├ status ─ write.go ─ API
//	                                       └ labels ─ pod.go ─ API
package controller

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/routedelta/routedelta/conformance/fleet"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// Name is that of the controller, as GatewayClasses call it.
const Name = "routedelta.github.io/envoy-files"

// Config says between what the controller stands.
type Config struct {
	Client client.Client
	// REST reads lists as the API writes them.
	REST  rest.Interface
	Fleet *fleet.Fleet
	// Static are addresses that lead to any Gateway that asks for them.
	Static []netip.Addr
	// Log takes what the renderer has to say of the objects.
	Log func(diagnostic.Diagnostic)
}

// Controller brings Envoys and statuses to what the API holds.
type Controller struct {
	Config
	mutex sync.Mutex
	// seen is what the last settlement was made of.
	seen [][]byte
	// pods are those that stand in the API for Envoys.
	pods map[model.Name]*corev1.Pod
}

// New makes a controller.
func New(config Config) *Controller {
	return &Controller{Config: config, pods: map[model.Name]*corev1.Pod{}}
}

// Settle renders what the API holds now. It returns when the Envoys serve it and the statuses say so.
func (c *Controller) Settle(ctx context.Context) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	lists, err := c.collect(ctx)
	if err != nil {
		return fmt.Errorf("reading the API: %w", err)
	}
	if slices.EqualFunc(lists, c.seen, bytes.Equal) {
		return nil
	}
	rendering, err := c.render(ctx, lists)
	if err != nil {
		return fmt.Errorf("rendering: %w", err)
	}
	sets := map[model.Name]*files.Set{}
	for _, gateway := range rendering.Gateways {
		sets[gateway.Model.Name] = gateway.Files
	}
	// A status is written whatever becomes of the files: the objects are not to blame.
	failed := errors.Join(c.Fleet.Update(ctx, sets), c.writePods(ctx, rendering), c.writeStatuses(ctx, lists, &rendering.Status))
	if failed != nil {
		return failed
	}
	// The statuses that were written are part of what the API holds now.
	c.seen, err = c.collect(ctx)
	return err
}

// render renders lists of objects as a controller does: what is not in them does not exist.
func (c *Controller) render(ctx context.Context, lists [][]byte) (*render.Rendering, error) {
	objects, found := manifest.Read(ctx, sources(lists), manifest.Limits{})
	usable, err := c.addresses(objects)
	if err != nil {
		return nil, err
	}
	rendering, err := render.Render(ctx, objects, render.Options{
		References: render.Strict,
		// Each file of endpoints would take an inotify instance, of which a user has 128 for all his Envoys.
		Endpoints: "inline",
		// An Envoy is not started again for a new listener.
		Listeners:       "file",
		Addresses:       usable,
		ListenAddresses: listenAddresses(objects, usable),
		AdminPort:       -1,
	})
	if err != nil {
		return nil, err
	}
	for _, d := range append(found, rendering.Diagnostics...) {
		c.Log(d)
	}
	return rendering, nil
}

// addresses are those that lead to each Gateway: where the fleet runs its Envoy, and any static one that it may ask for.
func (c *Controller) addresses(objects *manifest.Objects) (map[model.Name][]string, error) {
	usable := map[model.Name][]string{}
	for _, located := range objects.Gateways {
		name := model.Name{Namespace: located.Object.Namespace, Name: located.Object.Name}
		address, err := c.Fleet.Address(name)
		if err != nil {
			return nil, err
		}
		usable[name] = []string{address.String()}
		for _, static := range c.Static {
			usable[name] = append(usable[name], static.String())
		}
	}
	return usable, nil
}

// listenAddresses are where the Envoys listen: at the address that a Gateway asks for, else at the fleet's.
func listenAddresses(objects *manifest.Objects, usable map[model.Name][]string) map[model.Name]string {
	addresses := map[model.Name]string{}
	for _, located := range objects.Gateways {
		name := model.Name{Namespace: located.Object.Namespace, Name: located.Object.Name}
		addresses[name] = usable[name][0]
		for _, wanted := range located.Object.Spec.Addresses {
			if slices.Contains(usable[name], wanted.Value) {
				addresses[name] = wanted.Value
			}
		}
	}
	return addresses
}
