package files

import (
	"maps"
	"slices"
	"strings"

	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/proto"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// checkNames finds names that two resources of one type share. Envoy keeps the first cluster and the first listener, and says
// nothing at all about a second listener in the bootstrap.
func (c *checker) checkNames() {
	for _, k := range []kind{listenerKind, clusterKind, routeKind, endpointKind, secretKind} {
		for _, name := range slices.Sorted(maps.Keys(c.names[k])) {
			if n := c.names[k][name]; n > 1 && (name != "" || k != listenerKind) {
				c.current = c.holder(k, name)
				c.errorf(diagnostic.DoubleName, "name", "%d resources of the type %s are called %q", n, k, name)
			}
		}
	}
}

// holder is the resource that a finding about a name is shown at: the one of that name, else the bootstrap it stands in.
func (c *checker) holder(k kind, name string) *resource {
	for _, r := range c.resources {
		if r.kind == k && r.name == name {
			return r
		}
	}
	return &resource{kind: k, name: name, file: c.resources[0].file}
}

// checkHostNames finds virtual hosts and routes of one table that share a name: statistics and logs mix them up.
func (c *checker) checkHostNames(path string, table *routev3.RouteConfiguration) {
	seen := map[string]bool{}
	for i, host := range table.GetVirtualHosts() {
		if seen[host.GetName()] {
			c.errorf(diagnostic.DoubleName, at(path, indexed("virtual_hosts", i)+".name"), "two virtual hosts are called %q", host.GetName())
		}
		seen[host.GetName()] = true
		c.checkRouteNames(at(path, indexed("virtual_hosts", i)), host)
	}
}

// checkRouteNames lets routes share a name that come from one origin: all matches of a rule have the name of the rule, and a
// number behind it would change with every rule that is inserted above.
func (c *checker) checkRouteNames(path string, host *routev3.VirtualHost) {
	seen := map[string]*routev3.Route{}
	for i, route := range host.GetRoutes() {
		first, ok := seen[route.GetName()]
		if !ok {
			seen[route.GetName()] = route
			continue
		}
		if route.GetName() != "" && (route.GetMetadata() == nil || !sameOrigin(first, route)) {
			c.warnf(diagnostic.DoubleName, at(path, indexed("routes", i)+".name"), "two routes of virtual host %q are called %q", host.GetName(), route.GetName())
		}
	}
}

// sameOrigin compares what the metadata of two routes says of the object that they are made from.
func sameOrigin(a, b *routev3.Route) bool {
	for _, field := range []string{"kind", "namespace", "name", "rule"} {
		if originField(a, field) != originField(b, field) {
			return false
		}
	}
	return originField(a, "name") != "" || proto.Equal(a.GetMetadata(), b.GetMetadata())
}

func originField(r *routev3.Route, field string) string {
	return r.GetMetadata().GetFilterMetadata()["routedelta"].GetFields()[field].GetStringValue()
}

// checkAddresses finds listeners that bind one socket: Envoy keeps the first.
func (c *checker) checkAddresses() {
	each(c, func(path string, l *listenerv3.Listener) {
		address := l.GetAddress().GetSocketAddress()
		if address == nil || address.GetPortValue() == 0 {
			return
		}
		key := strings.ToLower(address.GetProtocol().String() + " " + address.GetAddress() + " " + indexed("", int(address.GetPortValue())))
		if other, ok := c.sockets[key]; ok {
			c.errorf(diagnostic.SilentListener, at(path, "address"), "listeners %q and %q have one address, %s:%d", other, l.GetName(), address.GetAddress(), address.GetPortValue())
			return
		}
		c.sockets[key] = l.GetName()
	})
}
