package table_test

import (
	"strings"
	"testing"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/diff/table"
)

// treated are the treatments of an outcome as lines "name: value", without the timeout.
func treated(list []table.Treatment) string {
	var lines []string
	for _, treatment := range list {
		if treatment.Name != "timeout" {
			lines = append(lines, treatment.Name+": "+treatment.Value)
		}
	}
	return strings.Join(lines, "\n")
}

func TestOutcomesInWords(t *testing.T) {
	for _, test := range []struct{ route, want string }{
		{`route { cluster: "orders" }`, "orders"},
		{`route { cluster: "nosuch" }`, "503"},
		{`route { cluster: "nosuch" cluster_not_found_response_code: NOT_FOUND }`, "404"},
		{`route { weighted_clusters { clusters { name: "cart" weight { value: 20 } } clusters { name: "orders" weight { value: 80 } } } }`, "80% orders, 20% cart"},
		{`route { weighted_clusters { clusters { name: "cart" weight { value: 0 } } clusters { name: "orders" weight { value: 7 } } } }`, "orders"},
		{`route { weighted_clusters { clusters { name: "orders" weight { value: 1 } } clusters { name: "orders" weight { value: 1 } } clusters { name: "cart" weight { value: 1 } } } }`, "≈66.67% orders, ≈33.33% cart"},
		{`route { cluster_not_found_response_code: INTERNAL_SERVER_ERROR weighted_clusters { clusters { name: "gone" weight { value: 1 } } clusters { name: "orders" weight { value: 9 } } } }`, "90% orders, 10% 500"},
		{`route { weighted_clusters { clusters { name: "gone" weight { value: 1 } } clusters { name: "away" weight { value: 9 } } } }`, "503"},
		{`direct_response { status: 204 }`, "204"},
		{`redirect { https_redirect: true }`, "301 https://{host}{path}"},
		{`redirect { scheme_redirect: "https" port_redirect: 8443 response_code: FOUND }`, "302 https://{hostname}:8443{path}"},
		{`redirect { host_redirect: "new.example" path_redirect: "/x" response_code: SEE_OTHER }`, "303 {scheme}://new.example/x"},
		{`redirect { prefix_rewrite: "/new" strip_query: true response_code: TEMPORARY_REDIRECT }`, "307 /new{path after /old}{no query}"},
		{`redirect { regex_rewrite { pattern { regex: "^/a(.*)" } substitution: "/b\\1" } response_code: PERMANENT_REDIRECT }`, `308 s"^/a(.*)""/b\\1"`},
		{`redirect {}`, "301 {path}"},
	} {
		rule := readRoute(t, `match { path_separated_prefix: "/old" } `+test.route)
		if got := rule.Outcome.String(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.route, got, test.want)
		}
		if len(rule.Unmodelled) > 0 {
			t.Errorf("%s: not modelled %q", test.route, rule.Unmodelled)
		}
	}
}

