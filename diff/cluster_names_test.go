package diff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/certify"
	"github.com/routedelta/routedelta/diff/verify"
	"github.com/routedelta/routedelta/render/files"
)

// TestNamesOfClusters: see table.Clusters for the rule. Each side is a bootstrap: its routes, and its clusters in few words.
func TestNamesOfClusters(t *testing.T) {
	const (
		toAB     = "{match: {prefix: /a}, route: {cluster: a}}, {match: {prefix: /b}, route: {cluster: b}}"
		toBA     = "{match: {prefix: /a}, route: {cluster: b}}, {match: {prefix: /b}, route: {cluster: a}}"
		toA, toB = "{match: {prefix: /}, route: {cluster: a}}", "{match: {prefix: /}, route: {cluster: b}}"
		toC      = "{match: {prefix: /}, route: {cluster: c}}"
		mirrored = "{match: {prefix: /}, route: {cluster: %s, request_mirror_policies: [{cluster: %s}]}}"
		chosen   = ", {match: {prefix: /h}, route: {cluster_header: x-cluster}}"
	)
	split := func(a string, wa int, b string, wb int) string {
		return fmt.Sprintf("{match: {prefix: /}, route: {weighted_clusters: {clusters: [{name: %s, weight: %d}, {name: %s, weight: %d}]}}}", a, wa, b, wb)
	}
	for _, c := range []struct {
		name          string
		before, after side
		want          []string
	}{
		{"a cluster is renamed", edge(toA, "a: 10.0.0.1"), edge(toB, "b: 10.0.0.1"), nil},
		{"two swap their names", edge(toAB, "a: 10.0.0.1; b: 10.0.0.2"), edge(toBA, "a: 10.0.0.2; b: 10.0.0.1"), nil},
		{"three turn their names", edge(toAB+", "+toC, "a: 10.0.0.1; b: 10.0.0.2; c: 10.0.0.3"),
			edge(strings.NewReplacer("cluster: a", "cluster: b", "cluster: b", "cluster: c", "cluster: c", "cluster: a").Replace(toAB+", "+toC), "b: 10.0.0.1; c: 10.0.0.2; a: 10.0.0.3"), nil},
		{"two swap their endpoints", edge(toAB, "a: 10.0.0.1; b: 10.0.0.2"), edge(toAB, "a: 10.0.0.2; b: 10.0.0.1"),
			[]string{"moves a (now b) -> b (now a)", "moves b (now a) -> a (now b)"}},
		{"a route moves to a renamed cluster", edge(toA, "a: 10.0.0.1; b: 10.0.0.2"), edge(toC, "a: 10.0.0.1; c: 10.0.0.2"),
			[]string{"moves a -> b (now c)"}},
		{"a property changes", edge(toA, "a: 10.0.0.1"), edge(toA, "a: 10.0.0.1 slow"), []string{"served a -> a"}},
		{"endpoints change", edge(toA, "a: 10.0.0.1"), edge(toA, "a: 10.0.0.2"), []string{"served a -> a"}},
		{"a renamed cluster changes too", edge(toA, "a: 10.0.0.1"), edge(toB, "b: 10.0.0.1 slow"), []string{"moves a -> b"}},
		{"the old name is another cluster's", edge(toA, "a: 10.0.0.1"), edge(toA, "a: 10.0.0.2; b: 10.0.0.1"), []string{"moves a (now b) -> a"}},
		{"two of one content are renamed", edge(toAB, "a: 10.0.0.1; b: 10.0.0.1"), edge(strings.NewReplacer("cluster: a", "cluster: d", "cluster: b", "cluster: c").Replace(toAB), "c: 10.0.0.1; d: 10.0.0.1"), nil},
		{"a rule and its cluster are split", edge(toA, "a: 10.0.0.1"), edge(toAB+", "+toA, "a: 10.0.0.1; b: 10.0.0.1"), nil},
		{"shares of one content add up", edge(split("a", 90, "b", 10), "a: 10.0.0.1; b: 10.0.0.1"), edge(split("c", 50, "b", 50), "c: 10.0.0.1; b: 10.0.0.1"), nil},
		{"names that stay mean something", edge(toA, "a: 10.0.0.1; b: 10.0.0.1"), edge(toB, "a: 10.0.0.1; b: 10.0.0.1"), []string{"moves a -> b"}},
		{"so do their weights", edge(split("a", 90, "b", 10), "a: 10.0.0.1; b: 10.0.0.1"), edge(split("a", 80, "b", 20), "a: 10.0.0.1; b: 10.0.0.1"),
			[]string{"moves 90% a, 10% b -> 80% a, 20% b"}},
		{"a request names its cluster", edge(toA+chosen, "a: 10.0.0.1"), edge(toB+chosen, "b: 10.0.0.1"), []string{"moves a -> b"}},
		{"no endpoints say nothing", edge(toA, "a"), edge(toB, "b"), []string{"moves a -> b"}},
		{"a server knows the endpoints", edge(toA, "a: eds:x"), edge(toB, "b: eds:x"), nil},
		{"under the name of the cluster", edge(toA, "a: eds:"), edge(toB, "b: eds:a"), nil},
		{"under another name", edge(toA, "a: eds:"), edge(toB, "b: eds:"), []string{"moves a -> b"}},
		{"the cluster stays and asks for others", edge(toA, "a: eds:x"), edge(toA, "a: eds:y"), []string{"served a -> a"}},
		{"a text that is a name already", edge(toA, "a: 10.0.0.1; a (now b): 10.0.0.2"), edge(toB, "b: 10.0.0.1; a (now b): 10.0.0.3"), nil},
		{"a mirror follows", edge(fmt.Sprintf(mirrored, "a", "b"), "a: 10.0.0.1; b: 10.0.0.2"), edge(fmt.Sprintf(mirrored, "b", "a"), "a: 10.0.0.2; b: 10.0.0.1"), nil},
		{"a mirror does not follow", edge(fmt.Sprintf(mirrored, "a", "b"), "a: 10.0.0.1; b: 10.0.0.2"), edge(fmt.Sprintf(mirrored, "b", "b"), "a: 10.0.0.2; b: 10.0.0.1"),
			[]string{"treated a (now b) -> a (now b)"}},
		{"metadata tells of a Service", edge(toA, "a: 10.0.0.1 service"), edge(toB, "b: 10.0.0.1 slow service"), []string{"served orders:80 -> orders:80"}},
		{"a filter follows", edge(toA, "a: 10.0.0.1; auth: 10.0.0.9").asking("auth"), edge(toA, "a: 10.0.0.1; authn: 10.0.0.9").asking("authn"), nil},
		{"a filter does not follow", edge(toA, "a: 10.0.0.1; auth: 10.0.0.9").asking("auth"), edge(toA, "a: 10.0.0.9; auth: 10.0.0.1").asking("auth"),
			[]string{"moves a (now auth) -> auth (now a)"}},
	} {
		t.Run(c.name, func(t *testing.T) { c.before.holdAgainst(t, c.after, c.want) })
	}
}

