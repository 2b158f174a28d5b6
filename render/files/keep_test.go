package files_test

import (
	"slices"
	"strings"
	"testing"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/routedelta/routedelta/render/files"
)

// TestKeepClusters: what is kept has what it names, what is new wins, and what was only kept is not in use.
func TestKeepClusters(t *testing.T) {
	old, next := sample(t), sample(t)
	next.Clusters = slices.DeleteFunc(next.Clusters, func(c *clusterv3.Cluster) bool { return c.GetName() == "shop/orders/80" })
	next.Endpoints = slices.DeleteFunc(next.Endpoints, func(e *endpointv3.ClusterLoadAssignment) bool { return e.GetClusterName() == "shop/orders/80" })
	for _, routes := range next.Routes {
		for _, host := range routes.VirtualHosts {
			host.Routes = slices.DeleteFunc(host.Routes, func(r *routev3.Route) bool { return r.GetMatch().GetPathSeparatedPrefix() == "/orders" })
		}
	}
	both := files.KeepClusters(next, old)
	if len(both.Clusters) != len(old.Clusters) || len(both.Endpoints) != len(old.Endpoints) {
		t.Errorf("%d clusters and %d files of endpoints are kept, want %d and %d", len(both.Clusters), len(both.Endpoints), len(old.Clusters), len(old.Endpoints))
	}
	if found := files.Check(both); found.HasErrors() {
		t.Error(found)
	}
	if have, want := files.Digest(files.InUse(both)), files.Digest(&files.Set{
		Name: next.Name, Bootstrap: next.Bootstrap, Listeners: next.Listeners, Routes: next.Routes, Clusters: next.Clusters, Endpoints: both.Endpoints, Secrets: next.Secrets,
	}); have != want {
		t.Errorf("in use is %s, want %s", have, want)
	}
}

// TestRestartFor names what only a restart of Envoy brings, and nothing else.
func TestRestartFor(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*files.Set)
		want   []string
	}{
		"nothing": {func(*files.Set) {}, nil},
		"annotation of the Gateway": {func(s *files.Set) {
			s.Bootstrap.Node.Metadata = &structpb.Struct{Fields: map[string]*structpb.Value{"a": structpb.NewStringValue("b")}}
		}, nil},
		"node":     {func(s *files.Set) { s.Bootstrap.Node.Id = "other" }, []string{"node"}},
		"listener": {func(s *files.Set) { s.Bootstrap.StaticResources.Listeners[0].StatPrefix = "other" }, []string{"static_resources.listeners: http-80"}},
		"listener more": {func(s *files.Set) {
			more := proto.CloneOf(s.Bootstrap.StaticResources.Listeners[0])
			more.Name = "more"
			s.Bootstrap.StaticResources.Listeners = append(s.Bootstrap.StaticResources.Listeners, more)
		}, []string{"static_resources.listeners: more"}},
		"order":  {func(s *files.Set) { slices.Reverse(s.Bootstrap.StaticResources.Listeners) }, []string{"static_resources.listeners"}},
		"source": {func(s *files.Set) { s.Bootstrap.DynamicResources.LdsConfig = s.Bootstrap.DynamicResources.CdsConfig }, []string{"dynamic_resources"}},
	} {
		t.Run(name, func(t *testing.T) {
			changed := sample(t).Clone()
			c.change(changed)
			if have := files.RestartFor(sample(t).Bootstrap, changed.Bootstrap); !slices.Equal(have, c.want) {
				t.Errorf("have %q, want %q", have, c.want)
			}
			if have := files.RestartFor(changed.Bootstrap, sample(t).Bootstrap); !slices.Equal(have, c.want) {
				t.Errorf("the other way round: have %q, want %q", have, c.want)
			}
		})
	}
}

// TestEncodedFilesSayWhatTheyHold: a file tells its version, and of one resource the name, in every format.
func TestEncodedFilesSayWhatTheyHold(t *testing.T) {
	text := encode(t, sample(t), files.Options{})
	binary := encode(t, sample(t), files.Options{Format: files.Binary})
	for i, file := range text {
		single := strings.Contains(file.Path, "/")
		if (file.Version == "") != (file.Path == files.BootstrapPath) || (file.Resource == "") == single {
			t.Errorf("%s: version %q, resource %q", file.Path, file.Version, file.Resource)
		}
		if (binary[i].Version == "") != (file.Version == "") || binary[i].Resource != file.Resource {
			t.Errorf("%s: in binary form version %q, resource %q", file.Path, binary[i].Version, binary[i].Resource)
		}
	}
}
