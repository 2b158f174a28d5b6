package files_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"
	"pgregory.net/rapid"

	"github.com/routedelta/routedelta/render/files"
)

// text draws strings that trip up formats: words of YAML 1.1, numbers, control characters, quotes, wide characters.
var text = rapid.OneOf(
	rapid.SampledFrom([]string{"y", "on", "no", "007", "1e3", "null", "~", "", " x ", "- a", "a: b", "#", `"`, `\`, "%", "\t", "\n", "é", "日本", "\u2028", "😀", "{}", "[]", "!!str", "&a", "*a", "<<", "<script>"}),
	rapid.StringMatching(`[a-z0-9./:_-]{1,12}`),
	rapid.String(),
)

func source(path string) *corev3.ConfigSource {
	return &corev3.ConfigSource{ConfigSourceSpecifier: &corev3.ConfigSource_PathConfigSource{
		PathConfigSource: &corev3.PathConfigSource{Path: files.SourcePath(path)},
	}}
}

func packed(m proto.Message) *anypb.Any {
	any := &anypb.Any{}
	if err := anypb.MarshalFrom(any, m, proto.MarshalOptions{Deterministic: true}); err != nil {
		panic(err)
	}
	return any
}

// anySet draws a set in which every file is named by something, so that it can be found again.
func anySet(t *rapid.T) *files.Set {
	// Sorted, as what is read is.
	names := rapid.Map(rapid.SliceOfNDistinct(text, 0, 4, rapid.ID), func(names []string) []string { return slices.Sorted(slices.Values(names)) })
	set := &files.Set{Name: "ns-gw", Bootstrap: &bootstrapv3.Bootstrap{
		Node:             &corev3.Node{Id: text.Draw(t, "id"), Metadata: &structpb.Struct{Fields: map[string]*structpb.Value{text.Draw(t, "key"): structpb.NewStringValue(text.Draw(t, "value"))}}},
		DynamicResources: &bootstrapv3.Bootstrap_DynamicResources{CdsConfig: source(files.ClustersPath)},
		StaticResources:  &bootstrapv3.Bootstrap_StaticResources{},
	}}
	for _, name := range names.Draw(t, "routes") {
		set.Routes = append(set.Routes, &routev3.RouteConfiguration{
			Name: name, IgnorePortInHostMatching: rapid.Bool().Draw(t, "ports"),
			VirtualHosts: []*routev3.VirtualHost{{Name: text.Draw(t, "host"), Domains: []string{text.Draw(t, "domain")}}},
		})
		manager := packed(&hcmv3.HttpConnectionManager{RouteSpecifier: &hcmv3.HttpConnectionManager_Rds{Rds: &hcmv3.Rds{
			RouteConfigName: name, ConfigSource: source(files.RoutesPath(name)),
		}}})
		set.Bootstrap.StaticResources.Listeners = append(set.Bootstrap.StaticResources.Listeners, &listenerv3.Listener{
			Name: name, FilterChains: []*listenerv3.FilterChain{{Filters: []*listenerv3.Filter{{ConfigType: &listenerv3.Filter_TypedConfig{TypedConfig: manager}}}}},
		})
	}
	for _, name := range names.Draw(t, "clusters") {
		service := "service of " + name
		set.Clusters = append(set.Clusters, &clusterv3.Cluster{
			Name: name, ClusterDiscoveryType: &clusterv3.Cluster_Type{Type: clusterv3.Cluster_EDS},
			EdsClusterConfig:         &clusterv3.Cluster_EdsClusterConfig{EdsConfig: source(files.EndpointsPath(service)), ServiceName: service},
			LrsReportEndpointMetrics: []string{text.Draw(t, "metric")},
		})
		set.Endpoints = append(set.Endpoints, &endpointv3.ClusterLoadAssignment{ClusterName: service, Endpoints: []*endpointv3.LocalityLbEndpoints{{
			LoadBalancingWeight: wrapperspb.UInt32(rapid.Uint32().Draw(t, "weight")), Locality: &corev3.Locality{Zone: text.Draw(t, "zone")},
		}}})
	}
	for _, name := range names.Draw(t, "secrets") {
		set.Secrets = append(set.Secrets, &tlsv3.Secret{Name: name})
		transport := packed(&tlsv3.DownstreamTlsContext{CommonTlsContext: &tlsv3.CommonTlsContext{
			TlsCertificateSdsSecretConfigs: []*tlsv3.SdsSecretConfig{{Name: name, SdsConfig: source(files.SecretPath(name))}},
		}})
		set.Bootstrap.StaticResources.Listeners = append(set.Bootstrap.StaticResources.Listeners, &listenerv3.Listener{
			FilterChains: []*listenerv3.FilterChain{{TransportSocket: &corev3.TransportSocket{ConfigType: &corev3.TransportSocket_TypedConfig{TypedConfig: transport}}}},
		})
	}
	return set
}

// TestRoundTrip: what is written in any format is read back as what it was, and written again as the same bytes.
func TestRoundTrip(t *testing.T) {
	for _, format := range []files.Format{files.JSON, files.YAML, files.Binary} {
		t.Run(string(format), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { roundTrip(t, anySet(t), files.Options{Format: format}) })
		})
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { roundTrip(t, anySet(t), files.Options{Format: files.YAML}) }))
}

func roundTrip(t *rapid.T, set *files.Set, options files.Options) {
	sorted := set.Clone()
	first, err := files.Encode(set, options)
	if err != nil {
		t.Fatal(err)
	}
	if !equal(set, sorted) {
		t.Fatal("Encode changes the set")
	}
	loaded := reload(t, set.Name, first)
	want, err := files.Encode(loaded, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	have, err := files.Encode(set, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !sameFiles(want, have) {
		t.Fatalf("read back as another set:\n%s\n\n%s", dump(have), dump(want))
	}
	second, err := files.Encode(loaded, options)
	if err != nil {
		t.Fatal(err)
	}
	if !sameFiles(first, second) {
		t.Fatalf("written again with other bytes:\n%s\n\n%s", dump(first), dump(second))
	}
	if files.Digest(loaded) != files.Digest(set) {
		t.Fatal("read back with another digest")
	}
}

func equal(a, b *files.Set) bool {
	one, err := files.Encode(a, files.Options{})
	other, err2 := files.Encode(b, files.Options{})
	return err == nil && err2 == nil && sameFiles(one, other)
}

// sameFiles compares without regard to the order of files: a set that was read is sorted by name.
func sameFiles(a, b []files.File) bool {
	have := map[string][]byte{}
	for _, file := range a {
		have[file.Path] = file.Data
	}
	for _, file := range b {
		data, ok := have[file.Path]
		if !ok || !bytes.Equal(file.Data, data) {
			return false
		}
	}
	return len(a) == len(b)
}

func dump(encoded []files.File) string {
	var b strings.Builder
	for _, file := range encoded {
		fmt.Fprintf(&b, "-- %s --\n%s\n", file.Path, file.Data)
	}
	return b.String()
}

func TestEncodeQuotesEveryStringOfYAML(t *testing.T) {
	set := sample(t)
	set.Bootstrap.Node.Id = "on"
	set.Bootstrap.Node.Cluster = "007"
	got := string(encode(t, set, files.Options{Format: files.YAML})[0].Data)
	for _, line := range []string{`  id: "on"`, `  cluster: "007"`, `      path: "./cds.yaml"`, `        "re2.max_program_size.error_level": 100000`, `    - name: "http-80"`} {
		if !strings.Contains(got, line) {
			t.Errorf("no line %s in\n%s", line, got)
		}
	}
}

func TestEncodeRefusesTwoResourcesForOneFile(t *testing.T) {
	set := sample(t)
	set.Routes = append(set.Routes, &routev3.RouteConfiguration{Name: "http:80"}, &routev3.RouteConfiguration{Name: "http/80"})
	_, err := files.Encode(set, files.Options{})
	if err == nil || !strings.Contains(err.Error(), `"http/80"`) || !strings.Contains(err.Error(), `"http:80"`) {
		t.Errorf("error %v, want one that names both", err)
	}
}

func TestEncodeRefusesAnUnknownFormat(t *testing.T) {
	if _, err := files.Encode(sample(t), files.Options{Format: "xml"}); err == nil || !strings.Contains(err.Error(), "xml") {
		t.Errorf("error %v", err)
	}
}

func TestMergeHoldsEverything(t *testing.T) {
	encoded := encode(t, sample(t), files.Options{Form: files.Static})
	if len(encoded) != 1 || encoded[0].Path != "bootstrap.json" {
		t.Fatalf("%d files", len(encoded))
	}
	got := string(encoded[0].Data)
	for _, gone := range []string{"path_config_source", `"EDS"`, "eds_cluster_config", "dynamic_resources"} {
		if strings.Contains(got, gone) {
			t.Errorf("the merged bootstrap still has %s", gone)
		}
	}
	for _, there := range []string{`"cluster_name": "shop/orders/80"`, `"route_config"`, `"private_key"`, `"validate_clusters": false`} {
		if !strings.Contains(got, there) {
			t.Errorf("the merged bootstrap has no %s", there)
		}
	}
}

func TestMergeNamesWhatIsMissing(t *testing.T) {
	set := sample(t)
	set.Routes = set.Routes[1:]
	if _, err := files.Merge(set); err == nil || !strings.Contains(err.Error(), `"http-80"`) {
		t.Errorf("error %v", err)
	}
}

func TestFlattenNamesFlatFiles(t *testing.T) {
	set := sample(t)
	before := files.Digest(set)
	flat, err := files.Flatten(set)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range encode(t, flat, files.Options{}) {
		all.Write(file.Data)
	}
	for _, want := range []string{`"./rds.http-80.json"`, `"./eds.shop_orders_80.json"`, `"./sds.shop_one.json"`, `"./cds.json"`, `"watched_directory"`} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no %s in the flat files", want)
		}
	}
	if files.Digest(set) != before {
		t.Error("Flatten changes the set")
	}
	if found := files.Check(flat); len(found) != 0 {
		t.Errorf("the graph check finds fault with flat files: %v", found)
	}
}
