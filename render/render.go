package render

import (
	"context"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// References says what becomes of a reference to an object that is not in the input.
type References string

const (
	// Assume that the object exists: a Service by its DNS name, a Gateway with open listeners, a certificate. One warning each.
	Assume References = "assume"
	// Strict does as a controller would: 500, ResolvedRefs=False, not attached.
	Strict References = "strict"
)

// Options of a rendering. The zero value is usable and means the defaults that each field states.
type Options struct {
	// References: Assume by default.
	References References
	// Dialect names a table of render/precedence: "gateway-api" by default.
	Dialect string
	// Endpoints: "files" (default) writes EDS files for known addresses, "inline" puts them into the clusters.
	Endpoints string
	// GatewayClasses restricts the rendering to Gateways of these classes; empty is all.
	GatewayClasses []string
	// ClusterDomain of DNS names: "cluster.local" by default.
	ClusterDomain string
	// ListenAddress of the listeners: "0.0.0.0" by default.
	ListenAddress string
	// AdminAddress and AdminPort of Envoy's admin interface: 127.0.0.1:19000 by default; AdminPort below 0 leaves it out.
	AdminAddress string
	AdminPort    int
	// Ages of objects without creationTimestamp, by kind and name. Nil is: unknown.
	Ages map[diagnostic.Object]model.Age
	// Gone are objects that References: Assume must not take for granted, since the change under review removes them.
	Gone map[diagnostic.Object]bool
}

// Rendering is what the manifests mean.
type Rendering struct {
	// Gateways sorted by name.
	Gateways    []Gateway
	Status      Status
	Diagnostics diagnostic.List
	// Dialect that was used.
	Dialect string
}

// Gateway is the rendering of one Gateway.
type Gateway struct {
	// Model has origins; Files does not. The route at index i of a virtual host is made from the rule at index i.
	Model *model.Gateway
	Files *files.Set
}

// Condition as a controller would write it into a status.
type Condition struct {
	Type, Status, Reason, Message string
	ObservedGeneration            int64
}

// Status is what a controller would write, as data (product.md, R18). Each list is sorted.
type Status struct {
	Gateways []GatewayStatus
	Routes   []RouteStatus
}

// GatewayStatus is the status of one Gateway.
type GatewayStatus struct {
	Gateway    model.Name
	Conditions []Condition
	Listeners  []ListenerStatus
}

// ListenerStatus is the status of one Gateway API listener.
type ListenerStatus struct {
	Name           string
	AttachedRoutes int
	Conditions     []Condition
}

// RouteStatus is the status of one route for one of its parents.
type RouteStatus struct {
	Kind        string
	Route       model.Name
	Gateway     model.Name
	SectionName string
	Port        uint32
	Conditions  []Condition
}

// Render turns objects into Envoy files, one Set for each Gateway. Diagnostics of severity Error mean that nothing may be
// written; the rendering is still as complete as it could be made. The error is for a cancelled context only.
// Equal objects in any order give equal files, byte for byte.
func Render(ctx context.Context, objects *manifest.Objects, options Options) (*Rendering, error) {
	panic("not furnished yet")
}
