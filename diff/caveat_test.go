package diff

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// TestCaveatsOfTables: filters and runtime keys of both sides are told once, sorted.
func TestCaveatsOfTables(t *testing.T) {
	chance := func(key string) table.Rule {
		return table.Rule{Chance: &table.Chance{Numerator: 1, Denominator: 100, RuntimeKey: key}}
	}
	before := &table.Table{Options: table.Options{Rerouters: []string{"filter lua {name: \"lua\"}"}}, Hosts: []table.Host{{Rules: []table.Rule{chance("b"), chance(""), {}}}}}
	after := &table.Table{Options: table.Options{Rerouters: []string{"filter lua {name: \"lua\"}", "filter ext_proc {name: \"ext_proc\"}"}}, Hosts: []table.Host{{Rules: []table.Rule{chance("a"), chance("b")}}}}
	c := &gatewayComparison{comparison: &comparison{}, gateway: gateway{name: "infra/public"}}
	c.addCaveats([]pair{{before: before, after: after}, {after: after}, {before: before}})
	want := []report.Caveat{
		{Gateway: "infra/public", About: report.Rerouters, Names: []string{"ext_proc", "lua"}},
		{Gateway: "infra/public", About: report.RuntimeKeys, Names: []string{"a", "b"}},
	}
	if diff := cmp.Diff(want, c.caveats); diff != "" {
		t.Errorf("caveats (-want +got):\n%s", diff)
	}
}
