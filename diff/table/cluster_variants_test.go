package table_test

import (
	"testing"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/files"
)

// TestTLSOfTheOneClusterIsNoVariant: where TLS came or went with the one cluster of a backend, that is how the backend is reached; where
// a side has the cluster in both ways, routes choose between two variants.
func TestTLSOfTheOneClusterIsNoVariant(t *testing.T) {
	set := func(variants ...string) *files.Set {
		s := &files.Set{}
		for _, variant := range variants {
			fields, err := structpb.NewStruct(map[string]any{"kind": "Service", "namespace": "shop", "name": "web", "port": 80})
			if err != nil {
				t.Fatal(err)
			}
			s.Clusters = append(s.Clusters, &clusterv3.Cluster{
				Name: "shop/web/80" + variant, Metadata: &corev3.Metadata{FilterMetadata: map[string]*structpb.Struct{"routedelta": fields}},
			})
		}
		return s
	}
	for _, test := range []struct {
		before, after []string
		was, is       string // of the last cluster
	}{
		{[]string{""}, []string{"/tls"}, "", ""},
		{[]string{"/tls"}, []string{""}, "", ""},
		{[]string{"", "/h2c"}, []string{"/tls", "/h2c/tls"}, "/h2c", "/h2c"},
		{[]string{"/tls"}, []string{"/tls"}, "/tls", "/tls"},
		{[]string{""}, []string{"", "/tls"}, "", "/tls"},
		{[]string{"", "/tls"}, []string{"/tls"}, "/tls", "/tls"},
		{[]string{""}, []string{"/h2c"}, "", "/h2c"},
	} {
		before, after := set(test.before...), set(test.after...)
		clusters := table.CompareClusters(before, after, nil)
		was := clusters.Before.Connect(before.Clusters[len(before.Clusters)-1], nil).Variant
		is := clusters.After.Connect(after.Clusters[len(after.Clusters)-1], nil).Variant
		if was != test.was || is != test.is {
			t.Errorf("from %q to %q: variants %q and %q, want %q and %q", test.before, test.after, was, is, test.was, test.is)
		}
	}
}
