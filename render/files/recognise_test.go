package files

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

const (
	routesJSON    = `{"@type":"type.googleapis.com/envoy.config.route.v3.RouteConfiguration","name":"web","virtual_hosts":[{"name":"a","domains":["*"],"routes":[{"match":{"prefix":"/"},"route":{"cluster":"web"}}]}]}`
	clusterJSON   = `{"@type":"type.googleapis.com/envoy.config.cluster.v3.Cluster","name":"web","type":"EDS","eds_cluster_config":{"eds_config":{"ads":{}}}}`
	listenerJSON  = `{"@type":"type.googleapis.com/envoy.config.listener.v3.Listener","name":"http","address":{"socket_address":{"address":"0.0.0.0","port_value":80}}}`
	endpointsJSON = `{"@type":"type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment","cluster_name":"%s"}`
	dynamicType   = `"@type":"type.googleapis.com/envoy.admin.v3.`
)

func TestParseReadsWhatToolsPrint(t *testing.T) {
	endpoints := fmt.Sprintf(endpointsJSON, "web")
	dump := `{"configs":[
		{` + dynamicType + `BootstrapConfigDump","bootstrap":{"node":{"id":"shop/edge"},"static_resources":{"clusters":[{"name":"xds"}]}}},
		{` + dynamicType + `ClustersConfigDump","static_clusters":[{"cluster":{"@type":"type.googleapis.com/envoy.config.cluster.v3.Cluster","name":"xds"}}],
			"dynamic_active_clusters":[{"cluster":` + clusterJSON + `}],"dynamic_warming_clusters":[{"cluster":` + clusterJSON + `}]},
		{` + dynamicType + `EndpointsConfigDump","static_endpoint_configs":[{"endpoint_config":` + fmt.Sprintf(endpointsJSON, "xds") + `}],"dynamic_endpoint_configs":[{"endpoint_config":` + endpoints + `}]},
		{` + dynamicType + `ListenersConfigDump","dynamic_listeners":[{"name":"http","active_state":{"listener":` + listenerJSON + `}},{"name":"warming","warming_state":{"listener":` + listenerJSON + `}}]},
		{` + dynamicType + `RoutesConfigDump","dynamic_route_configs":[{"route_config":` + routesJSON + `}]},
		{` + dynamicType + `SecretsConfigDump","dynamic_active_secrets":[{"name":"s","secret":{"@type":"type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret","name":"s"}}]},
		{"@type":"type.googleapis.com/acme.HandlerDump","anything":1}]}`
	for _, test := range []struct{ name, file, text, want string }{
		{"dump", "x.json", dump, "shop-edge: L1 R1 C2 E1 S1"},
		{"dump under another name", "dump.txt", dump, "shop-edge: L1 R1 C2 E1 S1"},
		{"dump as YAML", "x.yaml", dump, "shop-edge: L1 R1 C2 E1 S1"},
		{"bare entries", "x.json", `{"configs":[{` + dynamicType + `ListenersConfigDump.DynamicListener","name":"http","active_state":{"listener":` + listenerJSON + `}}]}`, "x: L1 R0 C0 E0 S0"},
		{"static listeners without the bootstrap", "x.json", `{"configs":[{` + dynamicType + `ListenersConfigDump","static_listeners":[{"listener":` + listenerJSON + `}]}]}`, "x: L1 R0 C0 E0 S0"},
		{"egctl x translate", "x.json", `{"gateways":[{"apiVersion":"v1"}],"xds":{"shop/edge":{"configs":[{` + dynamicType + `RoutesConfigDump","dynamicRouteConfigs":[{"routeConfig":` + routesJSON + `}]}]},"shop/other":` + routesJSON + `}}`,
			"shop-edge: L0 R1 C0 E0 S0; shop-other: L0 R1 C0 E0 S0"},
		{"egctl config", "out.route.json", `{"shop":{"pod-1":{` + dynamicType + `RoutesConfigDump","dynamicRouteConfigs":[{"routeConfig":` + routesJSON + `}]}}}`, "shop-pod-1: L0 R1 C0 E0 S0"},
		{"typed list", "x.json", "[" + routesJSON + "," + clusterJSON + "," + endpoints + "]", "x: L0 R1 C1 E1 S0"},
		{"response", "shop.rds.json", `{"version_info":"1","resources":[` + routesJSON + `]}`, "shop: L0 R1 C0 E0 S0"},
		{"list of responses", "x.json", `[{"resources":[` + routesJSON + `]},{"resources":[` + listenerJSON + `]}]`, "x: L1 R1 C0 E0 S0"},
		{"list of names and resources", "x.yaml", "resources:\n- name: web\n  resource: " + routesJSON, "x: L0 R1 C0 E0 S0"},
		{"untyped table", "web.yaml", "virtual_hosts:\n- name: a\n  domains: [a.example]\n", "web: L0 R1 C0 E0 S0"},
		{"untyped list", "web.clusters.yaml", "- name: a\n  connectTimeout: {seconds: 5}\n  type: STATIC\n", "web: L0 R0 C1 E0 S0"},
		{"empty cluster", "x.yaml", "- name: a\n  type: STATIC\n", "x: L0 R0 C1 E0 S0"},
		{"untyped lists by key", "x.yaml", "clusters:\n- name: a\n  connectTimeout: 5s\nroutes:\n- virtualHosts: []\n  name: r\n", "x: L0 R1 C1 E0 S0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !Recognise(test.file, []byte(test.text)) {
				t.Error("it is not recognised")
			}
			sets, err := Parse(t.Context(), test.file, []byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(sets); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func summary(sets []*Set) string {
	var lines []string
	for _, s := range sets {
		lines = append(lines, fmt.Sprintf("%s: L%d R%d C%d E%d S%d", s.Name, len(s.AllListeners()), len(s.Routes), len(s.AllClusters()), len(s.Endpoints), len(s.Secrets)))
	}
	return strings.Join(lines, "; ")
}

func TestRecogniseLeavesOtherTextsAlone(t *testing.T) {
	for name, text := range map[string]string{
		"manifest":               "apiVersion: v1\nkind: Service\nresources: []\n",
		"manifest, key last":     "kind: Service\nmetadata: {name: a}\napiVersion: v1\n",
		"list of manifests":      "[{\"apiVersion\": \"v1\", \"kind\": \"Service\"}]",
		"kustomization":          "resources:\n- a.yaml\n- b.yaml\n",
		"values of a chart":      "clusterName: prod\nreplicas: 2\nresources:\n  limits: {cpu: 1}\n",
		"list of other things":   "- name: a\n  type: http\n",
		"stream":                 "virtual_hosts: []\n---\nvirtual_hosts: []\n",
		"empty":                  "",
		"empty list":             "[]",
		"scalar":                 "hello",
		"test of a router check": `{"tests":[{"test_name":"a","input":{"path":"/"}}]}`,
		"nested without end":     strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
		"broken":                 `{"configs": [`,
	} {
		if Recognise("x.yaml", []byte(text)) {
			t.Errorf("%s is taken for Envoy configuration", name)
		}
		if _, err := Parse(t.Context(), "x.yaml", []byte(text)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

func TestParseNamesTheLineOfAFault(t *testing.T) {
	text := "[\n" + routesJSON + ",\n{\"@type\":\"type.googleapis.com/envoy.config.route.v3.RouteConfiguration\",\n \"name\": 7}]"
	_, err := Parse(t.Context(), "x.json", []byte(text))
	broken := new(DecodeError)
	if !errors.As(err, &broken) || broken.Line != 4 {
		t.Errorf("error is %v, want one on line 4", err)
	}
}

func TestParseTakesSecretsOut(t *testing.T) {
	text := `[{"@type":"type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret","name":"s",
		"tls_certificate":{"certificate_chain":{"inline_string":"CHAIN"},"private_key":{"inline_string":"KEY"}}},
		{"@type":"type.googleapis.com/envoy.config.listener.v3.Listener","name":"l","filter_chains":[{"transport_socket":{"name":"tls","typed_config":{
		"@type":"type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext","common_tls_context":{"tls_certificates":[
		{"certificate_chain":{"inline_string":"CHAIN"},"private_key":{"inline_bytes":"S0VZ"}}]}}}}]}]`
	sets, err := Parse(t.Context(), "x.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := Encode(sets[0], Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, file := range encoded {
		all += string(file.Data)
	}
	if strings.Contains(all, "KEY") || strings.Contains(all, "S0VZ") {
		t.Error("a private key is kept")
	}
	if strings.Count(all, "CHAIN") != 2 || !strings.Contains(all, redacted) {
		t.Errorf("certificates are lost:\n%s", all)
	}
}

func TestLoadJoinsFilesByName(t *testing.T) {
	tree := fstest.MapFS{
		"a.routes.yaml":    {Data: []byte("- name: r\n  virtualHosts: []\n")},
		"a.clusters.yaml":  {Data: []byte("- name: c\n  connectTimeout: 1s\n")},
		"a.endpoints.yaml": {Data: []byte("[]\n")},
		"b.routes.yaml":    {Data: []byte("- name: r\n  virtualHosts: []\n")},
		"MANIFEST.tsv":     {Data: []byte("no YAML")},
	}
	sets, err := LoadFS(t.Context(), tree)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := summary(sets), "a: L0 R1 C1 E0 S0; b: L0 R1 C0 E0 S0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	tree["service.yaml"] = &fstest.MapFile{Data: []byte("apiVersion: v1\nkind: Service\n")}
	if _, err := LoadFS(t.Context(), tree); !errors.Is(err, ErrNoBootstrap) {
		t.Errorf("with a manifest beside them: %v, want %v", err, ErrNoBootstrap)
	}
}

// FuzzParse: no text makes it panic, and what it reads can be written and checked like any other set.
func FuzzParse(f *testing.F) {
	f.Add("x.json", `{"configs":[`+routesJSON+`,`+listenerJSON+`]}`)
	f.Add("x.yaml", "xds:\n  a/b:\n  - "+clusterJSON)
	f.Add("x.yaml", "- name: a\n  connectTimeout: {seconds: -5, nanos: 9999999999}\n")
	f.Add("x.json", `{"resource":{"resource":{"resource":{}}}}`)
	f.Fuzz(func(t *testing.T, file, text string) {
		sets, err := Parse(context.Background(), file, []byte(text))
		if err == nil && len(sets) == 0 {
			t.Error("neither sets nor an error")
		}
		if recognised := Recognise(file, []byte(text)); err == nil && !recognised && !isManifest([]byte(text)) {
			t.Error("it is read and not recognised")
		}
		for _, set := range sets {
			if _, err := Encode(set, Options{}); err != nil {
				t.Errorf("what was read cannot be written: %v", err)
			}
		}
	})
}
