package files

import (
	"fmt"
	"path"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/proto"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Check is the graph check: that every reference resolves, that names are unique and values fit their slots, that Envoy's
// constraints hold, and that nothing is there that Envoy takes in silence and that cannot work. Snapshot.Consistent of
// go-control-plane compares the names of endpoints and route configurations only.
//
// An error is a fault with which Envoy refuses a resource or a request fails that looks served; a warning is a part that
// has no effect.
func Check(sets ...*Set) diagnostic.List {
	var found diagnostic.List
	for _, set := range sets {
		found = append(found, checkSet(set, nil)...)
	}
	return found.Sort()
}

// checkSet checks one set. Of what could not be read there is a problem already: a reference to it is no second one.
func checkSet(set *Set, problems diagnostic.List) diagnostic.List {
	c := &checker{set: set, managers: map[string][]manager{}, names: map[kind]map[string]int{}, sockets: map[string]string{}}
	c.collect()
	for _, problem := range problems {
		c.unread(kind(problem.Object.Kind), problem.Object.Name)
	}
	for _, r := range c.resources {
		c.current = r
		c.checkReferences()
		c.checkTypes()
		c.checkConstraints()
		c.checkRegexes()
		c.checkHeaders()
		c.checkListener()
		c.checkRoutes()
		c.checkAddresses()
		c.checkEndpoints()
	}
	c.checkNames()
	c.checkSubscriptions()
	return c.found
}

// resource is a message that has a name and a file.
type resource struct {
	kind    kind
	name    string
	file    string
	message proto.Message
	// nodes are all messages in it, in order, packed ones unpacked.
	nodes []node
}

// node is a message with its path in the resource.
type node struct {
	path    string
	message proto.Message
}

// manager is a connection manager with its place.
type manager struct {
	*hcmv3.HttpConnectionManager
	resource *resource
	path     string
}

// checker gathers findings about one set.
type checker struct {
	set       *Set
	resources []*resource
	current   *resource
	// managers are those that use a route configuration, by its name. Inline tables stand under "".
	managers map[string][]manager
	// names counts the resources by kind and name; the clusters and listeners of the bootstrap are among them.
	names map[kind]map[string]int
	// sockets names the listener of each address.
	sockets map[string]string
	// anyCluster: the clusters are not known, so that every name may be one.
	anyCluster bool
	found      diagnostic.List
}

// collect lists the resources with all their messages, so that a packed message is unpacked once.
func (c *checker) collect() {
	if c.set.Bootstrap != nil {
		c.add(bootstrapKind, c.set.Bootstrap)
	}
	for _, m := range c.set.Listeners {
		c.add(listenerKind, m)
	}
	for _, m := range c.set.Clusters {
		c.add(clusterKind, m)
	}
	for _, m := range c.set.Routes {
		c.add(routeKind, m)
	}
	for _, m := range c.set.Endpoints {
		c.add(endpointKind, m)
	}
	for _, m := range c.set.Secrets {
		c.add(secretKind, m)
	}
	for _, cluster := range c.set.Bootstrap.GetStaticResources().GetClusters() {
		c.count(clusterKind, cluster.GetName())
	}
	for _, listener := range c.set.Bootstrap.GetStaticResources().GetListeners() {
		c.count(listenerKind, listener.GetName())
	}
}

// unread takes a resource as there.
func (c *checker) unread(k kind, name string) {
	switch {
	case k == clusterKind:
		c.anyCluster = true
	case c.names[k][name] == 0:
		c.count(k, name)
	}
}

func (c *checker) count(k kind, name string) {
	if c.names[k] == nil {
		c.names[k] = map[string]int{}
	}
	c.names[k][name]++
}

func (c *checker) add(k kind, message proto.Message) {
	r := &resource{kind: k, name: nameOf(message), message: message}
	r.file = path.Join(c.set.Name, k.path(r.name))
	walk(message, func(path string, m proto.Message) bool {
		r.nodes = append(r.nodes, node{path, m})
		if hcm, ok := m.(*hcmv3.HttpConnectionManager); ok {
			name := hcm.GetRds().GetRouteConfigName()
			c.managers[name] = append(c.managers[name], manager{hcm, r, path})
		}
		return false
	})
	c.resources = append(c.resources, r)
	c.count(k, r.name)
}

// each calls f for every message of a type in the current resource.
func each[M proto.Message](c *checker, f func(path string, m M)) {
	for _, n := range c.current.nodes {
		if m, ok := n.message.(M); ok {
			f(n.path, m)
		}
	}
}

// eachRoute calls f for every route of the current resource, with its table and the managers that use it.
func (c *checker) eachTable(f func(path string, table *routev3.RouteConfiguration, managers []manager)) {
	each(c, func(path string, table *routev3.RouteConfiguration) {
		managers := c.managers[table.GetName()]
		if c.current.kind != routeKind {
			managers = c.inlineManager(table)
		}
		f(path, table, managers)
	})
}

// inlineManager is the manager in which a table stands.
func (c *checker) inlineManager(table *routev3.RouteConfiguration) []manager {
	for _, m := range c.managers[""] {
		if m.resource == c.current && m.GetRouteConfig() == table {
			return []manager{m}
		}
	}
	return nil
}

// errorf notes a fault at a field of the current resource.
func (c *checker) errorf(code diagnostic.Code, field, format string, args ...any) {
	c.note(diagnostic.Error, code, field, format, args...)
}

// warnf notes a part of the current resource that has no effect.
func (c *checker) warnf(code diagnostic.Code, field, format string, args ...any) {
	c.note(diagnostic.Warning, code, field, format, args...)
}

func (c *checker) note(severity diagnostic.Severity, code diagnostic.Code, field, format string, args ...any) {
	c.found = append(c.found, diagnostic.Diagnostic{
		Code:     code,
		Severity: severity,
		Object:   diagnostic.Object{Kind: string(c.current.kind), Name: c.current.name},
		Field:    field,
		Position: diagnostic.Position{File: c.current.file},
		Message:  fmt.Sprintf(format, args...),
	})
}

// at joins a field to a path.
func at(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}

func indexed(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }

func quote(text string) string { return string(quoted(text)) }
