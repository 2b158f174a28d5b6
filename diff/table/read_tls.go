package table

import (
	"cmp"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"strconv"
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	"google.golang.org/protobuf/proto"
)

// Required begins what is said of client certificates without which nobody is let in.
const Required = "required"

// UpstreamTLS begins the names of what TLS to a backend is made of.
const UpstreamTLS = "tls"

// upstreamTLS is how Envoy speaks TLS to a backend, in a reader's words: the server name that it asks for, the names of which the
// certificate must bear one, who must have signed it, and the certificate that it shows itself. What there are no words for stands
// beside them as it is. It is false for a transport that is not TLS.
func upstreamTLS(socket *corev3.TransportSocket) ([]Treatment, bool) {
	context := &tlsv3.UpstreamTlsContext{}
	config := socket.GetTypedConfig()
	if config == nil || !config.MessageIs(context) || config.UnmarshalTo(context) != nil {
		return nil, false
	}
	common := context.GetCommonTlsContext()
	validation := common.GetValidationContext()
	name := cmp.Or(plainWord(context.GetSni()), "no name")
	if names := alternativeNames(validation); names != "" && names != name {
		name += ", certificate of " + names
	}
	list := []Treatment{{Name: UpstreamTLS, Value: "for " + name}}
	add := func(name, value string) {
		if value != "" {
			list = append(list, Treatment{Name: UpstreamTLS + " " + name, Value: value})
		}
	}
	add("signed by", authorityText(validation.GetTrustedCa()))
	add("showing", plainWords(certificateNames(common)))
	add("offering", plainWords(common.GetAlpnProtocols()))
	rest := proto.CloneOf(context)
	rest.Sni = ""
	leaveOutWords(rest.GetCommonTlsContext())
	add("settings", restText(rest))
	return list, true
}

// clientCertificateText is which certificates a listener asks its clients for, "" for none.
func clientCertificateText(context *tlsv3.DownstreamTlsContext) string {
	validation := context.GetCommonTlsContext().GetValidationContext()
	required := context.GetRequireClientCertificate().GetValue()
	if validation == nil && !required {
		return ""
	}
	text := "asked for"
	if required {
		text = Required
	}
	if by := authorityText(validation.GetTrustedCa()); by != "" {
		text += ", signed by " + by
	}
	if names := alternativeNames(validation); names != "" {
		text += ", named " + names
	}
	if validation.GetTrustChainVerification() == tlsv3.CertificateValidationContext_ACCEPT_UNTRUSTED {
		text += ", others let in"
	}
	return text
}

// leaveOutWords takes out what the words have said.
func leaveOutWords(common *tlsv3.CommonTlsContext) {
	if common == nil {
		return
	}
	common.TlsCertificates, common.TlsCertificateSdsSecretConfigs, common.AlpnProtocols = nil, nil, nil
	validation := common.GetValidationContext()
	if validation == nil {
		return
	}
	if authorityText(validation.GetTrustedCa()) != "" {
		validation.TrustedCa = nil
	}
	if alternativeNames(validation) != "" {
		validation.MatchTypedSubjectAltNames = nil
	}
	if proto.Size(validation) == 0 {
		common.ValidationContextType = nil
	}
}

// restText is what is left of a context, "" for nothing.
func restText(rest proto.Message) string {
	if text := canonical(rest); text != "{}" && text != "{common_tls_context: {}}" {
		return text
	}
	return ""
}

// alternativeNames are the names of which a certificate must bear one, "" where there are none or there are no words for them.
func alternativeNames(validation *tlsv3.CertificateValidationContext) string {
	var names []string
	for _, matcher := range validation.GetMatchTypedSubjectAltNames() {
		exact := matcher.GetMatcher().GetExact()
		if exact == "" || matcher.GetMatcher().GetIgnoreCase() || matcher.GetOid() != "" {
			return ""
		}
		switch matcher.GetSanType() {
		case tlsv3.SubjectAltNameMatcher_DNS:
			names = append(names, plainWord(exact))
		case tlsv3.SubjectAltNameMatcher_URI:
			names = append(names, "uri "+plainWord(exact))
		default:
			return ""
		}
	}
	return strings.Join(names, " or ")
}

// systemAuthorities is where the images of Envoy have the certificates of the system.
const systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"

// authorityText names CA certificates: by their subjects, with a digest of all of them, since two may have one name; by their file
// where only its reader knows them. "" is none.
func authorityText(source *corev3.DataSource) string {
	switch text := source.GetInlineString() + string(source.GetInlineBytes()); {
	case source.GetFilename() == systemAuthorities:
		return "the authorities of the system"
	case source.GetFilename() != "":
		return "file " + plainWord(source.GetFilename())
	case text != "":
		return subjects([]byte(text))
	}
	return ""
}

// subjects are those of the first certificates of a PEM text, and how many there are more.
func subjects(text []byte) string {
	const few = 3
	sum := sha256.Sum256(text)
	var names []string
	count := 0
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		count++
		if count > few {
			continue
		}
		if certificate, err := x509.ParseCertificate(block.Bytes); err == nil {
			names = append(names, certificate.Subject.String())
		}
	}
	said := strings.Join(names, " or ")
	if count > few {
		said += fmt.Sprintf(" or %d more", count-few)
	}
	return strings.TrimSpace(shorten(said) + " (sha256 " + hex.EncodeToString(sum[:16]) + ")")
}

// plainWord is a name as it is, or quoted where it could be taken for the words around it: texts are compared.
func plainWord(name string) string {
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-._/:*@", c)) {
			return strconv.QuoteToASCII(name)
		}
	}
	return name
}

func plainWords(names []string) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = plainWord(name)
	}
	return strings.Join(words, " ")
}
