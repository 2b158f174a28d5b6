package diff

import (
	"testing"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"

	"github.com/routedelta/routedelta/render/files"
)

func TestSideDigest(t *testing.T) {
	set := func(name, cluster, endpoints string) *files.Set {
		return &files.Set{
			Name:      name,
			Bootstrap: &bootstrapv3.Bootstrap{Node: &corev3.Node{Id: name}},
			Clusters:  []*clusterv3.Cluster{{Name: cluster}},
			Endpoints: []*endpointv3.ClusterLoadAssignment{{ClusterName: endpoints}},
		}
	}
	a, b := set("a", "x", "y"), set("b", "x", "y")
	same := sumsOf([]*files.Set{a, b}).side
	if other := sumsOf([]*files.Set{b, a}).side; other != same {
		t.Errorf("the order of the sets changes the digest: %s, %s", same, other)
	}
	for name, sets := range map[string][]*files.Set{
		"a set less":               {a},
		"another cluster":          {set("a", "z", "y"), b},
		"other endpoints":          {set("a", "x", "z"), b},
		"names that change places": {set("a", "y", "x"), b},
		"nothing":                  nil,
	} {
		if sumsOf(sets).side == same {
			t.Errorf("%s has the same digest", name)
		}
	}
}

func TestGatewayName(t *testing.T) {
	set := func(name, id string) *files.Set {
		return &files.Set{Name: name, Bootstrap: &bootstrapv3.Bootstrap{Node: &corev3.Node{Id: id}}}
	}
	for want, s := range map[string]*files.Set{
		"infra/public":     set("infra-public", "infra/public"),
		"team-a/public":    set("team-a-public", "team-a/public"),
		"somebody-elses":   set("somebody-elses", "node-1"),
		"without-a-node":   {Name: "without-a-node"},
		"without-a-node-2": {Name: "without-a-node-2", Bootstrap: &bootstrapv3.Bootstrap{}},
	} {
		if got := gatewayName(s); got != want {
			t.Errorf("gatewayName = %q, want %q", got, want)
		}
	}
}
