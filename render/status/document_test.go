package status_test

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/gateway-api/pkg/features"

	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/status"
)

var update = flag.Bool("update", false, "rewrite testdata")

// TestEncode holds the statuses of two Gateways of two controllers, and of what refers to them, to the fields of the API.
func TestEncode(t *testing.T) {
	accepted := func(generation int64) []status.Condition {
		return []status.Condition{status.New("Accepted", true, "Accepted", "", generation)}
	}
	ours, other := model.Name{Namespace: "edge", Name: "ours"}, model.Name{Namespace: "edge", Name: "theirs"}
	namespace, section := gatewayv1.Namespace("edge"), gatewayv1.SectionName("http")
	said := status.Status{
		GatewayClasses: []status.GatewayClass{
			{Name: "a", Controller: "example.com/a", Conditions: accepted(0), SupportedFeatures: []features.FeatureName{"Gateway"}},
			{Name: "b", Controller: "example.com/b", Conditions: accepted(7)},
		},
		Gateways: []status.Gateway{{
			Gateway: ours, Class: "a", Conditions: accepted(2), AttachedListenerSets: 1,
			Listeners: []status.Listener{{Name: "http", SupportedKinds: []string{"HTTPRoute"}, AttachedRoutes: 3, Conditions: accepted(2)}},
		}},
		Routes: []status.Route{
			{Kind: "HTTPRoute", Route: model.Name{Namespace: "shop", Name: "y"}, Gateway: ours, Conditions: accepted(4),
				Parent: gatewayv1.ParentReference{Name: "ours", Namespace: &namespace, SectionName: &section}},
			{Kind: "HTTPRoute", Route: model.Name{Namespace: "shop", Name: "y"}, Gateway: other, Conditions: accepted(4),
				Parent: gatewayv1.ParentReference{Name: "theirs", Namespace: &namespace}},
			{Kind: "TCPRoute", Route: model.Name{Namespace: "shop", Name: "y"}, Gateway: ours, Conditions: accepted(0),
				Parent: gatewayv1.ParentReference{Name: "ours", Namespace: &namespace}},
		},
		Policies: []status.Policy{{Kind: "BackendTLSPolicy", Policy: model.Name{Namespace: "edge", Name: "p"}, Ancestors: []status.Ancestor{
			{Ancestor: gatewayv1.ParentReference{Name: "ours"}, Conditions: accepted(1)},
		}}},
	}
	documents, err := said.Documents()
	if err != nil {
		t.Fatal(err)
	}
	text, err := status.Encode(documents)
	if err != nil {
		t.Fatal(err)
	}
	const name = "testdata/documents.yaml"
	if *update {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	wanted, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(wanted), string(text)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
