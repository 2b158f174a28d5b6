//go:build corpus

package diff_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/files"
)

// TestCorpusListsAreTheSameAsThemselves: lists of resources of other makers, joined by their names. Read twice they are the same
// but for new names of clusters' endpoints, listeners and routes; each against the next one ends without a fault.
func TestCorpusListsAreTheSameAsThemselves(t *testing.T) {
	for _, group := range []string{"envoy-gateway-xds", "kuma-meshhttproute"} {
		root := filepath.Join(os.Getenv("ROUTEDELTA_CORPUS"), "tables", group)
		before, err := files.Load(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		after, err := files.Load(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		for i := range before {
			renameAll(after[i])
			r := compare(t, before[i], after[i])
			if len(r.Undecided) > 0 {
				t.Errorf("%s %s against itself is not decided: %s", group, before[i].Name, r.Undecided[0].Reason)
			}
			if len(r.Classes) > 0 {
				t.Errorf("%s %s: %d classes against itself: %v -> %v", group, before[i].Name, len(r.Classes), r.Classes[0].Before, r.Classes[0].After)
			}
			if i > 0 {
				compare(t, before[i-1], before[i])
			}
		}
		t.Logf("%s: %d Envoys", group, len(before))
	}
}

func compare(t *testing.T, before, after *files.Set) *report.Report {
	t.Helper()
	comparison, err := diff.Compare(t.Context(), []*files.Set{before}, []*files.Set{after}, diff.Options{})
	if err != nil {
		t.Fatalf("%s against %s: %v", before.Name, after.Name, err)
	}
	return comparison.Report
}

// renameAll gives what has a name that no request sees another one.
func renameAll(set *files.Set) {
	for _, listener := range set.AllListeners() {
		if listener.GetAddress().GetSocketAddress() != nil {
			listener.Name += "-renamed"
		}
	}
	for _, routes := range set.Routes {
		for _, host := range routes.GetVirtualHosts() {
			host.Name += "-renamed"
			for _, route := range host.GetRoutes() {
				route.Name += "-renamed"
			}
		}
	}
}
