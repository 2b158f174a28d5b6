package table

import (
	"strings"
	"testing"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/types/known/anypb"
)

// certificateOfTests is one of a CA that signs nothing.
const certificateOfTests = `-----BEGIN CERTIFICATE-----
MIIBcjCCARmgAwIBAgIBATAKBggqhkjOPQQDAjAgMR4wHAYDVQQDExViYWNrZW5k
-----END CERTIFICATE-----
`

func TestUpstreamTLS(t *testing.T) {
	const sans = `match_typed_subject_alt_names { san_type: DNS matcher { exact: "%" } } `
	named := func(name string) string { return strings.ReplaceAll(sans, "%", name) }
	for _, test := range []struct{ context, want string }{
		{``, `tls: for no name`},
		{`sni: "a.test" common_tls_context { validation_context { ` + named("a.test") + `} }`, `tls: for a.test`},
		{`sni: "a.test" common_tls_context { validation_context { ` + named("b.test") + named("c.test") + `} }`, `tls: for a.test, certificate of b.test or c.test`},
		{`common_tls_context { validation_context { match_typed_subject_alt_names { san_type: URI matcher { exact: "spiffe://a/b" } } } }`, `tls: for no name, certificate of uri spiffe://a/b`},
		// Texts are compared: no name looks like the words around it.
		{`sni: "a, certificate of b"`, `tls: for "a, certificate of b"`},
		// There are no words for these: they stay as they are.
		{`common_tls_context { validation_context { match_typed_subject_alt_names { san_type: DNS matcher { prefix: "a" } } } }`,
			`tls: for no name; tls settings: {common_tls_context: {validation_context: {match_typed_subject_alt_names: [{san_type: DNS, matcher: {prefix: "a"}}]}}}`},
		{`sni: "a.test" allow_renegotiation: true`, `tls: for a.test; tls settings: {allow_renegotiation: true}`},
		{`common_tls_context { validation_context { trusted_ca { filename: "/etc/ssl/certs/ca-certificates.crt" } } }`, `tls: for no name; tls signed by: the authorities of the system`},
		{`common_tls_context { validation_context { trusted_ca { filename: "./certs/a/ca.crt" } } }`, `tls: for no name; tls signed by: file ./certs/a/ca.crt`},
		{`common_tls_context { alpn_protocols: "h2" tls_certificate_sds_secret_configs { name: "shop/client" } }`, `tls: for no name; tls showing: shop/client; tls offering: h2`},
	} {
		context := &tlsv3.UpstreamTlsContext{}
		if err := prototext.Unmarshal([]byte(test.context), context); err != nil {
			t.Fatalf("%s: %v", test.context, err)
		}
		packed, err := anypb.New(context)
		if err != nil {
			t.Fatal(err)
		}
		list, isTLS := upstreamTLS(&corev3.TransportSocket{ConfigType: &corev3.TransportSocket_TypedConfig{TypedConfig: packed}})
		var words []string
		for _, treatment := range list {
			words = append(words, treatment.Name+": "+treatment.Value)
		}
		if got := strings.Join(words, "; "); !isTLS || got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.context, got, test.want)
		}
	}
}

func TestClientCertificateText(t *testing.T) {
	for _, test := range []struct{ context, want string }{
		{``, ``},
		{`require_client_certificate { value: true }`, `required`},
		{`require_client_certificate { value: true } common_tls_context { validation_context { trusted_ca { filename: "./ca.crt" } } }`, `required, signed by file ./ca.crt`},
		{`common_tls_context { validation_context { trusted_ca { filename: "./ca.crt" } trust_chain_verification: ACCEPT_UNTRUSTED } }`,
			`asked for, signed by file ./ca.crt, others let in`},
	} {
		context := &tlsv3.DownstreamTlsContext{}
		if err := prototext.Unmarshal([]byte(test.context), context); err != nil {
			t.Fatalf("%s: %v", test.context, err)
		}
		if got := clientCertificateText(context); got != test.want {
			t.Errorf("%s: %q, want %q", test.context, got, test.want)
		}
	}
}

// TestAuthoritiesAreToldApart: two texts that hold other certificates never have one name, whatever subjects these claim.
func TestAuthoritiesAreToldApart(t *testing.T) {
	inline := func(text string) string {
		return authorityText(&corev3.DataSource{Specifier: &corev3.DataSource_InlineString{InlineString: text}})
	}
	one, two := inline(certificateOfTests), inline(certificateOfTests+certificateOfTests)
	if one == two || one == "" {
		t.Errorf("one certificate is called %q, two are %q", one, two)
	}
}
