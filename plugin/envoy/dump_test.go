package envoy_test

import (
	"path/filepath"
	"testing"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render/files"
)

// TestDumpOfARunningEnvoyIsItsRendering: what Envoy says that it serves, read back and compared with the files that it
// serves from, changes nothing. Without include_eds the endpoints are not known, and nothing is said of them.
func TestDumpOfARunningEnvoyIsItsRendering(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"shop/case.yaml", "match-demo/case.yaml", "attachment/certificate.yaml"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := loadCase(t, filepath.Join(caseRoot, name)).render(t).Gateways[0].Files
			envoy := envoytest.Start(t, set)
			envoy.RequireLoaded(t)
			for _, query := range []string{"/config_dump?include_eds", "/config_dump"} {
				text, err := envoy.Admin(query)
				if err != nil {
					t.Fatal(err)
				}
				dumped, err := files.Parse(t.Context(), "dump.json", []byte(text))
				if err != nil {
					t.Fatal(err)
				}
				requireSame(t, query, dumped, envoy.Served)
			}
		})
	}
}

func requireSame(t *testing.T, query string, dumped []*files.Set, served *files.Set) {
	t.Helper()
	if len(dumped) != 1 || dumped[0].Name != served.Name {
		t.Fatalf("%s is read as %d sets, want one of the name %s", query, len(dumped), served.Name)
	}
	comparison, err := diff.Compare(t.Context(), []*files.Set{served}, dumped, diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := comparison.Report
	if len(r.Gateways) != 1 || r.Gateways[0].Rules == 0 || r.Gateways[0].Change != "" {
		t.Errorf("%s: compared is %+v, want one gateway with rules on both sides", query, r.Gateways)
	}
	for _, class := range r.Classes {
		t.Errorf("%s: a class changes from %+v to %+v", query, class.Before, class.After)
	}
	for _, region := range r.Undecided {
		t.Errorf("%s: undecided: %+v", query, region)
	}
}
