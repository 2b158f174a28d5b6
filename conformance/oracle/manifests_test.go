package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/render/schema"
	"github.com/routedelta/routedelta/render/schema/schematest"
)

// TestManifestsOfSuite: the manifests of the official conformance suite, which a real API server takes, are accepted.
func TestManifestsOfSuite(t *testing.T) {
	module, err := schematest.Module(t.Context(), "sigs.k8s.io/gateway-api/conformance")
	if err != nil {
		t.Fatal(err)
	}
	definitions, err := schematest.ReadModule(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// What the suite puts into its manifests before it sends them.
	placeholders := strings.NewReplacer("{GATEWAY_CONTROLLER_NAME}", "example.com/gateway", "PLACEHOLDER_USABLE_ADDRS", "10.0.0.1", "PLACEHOLDER_UNUSABLE_ADDRS", "10.0.0.2")
	count := 0
	v := schema.New(schema.Experimental)
	for _, folder := range []string{"base", "tests", "mesh"} {
		probes, err := schematest.Manifests(os.DirFS(filepath.Join(module, folder)), definitions, placeholders)
		if err != nil {
			t.Fatal(err)
		}
		for _, probe := range probes {
			result, err := v.Apply(t.Context(), probe.Definition.GroupVersionKind, probe.Object)
			if err != nil {
				t.Fatal(err)
			}
			if len(result.Causes) > 0 {
				t.Errorf("%s/%s is refused: %q", folder, probe.Name, result.Causes)
			}
		}
		count += len(probes)
	}
	if count < 300 {
		t.Errorf("only %d objects", count)
	}
	t.Logf("%d objects", count)
}
