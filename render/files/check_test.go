package files_test

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	cachetypes "github.com/envoyproxy/go-control-plane/pkg/cache/types"
	cachev3 "github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	resourcev3 "github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"google.golang.org/protobuf/proto"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
)

// edit is a change by hand to a file of the sample, and what the check says of it.
type edit struct {
	name     string
	file     string
	old, new string
	code     diagnostic.Code
	// at is the file that the finding names, if it is another than the edited one.
	at string
	// object, field and message are parts of the finding.
	object, field, message string
	warning                bool
	// refuses is a part of what Envoy says when it refuses the merged bootstrap; silent is that it takes it without a word.
	refuses string
	silent  bool
}

const (
	edge   = "shop-edge/"
	router = `"http_filters": [`
	// perFilter is configuration of another filter than the one of that name in the chain; withoutFilter is for one in no chain.
	perFilter     = `"typed_per_filter_config": {"envoy.filters.http.cors": {"@type": "type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault"}}, `
	withoutFilter = `"typed_per_filter_config": {"envoy.filters.http.fault": {"@type": "type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault"}}, `
)

// edits are the three graph errors, then what Envoy refuses and what it takes in silence (notes: "faults").
var edits = []edit{
	// References.
	{name: "cluster of a route misspelt", file: "rds/http-80.json", old: `"cluster": "shop/web/80"`, new: `"cluster": "shop/wbe/80"`, code: diagnostic.DeadReference, object: "http-80", field: "virtual_hosts[1].routes[3].route.cluster", message: `"shop/wbe/80"; is shop/web/80 meant?`},
	{name: "cluster of a share misspelt", file: "rds/http-80.json", old: `"name": "shop/orders/80"`, new: `"name": "shop/order/80"`, code: diagnostic.DeadReference, object: "http-80", field: "weighted_clusters"},
	{name: "cluster removed", file: "cds.json", old: `"name": "shop/web/80"`, new: `"name": "shop/other/80"`, code: diagnostic.DeadReference, at: "rds/http-80.json", message: `no Cluster is called "shop/web/80"`},
	{name: "a refused share that answers 503", file: "rds/http-80.json", old: `"cluster_not_found_response_code": "INTERNAL_SERVER_ERROR"`, new: `"timeout": "1s"`, code: diagnostic.DeadReference, message: "invalid-backend"},
	{name: "mirror misspelt", file: "rds/http-80.json", old: `"cluster": "shop/web/80"`, new: `"cluster": "shop/web/80", "request_mirror_policies": [{"cluster": "no/mirror/80"}]`, code: diagnostic.DeadReference, field: "request_mirror_policies"},
	{name: "table misspelt", file: "bootstrap.json", old: `"route_config_name": "http-80"`, new: `"route_config_name": "http-81"`, code: diagnostic.DeadReference, at: "rds/http-80.json", message: `is called "http-80", and "http-81" is asked for`},
	{name: "table renamed in its file", file: "rds/http-80.json", old: `"name": "http-80"`, new: `"name": "http-81"`, code: diagnostic.DeadReference, message: `is called "http-81", and "http-80" is asked for`},
	{name: "endpoints by the name of the cluster", file: "eds/shop_web_80.json", old: `"cluster_name": "shop/web:80"`, new: `"cluster_name": "shop/web/80"`, code: diagnostic.DeadReference, object: "shop/web:80"},
	{name: "file that is not there", file: "cds.json", old: `"./eds/shop_web_80.json"`, new: `"./eds/shop_wbe_80.json"`, code: diagnostic.DeadReference, at: "eds/shop_wbe_80.json", message: "does not exist"},
	{name: "file outside", file: "cds.json", old: `"./eds/shop_web_80.json"`, new: `"../../eds/shop_web_80.json"`, code: diagnostic.DeadReference, at: "bootstrap.json", object: "shop/web:80", message: "leads out of the directory"},
	{name: "secret misspelt", file: "bootstrap.json", old: `"name": "shop/one"`, new: `"name": "shop/won"`, code: diagnostic.DeadReference, at: "sds/shop_one.json", message: `"shop/won" is asked for`},
	{name: "EDS cluster without source", file: "cds.json", old: `"resource_api_version": "V3"
        },
        "service_name": "shop/web:80"`, new: `"resource_api_version": "V3"}, "service_name": "shop/nothing:80"`, code: diagnostic.DeadReference, at: "eds/shop_web_80.json"},

	// Names.
	{name: "cluster twice", file: "cds.json", old: `"name": "shop/web/80"`, new: `"name": "shop/orders/80"`, code: diagnostic.DoubleName, object: "shop/orders/80", message: "2 resources", refuses: "duplicate cluster"},
	{name: "virtual host twice", file: "rds/http-80.json", old: `"name": "shop.example"`, new: `"name": "*.shop.example"`, code: diagnostic.DoubleName, field: "virtual_hosts[1].name", silent: true},
	{name: "route twice", file: "rds/http-80.json", old: `"name": "shop/route/orders"`, new: `"name": "shop/route/old"`, code: diagnostic.DoubleName, field: "routes[1].name", warning: true, silent: true},
	{name: "listener twice", file: "bootstrap.json", old: `"name": "https-443"`, new: `"name": "http-80"`, code: diagnostic.DoubleName, object: "http-80", silent: true},
	{name: "two resources in one file", file: "rds/http-80.json", old: `"resources": [`, new: `"resources": [{"@type": "type.googleapis.com/envoy.config.route.v3.RouteConfiguration", "name": "x"},`, code: diagnostic.BrokenResource, message: "exactly one"},
	{name: "no resource in a file", file: "sds/shop_one.json", old: `"resources": [`, new: `"resources": [], "x": [`, code: diagnostic.BrokenResource, message: "exactly one"},

	// Types.
	{name: "listener among the clusters", file: "cds.json", old: `envoy.config.cluster.v3.Cluster",
      "name": "shop/search/80"`, new: `envoy.config.listener.v3.Listener", "name": "shop/search/80"`, code: diagnostic.WrongSlotType, message: "Cluster is wanted"},
	{name: "another resource's type", file: "eds/shop_web_80.json", old: `envoy.config.endpoint.v3.ClusterLoadAssignment`, new: `envoy.service.discovery.v3.Resource`, code: diagnostic.BrokenResource},
	{name: "secret in the place of a table", file: "rds/http-80.json", old: `"resources": [`, new: `"resources": [{"@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret", "name": "http-80"}], "x": [`, code: diagnostic.WrongSlotType, message: "RouteConfiguration is wanted"},
	{name: "TLS of the other side", file: "bootstrap.json", old: `tls.v3.DownstreamTlsContext`, new: `tls.v3.UpstreamTlsContext`, code: diagnostic.WrongSlotType, field: "transport_socket.typed_config", refuses: "Didn't find a registered implementation"},
	{name: "network filter among the HTTP filters", file: "bootstrap.json", old: `envoy.extensions.filters.http.router.v3.Router`, new: `envoy.extensions.filters.network.echo.v3.Echo`, code: diagnostic.WrongSlotType, field: "http_filters[4]", refuses: "Didn't find a registered implementation"},
	{name: "route options among the HTTP filters", file: "bootstrap.json", old: router, new: router + `{"name": "c", "typed_config": {"@type": "type.googleapis.com/envoy.config.route.v3.CorsPolicy"}},`, code: diagnostic.WrongSlotType, field: "http_filters[0]", refuses: "Didn't find a registered implementation"},
	{name: "HTTP filter among the listener filters", file: "bootstrap.json", old: `envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector`, new: `envoy.extensions.filters.http.router.v3.Router`, code: diagnostic.WrongSlotType, field: "listener_filters[0]", refuses: "Didn't find a registered implementation"},
	{name: "unknown packed type", file: "bootstrap.json", old: `envoy.extensions.filters.http.router.v3.Router`, new: `no.such.Type`, code: diagnostic.WrongSlotType, message: "no.such.Type"},

	// Constraints.
	{name: "no domains", file: "rds/http-80.json", old: `"domains": [
            "shop.example"
          ],`, new: ``, code: diagnostic.BrokenResource, field: "virtual_hosts[1].domains", refuses: "goo.gle/debug"},
	{name: "constraint inside a packed message", file: "bootstrap.json", old: `"stat_prefix": "http-80"`, new: `"stat_prefix": ""`, code: diagnostic.BrokenResource, field: "typed_config.stat_prefix", refuses: "goo.gle/debug"},
	{name: "negative timeout", file: "cds.json", old: `"connect_timeout": "5s"`, new: `"connect_timeout": "-5s"`, code: diagnostic.BrokenResource, field: "connect_timeout", refuses: "Expected positive duration"},
	{name: "no match", file: "rds/http-80.json", old: `"path_separated_prefix": "/old"`, new: ``, code: diagnostic.BrokenResource, field: "match", refuses: "goo.gle/debug"},
	{name: "prefix with a slash behind", file: "rds/http-80.json", old: `"path_separated_prefix": "/old"`, new: `"path_separated_prefix": "/old/"`, code: diagnostic.BrokenResource, field: "path_separated_prefix", refuses: "goo.gle/debug"},
	{name: "not JSON", file: "rds/http-80.json", old: `"virtual_hosts": [`, new: `"virtual_hosts": [[`, code: diagnostic.BrokenResource},
	{name: "host name in a file of endpoints", file: "eds/shop_web_80.json", old: `"192.0.2.1"`, new: `"web.example"`, code: diagnostic.BrokenResource, message: "STRICT_DNS", refuses: "malformed IP address"},
	{name: "host name in a static cluster", file: "cds.json", old: `"STRICT_DNS"`, new: `"STATIC"`, code: diagnostic.BrokenResource, message: "STRICT_DNS", refuses: "malformed IP address"},
	{name: "unknown field", file: "rds/http-80.json", old: `"name": "http-80"`, new: `"name": "http-80", "virtual_host": []`, code: diagnostic.UnknownEnvoyField, message: `"virtual_host"`},
	{name: "unknown field in a packed message", file: "bootstrap.json", old: `"stat_prefix": "http-80"`, new: `"stat_prefix": "http-80", "normalise_path": true`, code: diagnostic.UnknownEnvoyField, message: `"normalise_path"`},
	{name: "unknown enum value", file: "cds.json", old: `"connect_timeout": "5s"`, new: `"connect_timeout": "5s", "lb_policy": "NOPE"`, code: diagnostic.UnknownEnvoyField, message: `"NOPE"`, silent: true},

	// Regular expressions.
	{name: "broken expression", file: "rds/http-80.json", old: `/search/[a-z]{1,200}`, new: `/search/((`, code: diagnostic.BrokenResource, field: "safe_regex.regex", refuses: "missing )"},
	{name: "look-ahead", file: "rds/http-80.json", old: `/search/[a-z]{1,200}`, new: `/search/(?!x)`, code: diagnostic.BrokenResource, message: "(?!x)", refuses: "invalid perl operator"},
	{name: "code point that is no byte", file: "rds/http-80.json", old: `/search/[a-z]{1,200}`, new: `/search/\\x{100}`, code: diagnostic.BrokenResource, field: "safe_regex.regex", refuses: "invalid escape sequence"},
	{name: "expression over the limit", file: "bootstrap.json", old: `"re2.max_program_size.error_level": 100000`, new: `"re2.max_program_size.error_level": 100`, code: diagnostic.BrokenResource, at: "rds/http-80.json", message: "limit is 100", refuses: "max program size"},
	{name: "group that is not there", file: "rds/http-80.json", old: `"substitution": "/found"`, new: `"substitution": "/found/\\1"`, code: diagnostic.BadSubstitution, field: "substitution", silent: true},
	{name: "backslash without a group", file: "rds/http-80.json", old: `"substitution": "/found"`, new: `"substitution": "/found\\x"`, code: diagnostic.BadSubstitution, field: "substitution", silent: true},

	// Filters.
	{name: "per-filter configuration without its filter", file: "rds/http-80.json", old: `"virtual_hosts": [`, new: withoutFilter + `"virtual_hosts": [`, code: diagnostic.FilterMissing, message: "no HTTP filter is called", silent: true},
	{name: "no router", file: "bootstrap.json", old: `envoy.extensions.filters.http.router.v3.Router`, new: `envoy.extensions.filters.http.cors.v3.Cors`, code: diagnostic.SilentListener, field: "http_filters", refuses: "non-terminal filter"},

	// Listeners.
	{name: "no TLS inspector", file: "bootstrap.json", old: `envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector`, new: `envoy.extensions.filters.listener.http_inspector.v3.HttpInspector`, code: diagnostic.SilentListener, message: "TLS inspector", silent: true},
	{name: "server name twice", file: "bootstrap.json", old: `"*.shop.example"`, new: `"SHOP.example"`, code: diagnostic.SilentListener, field: "filter_chains[1].filter_chain_match", refuses: "overlapping matching rules"},
	{name: "address twice", file: "bootstrap.json", old: `"port_value": 443`, new: `"port_value": 80`, code: diagnostic.SilentListener, field: "address", refuses: "duplicate address"},

	// Domains and matches.
	{name: "domain twice", file: "rds/http-80.json", old: `"shop.example"
          ],`, new: `"*.Shop.example"],`, code: diagnostic.BadDomain, field: "virtual_hosts[1].domains[0]", refuses: "Only unique values for domains"},
	{name: "star in the middle", file: "rds/http-80.json", old: `"*.shop.example"
          ],`, new: `"a.*.example"],`, code: diagnostic.BadDomain, message: "a.*.example", silent: true},
	{name: "empty domain", file: "rds/http-80.json", old: `"*.shop.example"
          ],`, new: `""],`, code: diagnostic.BadDomain, message: "empty", silent: true},
	{name: "domain with port", file: "rds/http-80.json", old: `"*.shop.example"
          ],`, new: `"shop.example:80"],`, code: diagnostic.BadDomain, message: "port", silent: true},
	{name: "path with a query", file: "rds/http-80.json", old: `"path_separated_prefix": "/old"`, new: `"path": "/old?a=b"`, code: diagnostic.DeadMatch, field: "match.path", warning: true, silent: true},
	{name: "prefix without slash", file: "rds/http-80.json", old: `"path_separated_prefix": "/old"`, new: `"prefix": "old"`, code: diagnostic.DeadMatch, field: "match.prefix", warning: true, silent: true},
	{name: "dot segment", file: "rds/http-80.json", old: `"path_separated_prefix": "/old"`, new: `"path": "/a/../old"`, code: diagnostic.DeadMatch, message: "normalize_path", warning: true},
	{name: "escaped letter", file: "rds/http-80.json", old: `"path_separated_prefix": "/old"`, new: `"path": "/%6fld"`, code: diagnostic.DeadMatch, message: "normalize_path", warning: true},
	{name: "escaped slash", file: "rds/http-80.json", old: `"path_separated_prefix": "/old"`, new: `"path": "/a%2Fold"`, code: diagnostic.DeadMatch, message: "escaped slash", warning: true},
	{name: "blank in a query value", file: "rds/http-80.json", old: `"path_separated_prefix": "/old"`, new: `"path": "/old", "query_parameters": [{"name": "q", "string_match": {"exact": "a b"}}]`, code: diagnostic.DeadMatch, field: "query_parameters[0]", warning: true},

	// Headers.
	{name: "percent sign", file: "rds/http-80.json", old: `"value": "50%%"`, new: `"value": "50%"`, code: diagnostic.BadFormat, field: "request_headers_to_add[0].header.value", refuses: "valid command"},
	{name: "unknown command", file: "rds/http-80.json", old: `"value": "50%%"`, new: `"value": "%NOPE%"`, code: diagnostic.BadFormat, message: "%NOPE%", refuses: "Not supported field"},
	{name: "pseudo header", file: "rds/http-80.json", old: `"key": "x-share"`, new: `"key": ":path"`, code: diagnostic.BrokenResource, message: ":path", refuses: "may not be modified"},
	{name: "host removed", file: "rds/http-80.json", old: `"request_headers_to_add": [`, new: `"request_headers_to_remove": ["Host"], "request_headers_to_add": [`, code: diagnostic.BrokenResource, field: "request_headers_to_remove[0]", refuses: "may not be removed"},
}

