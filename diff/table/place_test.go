package table_test

import (
	"testing"

	"github.com/routedelta/routedelta/diff/table"
)

// TestSamePlace: the same request to listeners that believe it, that ignore ports, that ignore parameters, and that do neither.
func TestSamePlace(t *testing.T) {
	believing := table.Options{IgnoreHostPort: true, IgnorePathParameters: true}
	own := table.Options{StripAnyHostPort: true, UseRemoteAddress: true, NormalizePath: true}
	for _, tt := range []struct {
		template, host, path, proto string
		same                        bool
	}{
		{"{path}", "h", "/", "", true},
		{"{path}", "h", "/", "https", false},
		{"/literal", "h", "/", "https", false},
		{"{scheme}://other/x", "h", "/", "https", false},
		{"https://other/x", "h", "/", "https", true},
		{"https://{host}/x", "h", "/", "https", true},
		{"https://{host}/x", "h:443", "/", "https", false}, // nothing is taken off where the scheme was https
		{"http://{host}/x", "h:443", "/", "https", true},   // the port of https goes with it
		{"http://{host}/x", "h:444", "/", "https", false},
		{"https://{host}/x", "h:80", "/", "", true},
		{"https://{host with port}/x", "h:80", "/", "", false},
		{"https://{hostname}:1/x", "h:80", "/", "", true},
		{"https://[::1]{path}", "[::1]", "/%61", "", false},
		{"https://{host}/x", "[::1]", "/%61", "", true},
		{"https://other/x{path after /y}", "h", "/y%61", "", false},
		{`https://others"^/y"""`, "h", "/y%61", "", false},
		{`s"^/y""https://"`, "h", "/y", "https", false},
	} {
		r := table.Request{Method: "GET", Host: tt.host, Path: tt.path}
		if tt.proto != "" {
			r.Headers = []table.Field{{Name: "x-forwarded-proto", Value: tt.proto}}
		}
		a, ok := table.Compile(&table.Table{Options: believing}).Arrive(r)
		b, both := table.Compile(&table.Table{Options: own}).Arrive(r)
		if !ok || !both || table.SamePlace(tt.template, &a, &b) != tt.same || table.SamePlace(tt.template, &b, &a) != tt.same {
			t.Errorf("%+v: want same %v", tt, tt.same)
		}
	}
}
