// Package envoy_test renders the cases under testdata, has a real Envoy load each of them, and asks it every request.
package envoy_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

var update = flag.Bool("update", false, "rewrite the golden renderings of the cases")

// later are the cases that do not pass yet, with the reason and the row of the product that brings them. Each is asserted to
// fail, so that none stays here once it passes.
var later = map[string]string{}

func TestCases(t *testing.T) {
	cases := loadCases(t)
	seen := map[string]bool{}
	reports := 0
	for _, c := range cases {
		seen[c.ID] = true
		if c.isReport() {
			reports++
		}
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			problems := c.problems(t)
			reason, excused := later[c.ID]
			switch {
			case excused && len(problems) == 0:
				t.Errorf("passes: take it off the list of later cases (%s)", reason)
			case excused:
				t.Logf("does not pass yet: %s\n%s", reason, strings.Join(problems, "\n"))
			case len(problems) > 0:
				t.Errorf("%s\n%s", c.Title, strings.Join(problems, "\n"))
			}
		})
	}
	for _, id := range slices.Sorted(maps.Keys(later)) {
		if !seen[id] {
			t.Errorf("later case %q does not exist", id)
		}
	}
	if len(later)*4 > reports {
		t.Errorf("%d of %d cases from reports are put off: at most a quarter may be", len(later), reports)
	}
}

// problems runs a case and lists everything that is not as it should be.
func (c testCase) problems(t *testing.T) []string {
	if c.Input == "envoy-route-configuration" {
		return c.askOracle(t)
	}
	rendering := c.render(t)
	problems := diagnosticDifferences(c.ExpectDiagnostics, rendering.Diagnostics)
	for _, want := range c.ExpectStatus {
		problems = append(problems, want.differences(rendering)...)
	}
	if !c.isReport() {
		problems = append(problems, c.goldenDifferences(t, rendering)...)
	}
	if len(c.Requests) == 0 {
		return problems
	}
	if len(rendering.Gateways) != 1 {
		return append(problems, fmt.Sprintf("%d gateways are rendered, want 1", len(rendering.Gateways)))
	}
	set := rendering.Gateways[0].Files
	if err := envoytest.Validate(t, set); err != nil {
		problems = append(problems, err.Error())
	}
	envoy := envoytest.Start(t, set)
	envoy.RequireLoaded(t)
	for _, request := range c.Requests {
		for _, difference := range request.ask(t, envoy, set) {
			problems = append(problems, fmt.Sprintf("%s: %s (%s)", request, difference, request.Why))
		}
	}
	return problems
}

// askOracle runs a case about Envoy itself: its manifest is a route configuration.
func (c testCase) askOracle(t *testing.T) []string {
	var document map[string]any
	if err := yaml.Unmarshal([]byte(c.Manifests), &document); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	routes := &routev3.RouteConfiguration{}
	if err := protojson.Unmarshal(data, routes); err != nil {
		t.Fatal(err)
	}
	var clusters []string
	var requests []envoytest.Request
	for _, request := range c.Requests {
		if cluster := request.Want.Cluster; cluster != "" && !slices.Contains(clusters, cluster) {
			clusters = append(clusters, cluster)
		}
		requests = append(requests, request.request())
	}
	oracle := envoytest.StartOracle(t, envoytest.OracleOptions{Clusters: clusters})
	if err := oracle.Load(routes); err != nil {
		t.Fatal(err)
	}
	answers, err := oracle.Ask(requests)
	if err != nil {
		t.Fatal(err)
	}
	var problems []string
	for i, request := range c.Requests {
		for _, difference := range request.Want.differences(answers[i], nil) {
			problems = append(problems, fmt.Sprintf("%s: %s (%s)", request, difference, request.Why))
		}
	}
	return problems
}
