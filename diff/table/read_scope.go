package table

import (
	"slices"
	"strconv"
	"strings"

	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	quicv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/quic/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	"google.golang.org/protobuf/proto"
)

// readScope reads the place of a filter chain, and what its transport does for every request.
func readScope(gateway string, listener *listenerv3.Listener, chain *listenerv3.FilterChain) (Scope, []Treatment) {
	scope := Scope{
		Gateway:  gateway,
		Listener: listener.GetName(),
		Port:     listener.GetAddress().GetSocketAddress().GetPortValue(),
	}
	match := proto.CloneOf(chain.GetFilterChainMatch())
	if match == nil {
		match = &listenerv3.FilterChainMatch{}
	}
	for _, name := range match.GetServerNames() {
		scope.ServerNames = append(scope.ServerNames, lowerASCII(name))
	}
	slices.Sort(scope.ServerNames)
	context, shared := readTransport(chain)
	scope.TLS = context != nil
	if context != nil {
		scope.Certificates = certificateNames(context.GetCommonTlsContext())
		scope.ClientCertificate = clientCertificateText(context)
	}
	// What Scope says already is no further condition.
	match.ServerNames = nil
	if match.GetTransportProtocol() == "tls" && scope.TLS || match.GetTransportProtocol() == "raw_buffer" && !scope.TLS {
		match.TransportProtocol = ""
	}
	if text := canonical(match); text != "{}" {
		scope.Match = text
	}
	if chain == listener.GetDefaultFilterChain() {
		scope.Match = strings.TrimSpace("default " + scope.Match)
	}
	return scope, shared
}

// readTransport gives the TLS context of a chain, nil for plain text, and its options beside the certificates.
func readTransport(chain *listenerv3.FilterChain) (*tlsv3.DownstreamTlsContext, []Treatment) {
	config := chain.GetTransportSocket().GetTypedConfig()
	if config == nil {
		return nil, nil
	}
	context := &tlsv3.DownstreamTlsContext{}
	quic := &quicv3.QuicDownstreamTransport{}
	switch {
	case config.MessageIs(context) && config.UnmarshalTo(context) == nil:
	case config.MessageIs(quic) && config.UnmarshalTo(quic) == nil:
		context = quic.GetDownstreamTlsContext()
	default:
		return nil, []Treatment{{Name: "transport", Value: canonical(config)}}
	}
	// Which protocols are offered changes no route.
	rest := proto.CloneOf(context)
	rest.RequireClientCertificate = nil
	if validation := rest.GetCommonTlsContext().GetValidationContext(); validation != nil {
		validation.TrustChainVerification = 0
	}
	leaveOutWords(rest.GetCommonTlsContext())
	if text := restText(rest); text != "" {
		return context, []Treatment{{Name: "tls", Value: text}}
	}
	return context, nil
}

// certificateNames are SDS names; a certificate that stands in the file is named by its own file, or by a digest.
func certificateNames(common *tlsv3.CommonTlsContext) []string {
	var names []string
	for _, secret := range common.GetTlsCertificateSdsSecretConfigs() {
		names = append(names, secret.GetName())
	}
	for _, certificate := range common.GetTlsCertificates() {
		name := certificate.GetCertificateChain().GetFilename()
		if name == "" {
			var d digest
			d.text(canonical(certificate.GetCertificateChain()))
			name = "inline " + strconv.QuoteToASCII(d.sum()[:6])
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Key is the identity of a place: two tables with equal keys serve the same connections. Certificates of either end are not in it, nor the
// name of a listener that has a port.
func (s Scope) Key() string {
	var d digest
	d.number(uint64(s.Port))
	if s.Port == 0 || s.UDP {
		d.text(s.Listener)
	}
	d.flag(s.TLS)
	d.text(strings.Join(s.ServerNames, " "))
	d.text(s.Match)
	d.text(s.RouteScope.Key)
	return d.sum()
}