func TestTreatment(t *testing.T) {
	for _, test := range []struct{ route, want string }{
		{`route { cluster: "orders" prefix_rewrite: "/new" }`, "rewrite path: /new{path after /old}"},
		{`route { cluster: "orders" prefix_rewrite: "/" }`, "rewrite path: /{path after /old}"},
		{`route { cluster: "orders" regex_rewrite { pattern { regex: "^.*$" } substitution: "/all\\\\{x}" } }`, `rewrite path: /all\{{x}`},
		{`route { cluster: "orders" regex_rewrite { pattern { regex: "^/old\\.x/?" } substitution: "/" } }`, "rewrite path: /{path after /old.x/}"},
		{`route { cluster: "orders" host_rewrite_literal: "h" }`, "rewrite host: h"},
		{`route { cluster: "orders" auto_host_rewrite { value: true } }`, "rewrite host: {name of the endpoint}"},
		{`route { cluster: "orders" retry_policy { per_try_timeout { seconds: 5 } num_retries { value: 0 } } }`, "timeout of one try: 5s"},
		{`route { cluster: "orders" idle_timeout { } }`, "own idle timeout: none"},
		{`route { cluster: "orders" retry_policy { retry_on: "5xx" } }`, `retry: once on 5xx`},
		{`route { cluster: "orders" retry_policy { retry_on: "reset,retriable-status-codes" retriable_status_codes: 503 retriable_status_codes: 502 num_retries { value: 3 } retry_back_off { base_interval { nanos: 100000000 } } } }`,
			`retry: up to 3 times on 502, 503, reset, backing off from 100ms`},
		{`route { cluster: "orders" retry_policy { retry_on: "reset" retriable_status_codes: 503 host_selection_retry_max_attempts: 2 } }`,
			`retry: once on (no retriable-status-codes: 503), reset, {host_selection_retry_max_attempts: 2}`},
		{`route { cluster: "orders" request_mirror_policies { cluster: "cart" runtime_fraction { default_value { numerator: 5 } } } }`, "mirror: 5% cart, host with -shadow"},
		{`route { cluster: "orders" request_mirror_policies { cluster: "cart" disable_shadow_host_suffix_append: true } }`, "mirror: cart"},
		{`route { cluster: "orders" request_mirror_policies { cluster: "nosuch" } }`, ""},
		{`route { cluster: "orders" hash_policy { header { header_name: "x" } } }`, `hash policy: [{header: {header_name: "x"}}]`},
		{`route { cluster: "orders" max_stream_duration { max_stream_duration { seconds: 1 } } }`, "max stream duration: {max_stream_duration: 1s}"},
		{`route { cluster: "orders" } decorator { operation: "o" }`, `decorator: {operation: "o"}`},
		{`route { cluster: "orders" } metadata { filter_metadata { key: "envoy.lb" value { fields { key: "v" value { string_value: "1" } } } } }`, `metadata envoy.lb: {fields: {"v": {string_value: "1"}}}`},
		{`route { cluster: "orders" } metadata { filter_metadata { key: "routedelta" value { fields { key: "name" value { string_value: "1" } } } } }`, ""},
		{`direct_response { status: 200 body { inline_string: "hi" } }`, `body: {inline_string: "hi"}`},
		{`route { cluster: "orders" } request_headers_to_add { header { key: "X-A" value: "50%%" } append_action: OVERWRITE_IF_EXISTS_OR_ADD } request_headers_to_remove: "x-b"`, "request header x-a: set 50%\nrequest header x-b: remove"},
		{`route { cluster: "orders" } response_headers_to_add { header { key: "x-a" value: "1" } } response_headers_to_remove: "X-A"`, "response header x-a: remove, then add 1"},
		{`route { cluster: "orders" } request_headers_to_add { header { key: "x-a" value: "%REQ(x-b)%" } } request_headers_to_remove: "x-b"`, "request header order: x-b remove; x-a add %REQ(x-b)%\nrequest header x-a: add %REQ(x-b)%\nrequest header x-b: remove"},
		// A filter that is not in the chain does nothing.
		{`route { cluster: "orders" } typed_per_filter_config { key: "cors" value { [type.googleapis.com/envoy.extensions.filters.http.cors.v3.CorsPolicy] { allow_methods: "GET" } } }`, ""},
		{`route { cluster: "orders" } typed_per_filter_config { key: "router" value { [type.googleapis.com/envoy.extensions.filters.http.cors.v3.CorsPolicy] { allow_methods: "GET" } } }`, `cors: for nobody; methods GET; other preflights forwarded`},
		{`route { cluster: "orders" } typed_per_filter_config { key: "router" value { [type.googleapis.com/envoy.extensions.filters.http.cors.v3.CorsPolicy] { allow_origin_string_match { exact: "https://a" } allow_origin_string_match { safe_regex { regex: "b" } } allow_credentials { value: true } max_age: "5" forward_not_matching_preflights { } } } }`, `cors: for b https://a; kept seconds 5; with credentials`},
		{`route { cluster: "orders" } typed_per_filter_config { key: "router" value { [type.googleapis.com/envoy.extensions.filters.http.cors.v3.CorsPolicy] { allow_origin_string_match { safe_regex { regex: "https://[^/:]+\\.a\\.b" } } allow_origin_string_match { exact: "https://*.c" } allow_origin_string_match { safe_regex { regex: "a|b" } } allow_methods: "PUT, GET" forward_not_matching_preflights { } } } }`, `cors: for "https://*.c" https://*.a.b ~"a|b"; methods GET, PUT`},
		{`route { cluster: "orders" } typed_per_filter_config { key: "router" value { [type.googleapis.com/envoy.extensions.filters.http.cors.v3.CorsPolicy] { allow_origin_string_match { suffix: "a" } } } }`, `filter router here: envoy.extensions.filters.http.cors.v3.CorsPolicy {allow_origin_string_match: [{suffix: "a"}]}`},
		{`route { cluster: "orders" } typed_per_filter_config { key: "router" value { [type.googleapis.com/envoy.config.route.v3.FilterConfig] { config { } } } }`, `filter router: switched on`},
		{`route { cluster: "orders" } typed_per_filter_config { key: "router" value { [type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute] { stateful_session { session_state { typed_config { [type.googleapis.com/envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState] { name: "x-s" } } } } } } }`, `session: in header x-s`},
		{`route { cluster: "orders" } typed_per_filter_config { key: "router" value { [type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute] { disabled: true } } }`, `session: none`},
		// A lone weighted cluster is like a plain one.
		{`route { weighted_clusters { clusters { name: "orders" weight { value: 1 } request_headers_to_add { header { key: "x-a" value: "1" } } } } } request_headers_to_remove: "x-a"`, "request header x-a: add 1, then remove"},
	} {
		rule := readRoute(t, `match { path_separated_prefix: "/old" } `+test.route)
		if got := treated(rule.Outcome.Treatment); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.route, got, test.want)
		}
	}
}

