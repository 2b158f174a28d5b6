package manifest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestDotFolders: what is not read for the dot in its name is said, where it could be a route.
func TestDotFolders(t *testing.T) {
	route := "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\n"
	files := map[string]string{
		"shop.yaml": "a: b", ".hidden.yaml": "a: b", ".archive/old/route.yaml": route, ".archive/other.yaml": route, ".github/workflows/ci.yaml": "on: push",
		".git/route.yaml": route, "apps/.draft/a.yaml": "a: b", "apps/.draft/b.yml": route, ".text/readme.md": route,
	}
	names, findings := walk(t, tree(t, files), Limits{})
	if want := []string{".hidden.yaml", "shop.yaml"}; !slices.Equal(names, want) {
		t.Errorf("read %q, want %q", names, want)
	}
	for _, want := range []string{".archive", "apps/.draft"} {
		if !slices.ContainsFunc(findings, func(found string) bool { return strings.Contains(found, fmt.Sprintf("the folder %q", want)) }) {
			t.Errorf("nothing is said of %s: %q", want, findings)
		}
	}
	if len(findings) != 2 {
		t.Errorf("findings: %q", findings)
	}
	// A volume of a ConfigMap has its files behind a folder with two dots, and they are read by links.
	volume := map[string]string{"..data": "-> ..1", "..1/a.yaml": route, "a.yaml": "-> ..data/a.yaml"}
	if names, findings := walk(t, tree(t, volume), Limits{}); len(names) != 1 || len(findings) != 0 {
		t.Errorf("%q, %q", names, findings)
	}
}
