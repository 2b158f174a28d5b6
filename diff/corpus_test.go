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
// but for new names: of all listeners, virtual hosts, routes and clusters, or of the clusters among themselves; each against the
// next one ends without a fault.
func TestCorpusListsAreTheSameAsThemselves(t *testing.T) {
	for _, group := range []string{"envoy-gateway-xds", "kuma-meshhttproute"} {
		root := filepath.Join(os.Getenv("ROUTEDELTA_CORPUS"), "tables", group)
		load := func() []*files.Set {
			sets, err := files.Load(t.Context(), root)
			if err != nil {
				t.Fatal(err)
			}
			return sets
		}
		before, renamed, turned := load(), load(), load()
		clusters := 0
		for i := range before {
			renameAll(renamed[i])
			holdNothingChanges(t, group, before[i], renamed[i])
			clusters += turnClusters(turned[i])
			holdNothingChanges(t, group, before[i], turned[i])
			if i > 0 {
				compare(t, before[i-1], before[i])
			}
		}
		t.Logf("%s: %d Envoys against themselves, with new names for all, and with the names of %d clusters turned; each against the next", group, len(before), clusters)
	}
}

func holdNothingChanges(t *testing.T, group string, before, after *files.Set) {
	t.Helper()
	r := compare(t, before, after)
	if len(r.Undecided) > 0 {
		t.Errorf("%s %s against itself is not decided: %s", group, before.Name, r.Undecided[0].Reason)
	}
	if len(r.Classes) > 0 {
		t.Errorf("%s %s: %d classes against itself: %v -> %v", group, before.Name, len(r.Classes), r.Classes[0].Before, r.Classes[0].After)
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
	names := map[string]string{}
	for _, name := range leadingSomewhere(set) {
		names[name] = name + "-renamed"
	}
	renameClusters(set, names)
}

// turnClusters gives every cluster the name of the next one, and counts them.
func turnClusters(set *files.Set) int {
	all := leadingSomewhere(set)
	names := map[string]string{}
	for i, name := range all {
		names[name] = all[(i+1)%len(all)]
	}
	renameClusters(set, names)
	return len(all)
}

// leadingSomewhere are the names of all clusters but those that hold neither endpoints nor ask for some: of these the name is all there is.
func leadingSomewhere(set *files.Set) []string {
	var names []string
	for _, cluster := range set.AllClusters() {
		if cluster.GetLoadAssignment() != nil || cluster.GetEdsClusterConfig() != nil {
			names = append(names, cluster.GetName())
		}
	}
	return names
}
