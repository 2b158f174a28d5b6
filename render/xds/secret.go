package xds

import (
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
)

// downstreamTLS decrypts with the certificate of the listener that fits the server name best, if there are several.
func downstreamTLS(chain model.FilterChain) *corev3.TransportSocket {
	common := &tlsv3.CommonTlsContext{}
	if chain.Forward == nil {
		common.AlpnProtocols = []string{"h2", "http/1.1"}
	}
	for _, certificate := range chain.Certificates {
		common.TlsCertificateSdsSecretConfigs = append(common.TlsCertificateSdsSecretConfigs, sdsSecret(certificate))
	}
	context := &tlsv3.DownstreamTlsContext{CommonTlsContext: common}
	if validation := chain.ClientValidation; validation != nil {
		context.RequireClientCertificate = wrapperspb.Bool(!validation.AllowInsecure)
		common.ValidationContextType = &tlsv3.CommonTlsContext_ValidationContext{ValidationContext: clientValidation(validation)}
	}
	return &corev3.TransportSocket{
		Name:       "envoy.transport_sockets.tls",
		ConfigType: &corev3.TransportSocket_TypedConfig{TypedConfig: packed(context)},
	}
}

// clientValidation says which client certificates hold. One that does not may be let in all the same.
func clientValidation(validation *model.ClientValidation) *tlsv3.CertificateValidationContext {
	context := &tlsv3.CertificateValidationContext{
		TrustedCa: certificateText(validation.Authorities, validation.AuthoritiesFrom),
	}
	if validation.AllowInsecure {
		context.TrustChainVerification = tlsv3.CertificateValidationContext_ACCEPT_UNTRUSTED
	}
	return context
}

// sdsSecret is a reference to the file of a certificate.
func sdsSecret(certificate model.Certificate) *tlsv3.SdsSecretConfig {
	name := certificate.String()
	return &tlsv3.SdsSecretConfig{Name: name, SdsConfig: fileSource(files.SecretPath(name))}
}

// secret names the PEM files of a certificate; a key is never in it. Without a watched_directory Envoy watches the folder of each
// file, which sees the files themselves replaced as well as the swap of ..data in a volume. Of a path through ..data it would see
// neither.
func secret(certificate model.Certificate, keys Keys) *tlsv3.Secret {
	directory := "./" + files.MountDirectory(certificate.String())
	chain, key := directory+"/tls.crt", directory+"/tls.key"
	if keys == KeysWritten {
		chain = "./" + files.KeyPath(certificate.String())
		key = chain
	}
	return &tlsv3.Secret{
		Name: certificate.String(),
		Type: &tlsv3.Secret_TlsCertificate{TlsCertificate: &tlsv3.TlsCertificate{
			CertificateChain: fileName(chain),
			PrivateKey:       fileName(key),
		}},
	}
}

// certificateText is CA certificates as text, since they are no secret; those that only the installer has are a file of his.
func certificateText(text string, from *model.Name) *corev3.DataSource {
	if from != nil {
		return fileName("./" + files.MountDirectory(from.String()) + "/ca.crt")
	}
	return &corev3.DataSource{Specifier: &corev3.DataSource_InlineString{InlineString: text}}
}

func fileName(name string) *corev3.DataSource {
	return &corev3.DataSource{Specifier: &corev3.DataSource_Filename{Filename: name}}
}
