package files

import (
	adminv3 "github.com/envoyproxy/go-control-plane/envoy/admin/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
)

// section adds a part of a /config_dump: a whole section, or the entry of one that ?resource= prints bare. What Envoy serves
// with at the moment counts: a resource that is warming, draining or was refused does not. Sections that hold no resources (ECDS,
// scoped routes) add nothing; their listeners say that they ask for them.
func (c *collector) section(message proto.Message, depth int) error {
	switch m := message.(type) {
	case *adminv3.ConfigDump:
		return c.all(m.GetConfigs(), depth)
	case *adminv3.BootstrapConfigDump:
		if m.GetBootstrap() == nil {
			return nil
		}
		return c.message(m.GetBootstrap(), depth)
	case *adminv3.ListenersConfigDump:
		return firstError(eachEntry(c, m.GetStaticListeners()), eachEntry(c, m.GetDynamicListeners()))
	case *adminv3.ClustersConfigDump:
		return firstError(eachEntry(c, m.GetStaticClusters()), eachEntry(c, m.GetDynamicActiveClusters()))
	case *adminv3.RoutesConfigDump:
		return firstError(eachEntry(c, m.GetStaticRouteConfigs()), eachEntry(c, m.GetDynamicRouteConfigs()))
	case *adminv3.EndpointsConfigDump:
		return firstError(eachEntry(c, m.GetStaticEndpointConfigs()), eachEntry(c, m.GetDynamicEndpointConfigs()))
	case *adminv3.SecretsConfigDump:
		return firstError(eachEntry(c, m.GetStaticSecrets()), eachEntry(c, m.GetDynamicActiveSecrets()))
	}
	return c.entry(message)
}

func eachEntry[M proto.Message](c *collector, entries []M) error {
	for _, entry := range entries {
		if err := c.entry(entry); err != nil {
			return err
		}
	}
	return nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// entry adds the resource of one entry. Endpoints and secrets of static clusters are asked for like the others.
func (c *collector) entry(message proto.Message) error {
	switch m := message.(type) {
	case *adminv3.ListenersConfigDump_StaticListener:
		return unpackInto(c.static, m.GetListener())
	case *adminv3.ListenersConfigDump_DynamicListener:
		return unpackInto(c.set, m.GetActiveState().GetListener())
	case *adminv3.ClustersConfigDump_StaticCluster:
		return unpackInto(c.static, m.GetCluster())
	case *adminv3.ClustersConfigDump_DynamicCluster:
		return unpackInto(c.set, m.GetCluster())
	case *adminv3.RoutesConfigDump_StaticRouteConfig:
		return unpackInto(c.static, m.GetRouteConfig())
	case *adminv3.RoutesConfigDump_DynamicRouteConfig:
		return unpackInto(c.set, m.GetRouteConfig())
	case *adminv3.EndpointsConfigDump_StaticEndpointConfig:
		return unpackInto(c.set, m.GetEndpointConfig())
	case *adminv3.EndpointsConfigDump_DynamicEndpointConfig:
		return unpackInto(c.set, m.GetEndpointConfig())
	case *adminv3.SecretsConfigDump_StaticSecret:
		return unpackInto(c.static, m.GetSecret())
	case *adminv3.SecretsConfigDump_DynamicSecret:
		return unpackInto(c.set, m.GetSecret())
	}
	return nil
}

// unpackInto adds the resource that an Any holds to a set; an entry without one (a listener that is still warming) adds nothing.
func unpackInto(set *Set, packed *anypb.Any) error {
	if packed.GetTypeUrl() == "" {
		return nil
	}
	message, err := packed.UnmarshalNew()
	if err != nil {
		return err
	}
	set.add(message)
	return nil
}
