package xds

import (
	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
)

// maxRegexProgram is the size of a compiled regular expression above which Envoy refuses the route configuration. Its own
// limit is 100, which one "/.{1,200}" passes (program size 604).
const maxRegexProgram = 100000

// bootstrap is what Envoy is started with: the listeners, and where the clusters' file is. Listeners stand here unless a file of
// their own is asked for: a route change never touches them.
func bootstrap(d *describer, gateway *model.Gateway, options Options) *bootstrapv3.Bootstrap {
	b := &bootstrapv3.Bootstrap{
		// Envoy exits without both as soon as anything comes from a file.
		Node:            node(gateway),
		StaticResources: &bootstrapv3.Bootstrap_StaticResources{},
		DynamicResources: &bootstrapv3.Bootstrap_DynamicResources{
			CdsConfig: fileSource(files.ClustersPath),
		},
		LayeredRuntime: &bootstrapv3.LayeredRuntime{
			Layers: []*bootstrapv3.RuntimeLayer{{
				Name: "static",
				LayerSpecifier: &bootstrapv3.RuntimeLayer_StaticLayer{
					StaticLayer: &structpb.Struct{Fields: map[string]*structpb.Value{
						"re2.max_program_size.error_level": structpb.NewNumberValue(maxRegexProgram),
					}},
				},
			}},
		},
	}
	if options.Listeners == ListenersFile {
		b.DynamicResources.LdsConfig = fileSource(files.ListenersPath)
	} else {
		b.StaticResources.Listeners = listeners(d, gateway, options.ListenAddress)
	}
	if options.AdminPort > 0 {
		b.Admin = &bootstrapv3.Admin{Address: socketAddress(options.AdminAddress, uint32(options.AdminPort))}
	}
	return b
}

// node is who Envoy says it is. Labels and annotations of the Gateway are on it, for whoever reads its dumps and logs.
func node(gateway *model.Gateway) *corev3.Node {
	made := &corev3.Node{Id: gateway.Name.String(), Cluster: gateway.Name.String()}
	for key, values := range map[string]map[string]string{"labels": gateway.Labels, "annotations": gateway.Annotations} {
		if len(values) == 0 {
			continue
		}
		if made.Metadata == nil {
			made.Metadata = &structpb.Struct{Fields: map[string]*structpb.Value{}}
		}
		made.Metadata.Fields[key] = stringsOf(values)
	}
	return made
}

func stringsOf(values map[string]string) *structpb.Value {
	fields := make(map[string]*structpb.Value, len(values))
	for key, value := range values {
		fields[key] = structpb.NewStringValue(value)
	}
	return structpb.NewStructValue(&structpb.Struct{Fields: fields})
}

// fileSource names a file of the rendering.
func fileSource(path string) *corev3.ConfigSource {
	return &corev3.ConfigSource{
		ResourceApiVersion: corev3.ApiVersion_V3,
		ConfigSourceSpecifier: &corev3.ConfigSource_PathConfigSource{
			PathConfigSource: &corev3.PathConfigSource{Path: files.SourcePath(path)},
		},
	}
}

func socketAddress(address string, port uint32) *corev3.Address {
	return &corev3.Address{Address: &corev3.Address_SocketAddress{SocketAddress: &corev3.SocketAddress{
		Address:       address,
		PortSpecifier: &corev3.SocketAddress_PortValue{PortValue: port},
	}}}
}