func TestTreatmentOfAShareStandsWithTheShare(t *testing.T) {
	rule := readRoute(t, `match { prefix: "/" } route { weighted_clusters {
		clusters { name: "orders" weight { value: 1 } request_headers_to_add { header { key: "x-a" value: "1" } } }
		clusters { name: "orders" weight { value: 1 } } } }`)
	plain := readRoute(t, `match { prefix: "/" } route { cluster: "orders" }`)
	if len(rule.Outcome.Backends) != 2 || !table.SameBackends(rule.Outcome, plain.Outcome) || rule.OutcomeKey() == plain.OutcomeKey() {
		t.Errorf("got %+v", rule.Outcome)
	}
}

func TestDefaultTimeoutIsEnvoysOwn(t *testing.T) {
	unset := readRoute(t, `match { prefix: "/" } route { cluster: "orders" }`)
	written := readRoute(t, `match { prefix: "/" } route { cluster: "orders" timeout { seconds: 15 } }`)
	none := readRoute(t, `match { prefix: "/" } route { cluster: "orders" timeout {} }`)
	if unset.OutcomeKey() != written.OutcomeKey() || unset.OutcomeKey() == none.OutcomeKey() {
		t.Errorf("unset %v, 15s %v, 0 %v", unset.Outcome.Treatment, written.Outcome.Treatment, none.Outcome.Treatment)
	}
}

// What a route inherits is the same as what it says itself.
func TestInheritedTreatmentIsFoldedIn(t *testing.T) {
	for _, test := range []struct{ inherited, own string }{
		{`retry_policy { retry_on: "5xx" }`, `route { cluster: "orders" retry_policy { retry_on: "5xx" } }`},
		{`request_mirror_policies { cluster: "cart" }`, `route { cluster: "orders" request_mirror_policies { cluster: "cart" } }`},
		{`request_headers_to_remove: "x"`, `route { cluster: "orders" } request_headers_to_remove: "x"`},
		{`response_headers_to_add { header { key: "x" value: "1" } }`, `route { cluster: "orders" } response_headers_to_add { header { key: "x" value: "1" } }`},
		{`per_request_buffer_limit_bytes { value: 9 }`, `route { cluster: "orders" } per_request_buffer_limit_bytes { value: 9 }`},
	} {
		host := parse(t, &routev3.VirtualHost{}, `name: "a" domains: "*" routes { match { prefix: "/" } route { cluster: "orders" } } `+test.inherited)
		got, want := readHost(t, host).Rules[0], readRoute(t, `match { prefix: "/" } `+test.own)
		if got.OutcomeKey() != want.OutcomeKey() {
			t.Errorf("%s\n got %v\nwant %v", test.inherited, got.Outcome.Treatment, want.Outcome.Treatment)
		}
	}
}

