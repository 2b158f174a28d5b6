package envoytest

import (
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"path/filepath"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// listenerSocket is where the listener of a port is found.
func listenerSocket(root string, port uint32) string {
	return filepath.Join(root, fmt.Sprint("port", port))
}

// dial connects to a Unix socket, over TLS if asked for. The certificate is read, not verified: a test asks which one is shown.
func dial(socket string, over *TLS) (*connection, error) {
	plain, err := net.Dial("unix", socket)
	if err != nil {
		return nil, err
	}
	if over == nil {
		return newConnection(plain), nil
	}
	certificates, err := over.Client.certificates()
	if err != nil {
		plain.Close()
		return nil, err
	}
	secure := tls.Client(plain, &tls.Config{
		ServerName: over.ServerName, InsecureSkipVerify: true, NextProtos: []string{"http/1.1"}, Certificates: certificates,
	})
	if err := secure.Handshake(); err != nil {
		plain.Close()
		return nil, fmt.Errorf("TLS handshake for %q: %w", over.ServerName, err)
	}
	c := newConnection(secure)
	c.certificate = secure.ConnectionState().PeerCertificates[0].Subject.CommonName
	return c, nil
}

func pipe(path string) *corev3.Address {
	return &corev3.Address{Address: &corev3.Address_Pipe{Pipe: &corev3.Pipe{Path: path}}}
}

// regexLimit lifts Envoy's limit on the size of a regular expression, as our renderings do.
func regexLimit() *bootstrapv3.LayeredRuntime {
	return &bootstrapv3.LayeredRuntime{Layers: []*bootstrapv3.RuntimeLayer{
		{Name: "static", LayerSpecifier: &bootstrapv3.RuntimeLayer_StaticLayer{StaticLayer: &structpb.Struct{
			Fields: map[string]*structpb.Value{"re2.max_program_size.error_level": structpb.NewNumberValue(100000)},
		}}},
	}}
}

// oracleManager is Envoy's default connection manager, with routes from a file and answers that name the route. What it
// refuses over HTTP/2 resets the stream where it can, and else closes the connection at once: by default it takes a second.
func oracleManager() *managerv3.HttpConnectionManager {
	router, err := anypb.New(&routerv3.Router{})
	if err != nil {
		panic(err) // a message of our own that cannot be marshalled is a fault of this file
	}
	return &managerv3.HttpConnectionManager{
		StatPrefix:           "oracle",
		DelayedCloseTimeout:  durationpb.New(0),
		Http2ProtocolOptions: &corev3.Http2ProtocolOptions{OverrideStreamErrorOnInvalidHttpMessage: wrapperspb.Bool(true)},
		RouteSpecifier: &managerv3.HttpConnectionManager_Rds{Rds: &managerv3.Rds{
			RouteConfigName: routesName,
			ConfigSource: &corev3.ConfigSource{
				ResourceApiVersion: corev3.ApiVersion_V3,
				ConfigSourceSpecifier: &corev3.ConfigSource_PathConfigSource{
					PathConfigSource: &corev3.PathConfigSource{Path: "./routes.pb"},
				},
			},
		}},
		HttpFilters: []*managerv3.HttpFilter{{
			Name: "router", ConfigType: &managerv3.HttpFilter_TypedConfig{TypedConfig: router},
		}},
		LocalReplyConfig: &managerv3.LocalReplyConfig{BodyFormat: &corev3.SubstitutionFormatString{
			Format: &corev3.SubstitutionFormatString_TextFormatSource{TextFormatSource: &corev3.DataSource{
				Specifier: &corev3.DataSource_InlineString{InlineString: oracleFormat},
			}},
		}},
	}
}

// writeJSON writes a message as Envoy reads it.
func writeJSON(path string, message proto.Message) error {
	data, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(message)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return os.WriteFile(path, data, 0o600)
}
