package xds

import (
	"path"
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"

	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
)

// downstreamTLS decrypts with the certificate of the listener that fits the server name best, if there are several.
func downstreamTLS(certificates []model.Certificate) *corev3.TransportSocket {
	common := &tlsv3.CommonTlsContext{AlpnProtocols: []string{"h2", "http/1.1"}}
	for _, certificate := range certificates {
		name := certificate.String()
		common.TlsCertificateSdsSecretConfigs = append(common.TlsCertificateSdsSecretConfigs, &tlsv3.SdsSecretConfig{
			Name:      name,
			SdsConfig: fileSource(files.SecretPath(name)),
		})
	}
	return &corev3.TransportSocket{
		Name:       "envoy.transport_sockets.tls",
		ConfigType: &corev3.TransportSocket_TypedConfig{TypedConfig: packed(&tlsv3.DownstreamTlsContext{CommonTlsContext: common})},
	}
}

// secret names the PEM files of a certificate. Whoever installs the rendering puts them there; a key is never in it.
func secret(certificate model.Certificate) *tlsv3.Secret {
	// The directory is called as the secret's own file is.
	directory := "./certs/" + strings.TrimSuffix(path.Base(files.SecretPath(certificate.String())), ".json")
	return &tlsv3.Secret{
		Name: certificate.String(),
		Type: &tlsv3.Secret_TlsCertificate{TlsCertificate: &tlsv3.TlsCertificate{
			CertificateChain: fileName(directory + "/tls.crt"),
			PrivateKey:       fileName(directory + "/tls.key"),
		}},
	}
}

func fileName(name string) *corev3.DataSource {
	return &corev3.DataSource{Specifier: &corev3.DataSource_Filename{Filename: name}}
}
