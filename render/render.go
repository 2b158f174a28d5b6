package render

import (
	"cmp"
	"context"

	"github.com/routedelta/routedelta/render/attach"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/precedence"
	"github.com/routedelta/routedelta/render/status"
	"github.com/routedelta/routedelta/render/xds"
)

// References says what becomes of a reference to an object that is not in the input.
type References = attach.References

const (
	// Assume that the object exists: a Service by its DNS name, a Gateway with open listeners, a certificate. One warning each.
	Assume = attach.Assume
	// Strict does as a controller would: 500, ResolvedRefs=False, not attached.
	Strict = attach.Strict
)

// The status that a controller would write, as data (product.md, R18).
type (
	Status         = status.Status
	GatewayStatus  = status.Gateway
	ListenerStatus = status.Listener
	RouteStatus    = status.Route
	Condition      = status.Condition
)

// Secrets says what becomes of the certificates and keys that a rendering needs.
type Secrets string

const (
	// SecretsReference names files in the volume of a Secret, which whoever installs the rendering mounts.
	SecretsReference Secrets = "reference"
	// SecretsFiles names files that KeyFiles makes.
	SecretsFiles Secrets = "files"
	// SecretsNone names none: a listener that ends TLS is not served.
	SecretsNone Secrets = "none"
)

// Options of a rendering. The zero value is usable and means the defaults that each field states.
type Options struct {
	// References: Assume by default.
	References References
	// Dialect names a table of render/precedence: "gateway-api" by default.
	Dialect string
	// Endpoints: "files" (default) writes EDS files for known addresses, "inline" puts them into the clusters.
	Endpoints string
	// Listeners: "bootstrap" (default) needs a restart of Envoy for other listeners, "file" does not.
	Listeners string
	// Secrets: SecretsReference by default. No key is in a rendering whatever it is.
	Secrets Secrets
	// GatewayClasses restricts the rendering to Gateways of these classes; empty is all.
	GatewayClasses []string
	// ClusterDomain of DNS names: "cluster.local" by default.
	ClusterDomain string
	// ListenAddress of the listeners: "0.0.0.0" by default.
	ListenAddress string
	// ListenAddresses are those of single Gateways, in place of ListenAddress: several Envoys on one machine.
	ListenAddresses map[model.Name]string
	// AdminAddress and AdminPort of Envoy's admin interface: 127.0.0.1:19000 by default; AdminPort below 0 leaves it out.
	AdminAddress string
	AdminPort    int
	// Ages of objects without creationTimestamp, by kind and name. Nil is: unknown.
	Ages map[diagnostic.Object]model.Age
	// Addresses lead to the Envoy of a Gateway, the usual one first: what spec.addresses asks for is granted if it is one of them. Of
	// Gateways that are not in it nothing is known, and what they ask for is granted.
	Addresses map[model.Name][]string
	// Gone are objects that References: Assume must not take for granted, since the change under review removes them.
	Gone map[diagnostic.Object]bool
	// Labels are those of Namespaces that the change under review removes, by name: References: Assume takes them to stay.
	Labels map[string]map[string]string
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

// Render turns objects into Envoy files, one Set for each Gateway. Diagnostics of severity Error mean that nothing may be
// written; the rendering is still as complete as it could be made. The error is for a cancelled context and for a dialect that
// does not exist. Equal objects in any order give equal files, byte for byte.
//
// The objects are as manifest.Read gives them, with the API's defaults and without what the API would refuse.
func Render(ctx context.Context, objects *manifest.Objects, options Options) (*Rendering, error) {
	dialect, err := precedence.Find(options.Dialect)
	if err != nil {
		return nil, err
	}
	rendering := &Rendering{Dialect: dialect.Name}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	gateways, written, found := attach.Attach(objects, attach.Options{
		References:     options.References,
		GatewayClasses: options.GatewayClasses,
		ClusterDomain:  options.ClusterDomain,
		Ages:           options.Ages,
		Addresses:      options.Addresses,
		Gone:           options.Gone,
		Labels:         options.Labels,

		WithoutCertificates: options.Secrets == SecretsNone,
	})
	rendering.Status = written
	rendering.Diagnostics = append(rendering.Diagnostics, found...)
	for _, gateway := range gateways {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		overlaps := order(dialect, gateway)
		rendering.Diagnostics = append(rendering.Diagnostics, overlaps.diagnostics()...)
		overlaps.addConditions(&rendering.Status)
		set, found := xds.Build(gateway, xds.Options{
			ListenAddress: cmp.Or(options.ListenAddresses[gateway.Name], options.ListenAddress),
			AdminAddress:  options.AdminAddress,
			AdminPort:     options.AdminPort,
			Endpoints:     xds.Endpoints(options.Endpoints),
			Listeners:     xds.Listeners(options.Listeners),
			Keys:          keysOf(options.Secrets),
		})
		rendering.Diagnostics = append(rendering.Diagnostics, found...)
		rendering.Gateways = append(rendering.Gateways, Gateway{Model: gateway, Files: set})
	}
	rendering.Diagnostics = rendering.Diagnostics.Sort()
	return rendering, nil
}
