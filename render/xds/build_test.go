package xds_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/xds"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestBuildGolden holds every file of a small gateway to testdata/golden.
func TestBuildGolden(t *testing.T) {
	set, diagnostics := xds.Build(sample(), xds.Options{})
	if len(diagnostics) > 0 {
		t.Errorf("diagnostics: %v", diagnostics)
	}
	encoded, err := files.Encode(set, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "golden")
	if *update {
		if err := os.RemoveAll(golden); err != nil {
			t.Fatal(err)
		}
	}
	var paths []string
	for _, file := range encoded {
		paths = append(paths, file.Path)
		compareGolden(t, filepath.Join(golden, file.Path), file.Data)
	}
	want := []string{
		"bootstrap.json", "cds.json", "rds/http-80.json", "rds/https-443-shop.json",
		"eds/shop_orders-canary_80.json", "eds/shop_orders_80.json", "eds/shop_web_80.json", "sds/shop_tls.json",
	}
	if !slices.Equal(paths, want) {
		t.Errorf("files %q, want %q", paths, want)
	}
	if found := files.Check(set); len(found) > 0 {
		t.Errorf("the graph check finds fault with a rendering:\n%v", found)
	}
}

func compareGolden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from the rendering (go test -update rewrites it); rendered:\n%s", path, got)
	}
}

func TestBuildMakesOneRouteOfEachRule(t *testing.T) {
	gateway := sample()
	set, _ := xds.Build(gateway, xds.Options{})
	for _, listener := range gateway.Listeners {
		for _, chain := range listener.Chains {
			routes := set.RouteConfiguration(chain.Routes.Name)
			for i, host := range chain.Routes.Hosts {
				if got, want := len(routes.VirtualHosts[i].Routes), len(host.Rules); got != want {
					t.Errorf("%s, host %s: %d routes of %d rules", routes.Name, host.Hostname, got, want)
				}
				for j, rule := range host.Rules {
					name := routes.VirtualHosts[i].Routes[j].Name
					if !strings.HasPrefix(name, rule.Origin.Name.String()) {
						t.Errorf("%s, host %s, rule %d of %s is called %q", routes.Name, host.Hostname, j, rule.Origin.Name, name)
					}
				}
			}
		}
	}
}

func TestBuildWritesEndpointsInlineWhereFilesWouldBeTooMany(t *testing.T) {
	build := func(backends int) (*files.Set, diagnostic.List) {
		var rules []model.Rule
		for i := range backends {
			rules = append(rules, rule(fmt.Sprintf("/p%d", i), to(serving(fmt.Sprintf("s%d", i)))))
		}
		return xds.Build(plainGateway(80, model.Host{Hostname: "*", Rules: rules}), xds.Options{})
	}
	// One file of clusters and one of routes beside the endpoints.
	most := files.MaxSubscriptions - 2
	if set, diagnostics := build(most); len(diagnostics) != 0 || len(set.Endpoints) != most {
		t.Errorf("%d backends: %d endpoint files, %v", most, len(set.Endpoints), diagnostics)
	}
	set, diagnostics := build(most + 1)
	if len(set.Endpoints) != 0 || len(diagnostics) != 1 || diagnostics[0].Code != diagnostic.TooManyFiles {
		t.Errorf("%d backends: %d endpoint files, %v", most+1, len(set.Endpoints), diagnostics)
	}
	if found := files.Check(set); len(found) != 0 {
		t.Errorf("inline endpoints: %v", found)
	}
}