// holdAgainst compares two sides. The certificate of what is found must stand the check, which knows the same rule.
func (s side) holdAgainst(t *testing.T, after side, want []string) {
	t.Helper()
	was, is := s.sets(t), after.sets(t)
	compared, err := diff.Compare(t.Context(), was, is, diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := compared.Report
	if found.Open() {
		t.Errorf("open: %+v", found.Undecided)
	}
	var got []string
	for _, k := range found.Classes {
		got = append(got, fmt.Sprintf("%s %s -> %s", k.Severity, k.Before[0], k.After[0]))
	}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	made := certify.Make("test", certify.Side{Sets: was}, certify.Side{Sets: is}, compared.Compared, nil)
	checked, err := verify.Check(t.Context(), made, verify.Sides{Before: verify.Side{Sets: was}, After: verify.Side{Sets: is}}, verify.Limits{})
	if err != nil || !checked.Verified() {
		t.Errorf("the certificate is not verified: %+v, %v", checked, err)
	}
}

// renameClusters gives clusters other names, and changes what refers to them. The endpoints that a server gives keep their name.
func renameClusters(set *files.Set, names map[string]string) {
	for _, cluster := range set.AllClusters() {
		if names[cluster.GetName()] == "" {
			continue
		}
		if config := cluster.GetEdsClusterConfig(); config != nil && config.ServiceName == "" {
			config.ServiceName = cluster.GetName()
		}
		cluster.Name = names[cluster.GetName()]
	}
	for _, routes := range set.Routes {
		renameReferences(routes.ProtoReflect(), names)
	}
	for _, listener := range set.AllListeners() {
		renameReferences(listener.ProtoReflect(), names)
	}
}

// renameReferences knows less than the product does: every text of a message of routes and listeners that is the name of a cluster,
// in a field that speaks of clusters.
func renameReferences(m protoreflect.Message, names map[string]string) {
	if packed, ok := m.Interface().(*anypb.Any); ok {
		if inner, err := packed.UnmarshalNew(); err == nil {
			renameReferences(inner.ProtoReflect(), names)
			_ = packed.MarshalFrom(inner) // a message that was just read
		}
		return
	}
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		speaks := field.Name() == "cluster" || field.Name() == "cluster_name" || field.Name() == "name" && m.Descriptor().Name() == "ClusterWeight"
		switch {
		case field.IsMap() && field.MapValue().Kind() == protoreflect.MessageKind:
			value.Map().Range(func(_ protoreflect.MapKey, entry protoreflect.Value) bool {
				renameReferences(entry.Message(), names)
				return true
			})
		case field.IsList() && field.Kind() == protoreflect.MessageKind:
			for i := range value.List().Len() {
				renameReferences(value.List().Get(i).Message(), names)
			}
		case field.IsMap() || field.IsList():
		case field.Kind() == protoreflect.MessageKind:
			renameReferences(value.Message(), names)
		case speaks && names[value.String()] != "":
			m.Set(field, protoreflect.ValueOfString(names[value.String()]))
		}
		return true
	})
}