func TestActionsThatAreNotModelled(t *testing.T) {
	for _, action := range []string{
		`route {}`, `non_forwarding_action {}`, ``,
	} {
		if rule := readRoute(t, `match { prefix: "/" } `+action); len(rule.Unmodelled) == 0 {
			t.Errorf("%q is taken for modelled: %v", action, rule.Outcome)
		}
	}
}

// Who chooses the cluster is the backend, and what he is told is part of it.
func TestClustersThatTheRequestChooses(t *testing.T) {
	plugin := func(value string) string {
		return `inline_cluster_specifier_plugin { extension { name: "p" typed_config { type_url: "t/unknown" value: "` + value + `" } } }`
	}
	seen := map[string]string{}
	for _, action := range []string{
		`cluster: "orders"`, `cluster_header: "X"`, `cluster_header: "y"`, plugin("1"), plugin("2"),
		`weighted_clusters { clusters { cluster_header: "x" weight { value: 1 } } clusters { name: "orders" weight { value: 1 } } }`,
		`weighted_clusters { header_name: "r" clusters { name: "cart" weight { value: 1 } } clusters { name: "orders" weight { value: 1 } } }`,
		`weighted_clusters { header_name: "s" clusters { name: "cart" weight { value: 1 } } clusters { name: "orders" weight { value: 1 } } }`,
		`weighted_clusters { use_hash_policy { value: true } clusters { name: "cart" weight { value: 1 } } clusters { name: "orders" weight { value: 1 } } }`,
	} {
		rule := readRoute(t, `match { prefix: "/" } route { `+action+` }`)
		if len(rule.Unmodelled) > 0 || seen[rule.OutcomeKey()] != "" {
			t.Errorf("%s: not modelled %v, or the same as %s", action, rule.Unmodelled, seen[rule.OutcomeKey()])
		}
		seen[rule.OutcomeKey()] = action
	}
	if got := readRoute(t, `match { prefix: "/" } route { cluster_header: "X" }`).Outcome.String(); got != "{header x}" {
		t.Errorf("got %s", got)
	}
}

func TestRequireTLS(t *testing.T) {
	host := parse(t, &routev3.VirtualHost{}, `name: "a" domains: "*" require_tls: ALL routes { match { prefix: "/" } route { cluster: "orders" } }`)
	config := &routev3.RouteConfiguration{Name: "test", VirtualHosts: []*routev3.VirtualHost{host}}
	m := manager(t, config)
	request := table.Request{Method: "GET", Host: "h", Path: "/"}
	// Without use_remote_address the client says by itself whether it came over TLS.
	for proto, want := range map[string]string{"": "301", "x-forwarded-proto: https": "orders", "x-forwarded-proto: HTTPS": "301", "x-forwarded-proto: http": "301"} {
		sent := get()
		if proto != "" {
			sent = get(proto)
		}
		if d := readOne(t, set(t, m, cluster("orders"))).Evaluate(sent); d.Undecided != "" || !strings.HasPrefix(d.Outcome.String(), want) {
			t.Errorf("%s: got %+v, want %s", proto, d, want)
		}
	}
	m.UseRemoteAddress = wrapperspb.Bool(true)
	read := readOne(t, set(t, m, cluster("orders")))
	d := read.Evaluate(request)
	if d.Outcome.String() != "301 https://{host with port}{path}" {
		t.Errorf("got %+v", d)
	}
	// https_redirect leads from "http://h:80" to another place.
	if o := readRoute(t, `match { prefix: "/" } redirect { https_redirect: true }`).Outcome; o.Key() == d.Outcome.Key() {
		t.Errorf("require_tls is the same as %s", o)
	}
	if rules := read.Hosts[0].Rules; rules[0].Index != -1 || rules[1].Index != 0 {
		t.Errorf("indexes: %+v", rules)
	}
}