func TestCheckFindsEditsByHand(t *testing.T) {
	for _, e := range edits {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			lay(t, dir, edited(t, e))
			found, err := files.CheckDir(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			want := e.at
			if want == "" {
				want = e.file
			}
			want = filepath.Join(dir, filepath.FromSlash(edge+want))
			for _, d := range found {
				if d.Code == e.code && d.Position.File == want && strings.Contains(d.Object.Name, e.object) && strings.Contains(d.Field, e.field) && strings.Contains(d.Message, e.message) {
					if (d.Severity == diagnostic.Warning) != e.warning {
						t.Errorf("severity %s", d.Severity)
					}
					return
				}
			}
			t.Errorf("no finding %s in %s about %q, %q, %q among %d:\n%s", e.code, want, e.object, e.field, e.message, len(found), lines(found))
		})
	}
}

// edited is the sample after a change by hand.
func edited(t *testing.T, e edit) fstest.MapFS {
	t.Helper()
	made := tree(t, sample(t), files.Options{})
	changed := made[edge+e.file]
	if changed == nil || !strings.Contains(string(changed.Data), e.old) {
		t.Fatalf("%s has no %q", e.file, e.old)
	}
	changed.Data = []byte(strings.Replace(string(changed.Data), e.old, e.new, 1))
	return made
}

