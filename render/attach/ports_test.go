package attach

import (
	"testing"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

func TestAssumedPort(t *testing.T) {
	tests := []struct {
		section string
		port    int32
		want    uint32
	}{
		{"", 0, 80},
		{"http", 0, 80},
		{"public", 0, 80},
		{"insecure", 0, 80},
		{"https", 0, 443},
		{"https-gateway", 0, 443},
		{"websecure", 0, 443},
		{"https", 8443, 8443},
		{"", 8080, 8080},
	}
	for _, test := range tests {
		var ref gatewayv1.ParentReference
		if test.section != "" {
			ref.SectionName = (*gatewayv1.SectionName)(&test.section)
		}
		if test.port != 0 {
			ref.Port = &test.port
		}
		if got := assumedPort("HTTPRoute", ref); got != test.want {
			t.Errorf("section %q, port %d: %d, want %d", test.section, test.port, got, test.want)
		}
	}
}
