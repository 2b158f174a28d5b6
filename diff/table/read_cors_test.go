package table_test

import (
	"strings"
	"testing"
)

// TestPreflights: a route that takes CORS preflights alone is answered by its filter, where that answers each of them.
func TestPreflights(t *testing.T) {
	const headers = `headers { name: ":method" string_match { exact: "OPTIONS" } } headers { name: "Origin" string_match { safe_regex { regex: ".+" } } }
		headers { name: "access-control-request-method" string_match { exact: "PUT" } }`
	policy := func(fields string) string {
		return `typed_per_filter_config { key: "router" value { [type.googleapis.com/envoy.extensions.filters.http.cors.v3.CorsPolicy] { ` + fields + ` } } }`
	}
	for _, test := range []struct{ match, action, policy, want string }{
		{headers, `cluster: "orders"`, policy(`forward_not_matching_preflights { }`), "200"},
		{headers, `cluster: "orders"`, policy(`allow_origin_string_match { exact: "*" }`), "200"},
		{headers, `cluster: "orders"`, policy(`allow_origin_string_match { exact: "https://a" }`), "orders"},
		{headers, `cluster: "orders"`, policy(`forward_not_matching_preflights { } filter_enabled { default_value { } }`), "orders"},
		{headers, `cluster: "orders"`, "", "orders"},
		{headers, `weighted_clusters { clusters { name: "orders" weight { value: 1 } ` + policy("") + ` } }`, policy(`forward_not_matching_preflights { }`), "orders"},
		{strings.Replace(headers, "OPTIONS", "GET", 1), `cluster: "orders"`, policy(`forward_not_matching_preflights { }`), "orders"},
		{strings.Replace(headers, `name: "Origin"`, `name: "Origin" invert_match: true`, 1), `cluster: "orders"`, policy(`forward_not_matching_preflights { }`), "orders"},
		{strings.Replace(headers, "access-control-request-method", "x", 1), `cluster: "orders"`, policy(`forward_not_matching_preflights { }`), "orders"},
	} {
		rule := readRoute(t, `match { prefix: "/" `+test.match+` } route { `+test.action+` } `+test.policy)
		if got := rule.Outcome.String(); !strings.Contains(got, test.want) {
			t.Errorf("%s %s: %s, want %s", test.match, test.policy, got, test.want)
		}
	}
}
