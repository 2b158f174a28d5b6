package table_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"

	"github.com/routedelta/routedelta/diff/table"
)

// Each scope is a table, with header lines that lead to it; one of whose requests not all is known says why.
func TestReadScopes(t *testing.T) {
	const (
		whole   = `{"headerValueExtractor":{"name":"X-Tenant","index":0}}`
		third   = `{"headerValueExtractor":{"name":"x-list","elementSeparator":",","index":2}}`
		element = `{"headerValueExtractor":{"name":"x-map","elementSeparator":";","element":{"key":"id","separator":"="}}}`
		host    = `{"headerValueExtractor":{"name":":authority","index":0}}`
	)
	for name, test := range map[string]struct {
		builder, keys string
		rule          string
		want          string
		lines         string
		reason        string
	}{
		"three headers":        {builder: whole + "," + third + "," + element, keys: "a b c", want: "x-tenant=a x-list[2]=b x-map[id]=c", lines: "x-tenant:a x-list:,,b x-map:id=c"},
		"host":                 {builder: host, keys: "a.example", reason: `depends on ":authority"`},
		"one header twice":     {builder: whole + "," + whole, keys: "a a", reason: "two parts"},
		"separator in a key":   {builder: third, keys: "a,b", want: "x-list[2]=a,b", lines: "x-list:,,a,b", reason: `no value of x-list gives "a,b"`},
		"key without a part":   {builder: whole + "," + third, keys: "a", want: "x-tenant=a", lines: "x-tenant:a", reason: "not as many parts"},
		"a rule that looks":    {builder: whole, keys: "a", rule: `"headers":[{"name":"x-tenant","stringMatch":{"exact":"b"}}],`, want: "x-tenant=a", lines: "x-tenant:a", reason: `a rule looks at "x-tenant"`},
		"a rule for another":   {builder: whole, keys: "a", rule: `"headers":[{"name":"x-other","stringMatch":{"exact":"b"}}],`, want: "x-tenant=a", lines: "x-tenant:a"},
		"scopes of a server":   {builder: whole, reason: "do not stand in the listener"},
		"byte no client sends": {builder: whole, keys: "\\u0001", want: "x-tenant=\x01", lines: "x-tenant:\x01", reason: "no value"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &managerv3.HttpConnectionManager{}
			if err := protojson.Unmarshal([]byte(scopedManager(test.builder, test.keys, test.rule)), m); err != nil {
				t.Fatal(err)
			}
			got := readOne(t, set(t, m))
			var lines []string
			for _, line := range got.RouteScope.Headers {
				lines = append(lines, line.Name+":"+line.Value)
			}
			if got.RouteScope.Key != test.want || strings.Join(lines, " ") != test.lines {
				t.Errorf("scope %q with %q, want %q with %q", got.RouteScope.Key, lines, test.want, test.lines)
			}
			undecided := got.Evaluate(table.Request{Method: "GET", Scheme: "http", Host: "a.example", Path: "/"}).Undecided
			if !strings.Contains(undecided, test.reason) || undecided != "" && test.reason == "" {
				t.Errorf("undecided is %q, want %q", undecided, test.reason)
			}
		})
	}
}

// scopedManager has one scope, or a server that knows them.
func scopedManager(builder, keys, rule string) string {
	source := `"scopedRds":{"scopedRdsConfigSource":{"ads":{}}}`
	if keys != "" {
		source = `"scopedRouteConfigurationsList":{"scopedRouteConfigurations":[{"name":"s","key":{"fragments":[{"stringKey":"` +
			strings.ReplaceAll(keys, " ", `"},{"stringKey":"`) + `"}]},"routeConfiguration":{"name":"r","virtualHosts":[
			{"name":"v","domains":["*"],"routes":[{"match":{` + rule + `"prefix":"/"},"directResponse":{"status":200}}]}]}}]}`
	}
	return `{"statPrefix":"h","scopedRoutes":{"name":"s","scopeKeyBuilder":{"fragments":[` + builder + `]},` + source + `}}`
}
