//go:build corpus

package render_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

// supplied are the objects that the owners' test program adds to an input, which their files do not hold: classes, namespaces, Services,
// certificates. Those here are our own, under the names that the inputs use.
func supplied(t *testing.T, input manifesttest.Input) []manifest.Source {
	t.Helper()
	var text bytes.Buffer
	switch group, _, _ := strings.Cut(input.Name, "/"); group {
	case "envoy-gateway-testdata":
		supplyEnvoyGateway(&text, string(input.Files[0].Data))
	case "istio-gateway-testdata":
		supplyIstio(t, &text)
	}
	return []manifest.Source{{Name: "supplied.yaml", Data: text.Bytes()}}
}

func supplyEnvoyGateway(text *bytes.Buffer, input string) {
	text.WriteString("---\n{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: envoy-gateway-class}, spec: {controllerName: gateway.envoyproxy.io/gatewayclass-controller}}\n")
	for _, name := range []string{"envoy-gateway", "default"} {
		if !strings.Contains(input, `"kind":"Namespace","metadata":{"name":"`+name+`"`) {
			fmt.Fprintf(text, "---\n{apiVersion: v1, kind: Namespace, metadata: {name: %s}}\n", name)
		}
	}
	const ports = "{name: http, port: 8080}, {name: https, port: 8443}, {name: tcp, port: 8163}, {name: udp, port: 8162, protocol: UDP}"
	for i := 1; i <= 4; i++ {
		supplyService(text, "default", fmt.Sprintf("service-%d", i), ports)
	}
	supplyService(text, "default", "mirror-service", "{name: http, port: 8080}")
}

// istioServices have the ports http 80, tcp 34000 and tcp-other 34001.
var istioServices = []string{
	"default/httpbin", "apple/httpbin-apple", "banana/httpbin-banana", "default/httpbin-second", "default/httpbin-wildcard", "default/foo-svc",
	"default/httpbin-other", "default/example", "default/echo", "cert/httpbin", "service/my-svc", "allowed-1/a-example", "allowed-2/a-example",
	"allowed-1/b-example", "allowed-1/svc2", "allowed-2/svc2", "allowed-1/svc1", "allowed-2/svc3", "default/svc4", "group-namespace1/httpbin",
	"group-namespace2/httpbin", "default/httpbin-zero", "istio-system/httpbin", "default/httpbin-mirror", "default/httpbin-foo",
	"default/httpbin-alt", "istio-system/istiod", "istio-system/echo", "default/httpbin-bad", "default/echo-1", "default/echo-2", "default/echo-port",
	"default/not-found",
}

func supplyIstio(t *testing.T, text *bytes.Buffer) {
	for _, service := range istioServices {
		namespace, name, _ := strings.Cut(service, "/")
		supplyService(text, namespace, name, "{name: http, port: 80}, {name: tcp, port: 34000}, {name: tcp-other, port: 34001}")
	}
	for _, namespace := range []string{"istio-system", "default", "cert", "allowed-1", "allowed-2"} {
		label, _, _ := strings.Cut(namespace, "-")
		fmt.Fprintf(text, "---\n{apiVersion: v1, kind: Namespace, metadata: {name: %s, labels: {istio.io/test-name-part: %s, kubernetes.io/metadata.name: %s}}}\n", namespace, label, namespace)
	}
	certificate, key := pair(t)
	for _, secret := range []string{"istio-system/my-cert-http", "ns2/ns2-cert", "ns3/ns3-cert", "ns4/ns4-cert", "istio-system/my-cert-http2", "cert/cert"} {
		supplySecret(text, secret, certificate, key)
	}
	supplySecret(text, "istio-system/malformed", []byte("no certificate"), []byte("no key"))
	for _, bundle := range []string{"istio-system/my-cert-http", "default/auth-cert"} {
		supplyConfigMap(text, bundle, "ca.crt", string(certificate))
	}
	supplyConfigMap(text, "istio-system/malformed", "not-ca.crt", "hello")
	supplyConfigMap(text, "istio-system/malformed-trustbundle", "ca.crt", "hello")
	supplyConfigMap(text, "default/malformed", "not-ca.crt", "hello")
}

func supplyService(text *bytes.Buffer, namespace, name, ports string) {
	fmt.Fprintf(text, "---\n{apiVersion: v1, kind: Service, metadata: {name: %s, namespace: %s}, spec: {clusterIP: 10.1.1.1, ports: [%s]}}\n", name, namespace, ports)
	fmt.Fprintf(text, "---\n{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: %s, namespace: %s, labels: {kubernetes.io/service-name: %s}}, "+
		"addressType: IPv4, ports: [%s], endpoints: [{addresses: [10.7.7.7]}]}\n", name, namespace, name, ports)
}

func supplySecret(text *bytes.Buffer, object string, certificate, key []byte) {
	namespace, name, _ := strings.Cut(object, "/")
	encode := base64.StdEncoding.EncodeToString
	fmt.Fprintf(text, "---\n{apiVersion: v1, kind: Secret, metadata: {name: %s, namespace: %s}, type: kubernetes.io/tls, data: {tls.crt: %s, tls.key: %s}}\n",
		name, namespace, encode(certificate), encode(key))
}

func supplyConfigMap(text *bytes.Buffer, object, entry, value string) {
	namespace, name, _ := strings.Cut(object, "/")
	fmt.Fprintf(text, "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: %s}, data: {%s: %q}}\n", name, namespace, entry, value)
}

// pair is one certificate, which is its own authority, with its key.
var pairOnce = sync.OnceValues(func() ([2][]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return [2][]byte{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, DNSNames: []string{"example.com"},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return [2][]byte{}, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	return [2][]byte{
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}),
	}, err
})

func pair(t *testing.T) (certificate, key []byte) {
	t.Helper()
	made, err := pairOnce()
	if err != nil {
		t.Fatal(err)
	}
	return made[0], made[1]
}
