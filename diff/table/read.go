package table

import (
	"slices"

	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
)

// Read gives every table of an Envoy: one for each filter chain of each listener, or for each scope of its routes, in the order of
// the files, sealed. A chain that passes its connections on is a table of one rule; one that does something else, or whose routes are not
// among the files, is a table without hosts whose Options say that it is not modelled. A set without listeners has a table for each of its route configurations. The diagnostics name what the files lack.
func Read(set *files.Set) ([]*Table, diagnostic.List) { return ReadAs(set, Names{}) }

// ReadAs is Read for a comparison, in which some clusters are known by other names. See Clusters.
func ReadAs(set *files.Set, names Names) ([]*Table, diagnostic.List) {
	r := &reader{set: set, backends: readBackends(set, names), routes: map[string]*routev3.RouteConfiguration{}}
	for _, config := range set.Routes {
		r.routes[config.GetName()] = config
	}
	listeners := set.AllListeners()
	if len(listeners) == 0 {
		r.readAlone()
	}
	for _, listener := range listeners {
		for _, t := range r.listener(listener, rename(names, listener)) {
			t.Seal()
			r.tables = append(r.tables, t)
		}
	}
	return r.tables, r.diagnostics
}

type reader struct {
	set         *files.Set
	backends    backends
	routes      map[string]*routev3.RouteConfiguration
	tables      []*Table
	diagnostics diagnostic.List
}

func chainsOf(listener *listenerv3.Listener) []*listenerv3.FilterChain {
	chains := slices.Clone(listener.GetFilterChains())
	if last := listener.GetDefaultFilterChain(); last != nil {
		chains = append(chains, last)
	}
	return chains
}

// listener reads all chains of a listener. What is passed on names its clusters as the files do, since they are looked up; all else in
// the listener is compared as a text, by the names that they are known by.
func (r *reader) listener(written, renamed *listenerv3.Listener) []*Table {
	if config := written.GetUdpListenerConfig(); config != nil && config.GetQuicOptions() == nil {
		return []*Table{r.datagrams(written)}
	}
	var tables []*Table
	forwards := chainsOf(written)
	for i, chain := range chainsOf(renamed) {
		scope, shared := readScope(r.set.Name, renamed, chain)
		t := &Table{Scope: scope}
		if r.forwardChain(t, forwards[i], shared) {
			tables = append(tables, t)
			continue
		}
		tables = append(tables, r.chain(t, renamed, chain, shared)...)
	}
	return tables
}

// chain reads a filter chain for HTTP. The connection manager ends the chain; what stands before it is done to every connection.
func (r *reader) chain(t *Table, listener *listenerv3.Listener, chain *listenerv3.FilterChain, shared []Treatment) []*Table {
	manager := &managerv3.HttpConnectionManager{}
	found := false
	for _, filter := range chain.GetFilters() {
		if !filter.GetTypedConfig().MessageIs(manager) {
			shared = append(shared, Treatment{Name: "network filter " + filter.GetName(), Value: canonical(filter)})
			continue
		}
		if filter.GetTypedConfig().UnmarshalTo(manager) != nil {
			r.report(diagnostic.BrokenResource, listener.GetName(), "the HTTP connection manager does not parse")
			break
		}
		found = true
	}
	if !found {
		t.Options.Unmodelled = []string{"filter chain without HTTP " + canonical(chain)}
		return []*Table{t}
	}
	around := surround(listener, chain)
	if manager.GetScopedRoutes() != nil {
		return r.scoped(*t, listener, manager, around, shared)
	}
	r.fill(t, listener, manager, r.configuration(t, manager), around, shared)
	return []*Table{t}
}

// fill reads the connection manager's options and a route configuration.
func (r *reader) fill(t *Table, listener *listenerv3.Listener, manager *managerv3.HttpConnectionManager, config *routev3.RouteConfiguration, around surroundings, shared []Treatment) {
	missing := t.Options.Unmodelled
	t.Options = readOptions(listener, manager)
	t.Options.Unmodelled = append(t.Options.Unmodelled, missing...)
	if listener.GetFilterChainMatcher() != nil || listener.GetFcdsConfig() != nil {
		t.Options.Unmodelled = append(t.Options.Unmodelled, "filter chains chosen by a matcher "+canonical(listener.GetFilterChainMatcher())+canonical(listener.GetFcdsConfig()))
	}
	t.Routes = config.GetName()
	t.Options.addRouteOptions(config)
	handed := t.Options.addHanded(manager, config)
	t.Options.addRuntime(r.set.Bootstrap)
	internal, _ := internalOnlyHeaders(config)
	shared = append(shared, internal...)
	around.options, around.runtime, around.tls = t.Options, readRuntime(r.set.Bootstrap), t.TLS
	around.internal = around.internal || manager.GetInternalAddressConfig() != nil
	around.clientCertificateHeader = around.clientCertificateHeader || manager.GetForwardClientCertDetails() != managerv3.HttpConnectionManager_SANITIZE
	around.metadata = around.metadata || handed || slices.ContainsFunc(manager.GetHttpFilters(), reroutes)
	around.tunnels = around.tunnels || slices.ContainsFunc(manager.GetUpgradeConfigs(), letsThrough[*managerv3.HttpConnectionManager_UpgradeConfig])
	routes := &routeReader{
		config: config, scope: t.Scope, surroundings: around, backends: r.backends,
		shared: append(shared, managerTreatment(manager)...),
	}
	for _, filter := range manager.GetHttpFilters() {
		routes.filters = append(routes.filters, filter.GetName())
	}
	t.Hosts = routes.hosts()
}

// configuration is the route configuration of a connection manager, inline or by name.
func (r *reader) configuration(t *Table, manager *managerv3.HttpConnectionManager) *routev3.RouteConfiguration {
	if inline := manager.GetRouteConfig(); inline != nil {
		return inline
	}
	return r.named(t, manager.GetRds().GetRouteConfigName())
}

// named finds a route configuration among the files. Where there is none it returns an empty one, and the table is not modelled.
func (r *reader) named(t *Table, name string) *routev3.RouteConfiguration {
	if config := r.routes[name]; config != nil {
		return config
	}
	missing := "route configuration " + name + " is not among the files"
	t.Options.Unmodelled = append(t.Options.Unmodelled, missing)
	r.report(diagnostic.DeadReference, t.Listener, missing)
	return &routev3.RouteConfiguration{Name: name}
}

// managerTreatment is what a connection manager does to every request: its filters and the fields that do not choose a route.
func managerTreatment(manager *managerv3.HttpConnectionManager) []Treatment {
	list := otherFields(manager, modelledManagerFields)
	common := otherFields(manager.GetCommonHttpProtocolOptions(), modelledProtocolFields)
	for i := range common {
		common[i].Name = "common http protocol options " + common[i].Name
	}
	list = append(list, common...)
	for _, filter := range manager.GetHttpFilters() {
		if !idle(filter) {
			list = append(list, Treatment{Name: "filter " + filter.GetName(), Value: canonical(filter)})
		}
	}
	return list
}

func (r *reader) report(code diagnostic.Code, listener, message string) {
	r.diagnostics = append(r.diagnostics, diagnostic.Diagnostic{
		Code: code, Severity: diagnostic.Warning,
		Object:  diagnostic.Object{Kind: "Listener", Name: r.set.Name + " " + listener},
		Message: message,
	})
}
