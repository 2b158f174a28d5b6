package envoytest

import (
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	discoveryv3 "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"

	"github.com/routedelta/routedelta/render/files"
)

// writeSet writes a rendering into a folder.
func writeSet(dir string, set *files.Set) error {
	if err := writeMessage(dir, files.BootstrapPath, set.Bootstrap); err != nil {
		return err
	}
	if err := writeResources(dir, files.ClustersPath, set.Clusters...); err != nil {
		return err
	}
	if err := writeResources(dir, files.ListenersPath, set.Listeners...); err != nil {
		return err
	}
	for _, r := range set.Routes {
		if err := writeResources(dir, files.RoutesPath(r.GetName()), r); err != nil {
			return err
		}
	}
	for _, r := range set.Endpoints {
		if err := writeResources(dir, files.EndpointsPath(r.GetClusterName()), r); err != nil {
			return err
		}
	}
	for _, r := range set.Secrets {
		if err := writeResources(dir, files.SecretPath(r.GetName()), r); err != nil {
			return err
		}
	}
	return nil
}

func writeResources[M proto.Message](dir, path string, resources ...M) error {
	response := &discoveryv3.DiscoveryResponse{VersionInfo: "test"}
	for _, r := range resources {
		packed, err := anypb.New(r)
		if err != nil {
			return err
		}
		response.Resources = append(response.Resources, packed)
	}
	return writeMessage(dir, path, response)
}

func writeMessage(dir, path string, message proto.Message) error {
	data, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(message)
	if err != nil {
		return err
	}
	return writeInside(dir, path, data)
}
