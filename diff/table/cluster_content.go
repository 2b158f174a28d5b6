package table

import (
	"cmp"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// content is what a cluster says beside its own names, as a digest, and whether that tells where its requests go: to endpoints that
// are in the files, or else to those that a server gives under a name. (A cluster without endpoints that asks no server goes nowhere:
// its name says more than what it holds.)
func content(cluster *clusterv3.Cluster, assignment *endpointv3.ClusterLoadAssignment) (sum string, tells bool) {
	known := hasEndpoints(assignment)
	if !known && cluster.GetType() != clusterv3.Cluster_EDS {
		return "", false
	}
	var d digest
	d.text(encoded(leaveOut(cluster, clusterNames)))
	d.flag(known)
	if known {
		d.text(encoded(leaveOut(assignment, assignmentNames)))
	} else {
		d.text(servedUnder(cluster))
	}
	return d.sum(), true
}

var (
	// clusterNames are the fields of a cluster that say how it is called, or whose content is read otherwise. (Its metadata changes
	// nothing for a request, and of those who write it many write the name of a route.)
	clusterNames    = namesOf(`name alt_stat_name metadata eds_cluster_config load_assignment`)
	assignmentNames = namesOf(`cluster_name`)
)

func hasEndpoints(assignment *endpointv3.ClusterLoadAssignment) bool {
	for _, locality := range assignment.GetEndpoints() {
		if len(locality.GetLbEndpoints()) > 0 {
			return true
		}
	}
	return false
}

// servedUnder is the name under which a server gives the endpoints of a cluster: that of the cluster where it asks for no other.
func servedUnder(cluster *clusterv3.Cluster) string {
	return cmp.Or(cluster.GetEdsClusterConfig().GetServiceName(), cluster.GetName())
}

// leaveOut is a message without some fields. What is in the others is shared: the copy is only to be read.
func leaveOut(message proto.Message, names nameSet) proto.Message {
	from := message.ProtoReflect()
	rest := from.New()
	from.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		if !names[string(field.Name())] {
			rest.Set(field, value)
		}
		return true
	})
	rest.SetUnknown(from.GetUnknown())
	return rest.Interface()
}

// encoded is a message as bytes, the same for equal messages within one run of the program.
func encoded(message proto.Message) string {
	// What cannot be encoded (a string that is no UTF-8) cannot be in a file either.
	data, _ := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(message)
	return string(data)
}
