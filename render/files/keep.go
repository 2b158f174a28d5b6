package files

import (
	"slices"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// KeepClusters is a set that has the clusters of another too, where it has none of that name, with the endpoints and the secrets
// that they name. While an Envoy goes from the other set to this one, some requests follow the routes of either, and no route may lead
// to a cluster that is not there.
func KeepClusters(set, other *Set) *Set {
	kept := *set
	wanted := map[string]bool{}
	for _, cluster := range other.Clusters {
		if hasName(set.Clusters, cluster.Name) {
			continue
		}
		kept.Clusters = append(slices.Clip(kept.Clusters), cluster)
		for _, r := range allReferences(cluster) {
			wanted[r.Kind.path(r.Name)] = true
		}
	}
	for _, endpoints := range other.Endpoints {
		if wanted[EndpointsPath(endpoints.ClusterName)] && !hasName(set.Endpoints, endpoints.ClusterName) {
			kept.Endpoints = append(slices.Clip(kept.Endpoints), endpoints)
		}
	}
	for _, secret := range other.Secrets {
		if wanted[SecretPath(secret.Name)] && !hasName(set.Secrets, secret.Name) {
			kept.Secrets = append(slices.Clip(kept.Secrets), secret)
		}
	}
	kept.sort()
	return &kept
}

// InUse is a set without the clusters that nothing else in it names: those that KeepClusters kept for the time of a change.
func InUse(set *Set) *Set {
	named := map[string]bool{}
	note := func(_ string, m proto.Message) bool { noteStrings(m.ProtoReflect(), named); return false }
	if set.Bootstrap != nil {
		walk(set.Bootstrap, note)
	}
	for _, listener := range set.Listeners {
		walk(listener, note)
	}
	for _, routes := range set.Routes {
		walk(routes, note)
	}
	used := *set
	used.Clusters = slices.DeleteFunc(slices.Clone(set.Clusters), func(c *clusterv3.Cluster) bool { return !named[c.Name] })
	return &used
}

// noteStrings notes every text in a message: a cluster is named by routes, mirrors, proxies and many filters, each in a field of its
// own, and one that is kept in vain does no harm.
func noteStrings(message protoreflect.Message, into map[string]bool) {
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.Kind() != protoreflect.StringKind || field.IsMap():
		case field.IsList():
			for i := range value.List().Len() {
				into[value.List().Get(i).String()] = true
			}
		default:
			into[value.String()] = true
		}
		return true
	})
}

func allReferences(message proto.Message) []reference {
	var all []reference
	eachReference(message, func(r reference) bool { all = append(all, r); return false })
	return all
}

func hasName[M proto.Message](resources []M, name string) bool {
	return slices.ContainsFunc(resources, func(have M) bool { return nameOf(have) == name })
}