func lines(found diagnostic.List) string {
	var b strings.Builder
	for _, d := range found {
		b.WriteString(d.String() + "\n")
	}
	return b.String()
}

func TestCheckFindsNothingInARendering(t *testing.T) {
	for _, options := range []files.Options{{}, {Format: files.YAML}, {Format: files.Binary}, {Form: files.Static}} {
		dir := t.TempDir()
		lay(t, dir, tree(t, sample(t), options))
		found, err := files.CheckDir(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) != 0 {
			t.Errorf("%+v:\n%s", options, lines(found))
		}
	}
}

// TestCheckFindsConfigurationOfAnotherFilter: the filter is in the chain, and the configuration under its name is for another.
func TestCheckFindsConfigurationOfAnotherFilter(t *testing.T) {
	made := edited(t, edit{file: "rds/http-80.json", old: `"virtual_hosts": [`, new: perFilter + `"virtual_hosts": [`})
	dir := t.TempDir()
	lay(t, dir, made)
	found, err := files.CheckDir(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].Code != diagnostic.FilterMissing || !strings.Contains(found[0].Message, "another filter") {
		t.Errorf("found:\n%s", lines(found))
	}
}

// TestCheckTakesAFilterThatIsOnlySwitchedOn: to switch a filter on for a route, Envoy needs no configuration of it.
func TestCheckTakesAFilterThatIsOnlySwitchedOn(t *testing.T) {
	const cors = `"typed_per_filter_config": {"envoy.filters.http.cors": {"@type": "type.googleapis.com/envoy.config.route.v3.FilterConfig", "config": {}}}, `
	dir := t.TempDir()
	lay(t, dir, edited(t, edit{file: "rds/http-80.json", old: `"virtual_hosts": [`, new: cors + `"virtual_hosts": [`}))
	found, err := files.CheckDir(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 0 {
		t.Errorf("found:\n%s", lines(found))
	}
}

func TestCheckCountsSubscriptions(t *testing.T) {
	set := sample(t)
	for i := range files.MaxSubscriptions {
		cluster, endpoints := proto.CloneOf(set.Clusters[0]), proto.CloneOf(set.Endpoints[0])
		cluster.Name += strings.Repeat("x", i+1)
		set.Clusters = append(set.Clusters, cluster)
		set.Endpoints[0] = endpoints
	}
	found := files.Check(set)
	if len(found) != 1 || found[0].Code != diagnostic.TooManyFiles {
		t.Errorf("found:\n%s", lines(found))
	}
}

// TestSnapshotConsistentMissesMost: the check of go-control-plane compares the names of endpoints and route configurations,
// and the number of them; it sees a few of the edits above, and this says how few.
func TestSnapshotConsistentMissesMost(t *testing.T) {
	if err := consistent(t, sample(t)); err != nil {
		t.Fatalf("the sample is not consistent: %v", err)
	}
	seen, loadable := 0, 0
	for _, e := range edits {
		sets, err := files.LoadFS(t.Context(), edited(t, e))
		if err != nil {
			// A snapshot is made of messages: what cannot be read never gets so far.
			continue
		}
		loadable++
		if consistent(t, sets[0]) != nil {
			seen++
		}
	}
	if loadable < 40 || seen > loadable/10 {
		t.Errorf("Snapshot.Consistent sees %d of %d edits", seen, loadable)
	}
	t.Logf("Snapshot.Consistent sees %d of %d edits", seen, loadable)
}

// consistent is what go-control-plane says of a set.
func consistent(t *testing.T, set *files.Set) error {
	t.Helper()
	snapshot, err := cachev3.NewSnapshot("1", map[resourcev3.Type][]cachetypes.Resource{
		resourcev3.ListenerType: resources(set.AllListeners()),
		resourcev3.ClusterType:  resources(set.AllClusters()),
		resourcev3.RouteType:    resources(set.Routes),
		resourcev3.EndpointType: resources(set.Endpoints),
		resourcev3.SecretType:   resources(set.Secrets),
	})
	if err != nil {
		t.Fatal(err)
	}
	return snapshot.Consistent()
}

func resources[M proto.Message](messages []M) []cachetypes.Resource {
	var all []cachetypes.Resource
	for _, m := range messages {
		all = append(all, m)
	}
	return all
}
