package xds

import (
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"

	"github.com/routedelta/routedelta/render/model"
)

// systemAuthorities is where the images of Envoy, which are Debian's and Ubuntu's, have the CA certificates of the system.
const systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"

// upstreamTLS encrypts what is sent to a backend, and sends nothing to one whose certificate is by none of the authorities or bears
// none of the names. The server name is the one of the policy, whatever the request's host is.
func upstreamTLS(b *model.Backend, client *model.Certificate) *corev3.TransportSocket {
	common := &tlsv3.CommonTlsContext{
		ValidationContextType: &tlsv3.CommonTlsContext_ValidationContext{ValidationContext: &tlsv3.CertificateValidationContext{
			TrustedCa:                 authorities(b.TLS),
			MatchTypedSubjectAltNames: subjectAltNames(b.TLS),
		}},
	}
	if b.Protocol == model.BackendH2C {
		common.AlpnProtocols = []string{"h2"}
	}
	if client != nil {
		common.TlsCertificateSdsSecretConfigs = []*tlsv3.SdsSecretConfig{sdsSecret(*client)}
	}
	return &corev3.TransportSocket{
		Name: "envoy.transport_sockets.tls",
		ConfigType: &corev3.TransportSocket_TypedConfig{TypedConfig: packed(&tlsv3.UpstreamTlsContext{
			CommonTlsContext: common,
			Sni:              b.TLS.Hostname,
		})},
	}
}

func authorities(tls *model.BackendTLS) *corev3.DataSource {
	if tls.System {
		return fileName(systemAuthorities)
	}
	return certificateText(tls.Authorities, tls.AuthoritiesFrom)
}

// subjectAltNames are the names of which the certificate must bear one: "Hostname MUST be used for authentication [...] unless
// SubjectAltNames is specified" (BackendTLSPolicyValidation.hostname).
func subjectAltNames(tls *model.BackendTLS) []*tlsv3.SubjectAltNameMatcher {
	if len(tls.SubjectAltNames) == 0 {
		return []*tlsv3.SubjectAltNameMatcher{exactName(tlsv3.SubjectAltNameMatcher_DNS, tls.Hostname)}
	}
	var matchers []*tlsv3.SubjectAltNameMatcher
	for _, name := range tls.SubjectAltNames {
		kind := tlsv3.SubjectAltNameMatcher_DNS
		if name.URI {
			kind = tlsv3.SubjectAltNameMatcher_URI
		}
		matchers = append(matchers, exactName(kind, name.Value))
	}
	return matchers
}

func exactName(kind tlsv3.SubjectAltNameMatcher_SanType, value string) *tlsv3.SubjectAltNameMatcher {
	return &tlsv3.SubjectAltNameMatcher{
		SanType: kind,
		Matcher: &matcherv3.StringMatcher{MatchPattern: &matcherv3.StringMatcher_Exact{Exact: value}},
	}
}
