// Package docs holds what is written for readers. Its test writes the part of the README that is not typed: what is supported, as the
// report of the official conformance suite has it.
package docs

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/gateway-api/pkg/features"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/status"
)

var update = flag.Bool("update", false, "rewrite the table of the README")

const (
	readme = "../README.md"
	begin  = "<!-- begin: made of docs/conformance/report.yaml by `make docs` -->\n"
	end    = "<!-- end -->\n"
)

// TestReadmeShowsWhatIsSupported holds the table of the README to the report.
func TestReadmeShowsWhatIsSupported(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, opened := bytes.Cut(text, []byte(begin))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !opened || !closed {
		t.Fatalf("%s has no part between %q and %q", readme, begin, end)
	}
	want := slices.Concat(before, []byte(begin), []byte(readReport(t).table()), []byte(end), after)
	if *update {
		if err := os.WriteFile(readme, want, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(text, want) {
		t.Errorf("%s does not show what docs/conformance/report.yaml says: make docs", readme)
	}
}

// TestReportIsOfThisRenderer: no feature stands in the report that the renderer does not claim any more.
func TestReportIsOfThisRenderer(t *testing.T) {
	claimed := status.SupportedFeatures()
	for _, p := range readReport(t).Profiles {
		for _, feature := range p.Extended.SupportedFeatures {
			if !slices.Contains(claimed, features.FeatureName(feature)) {
				t.Errorf("%s has %s, which is not claimed: make conformance", p.Name, feature)
			}
		}
	}
}

func readReport(t *testing.T) (found report) {
	t.Helper()
	data, err := os.ReadFile("conformance/report.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &found); err != nil {
		t.Fatal(err)
	}
	return found
}

// report is what is shown of a report of the suite.
type report struct {
	Version  string    `yaml:"gatewayAPIVersion"`
	Profiles []profile `yaml:"profiles"`
}

type profile struct {
	Name     string `yaml:"name"`
	Core     level  `yaml:"core"`
	Extended level  `yaml:"extended"`
}

type level struct {
	Statistics struct {
		Passed  int `yaml:"Passed"`
		Failed  int `yaml:"Failed"`
		Skipped int `yaml:"Skipped"`
	} `yaml:"statistics"`
	FailedTests         []string `yaml:"failedTests"`
	SkippedTests        []string `yaml:"skippedTests"`
	SupportedFeatures   []string `yaml:"supportedFeatures"`
	UnsupportedFeatures []string `yaml:"unsupportedFeatures"`
}

// table is the tests that pass, then the features that they are about, by the resource that they begin with.
func (r report) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n| profile of the suite, %s | core tests | extended tests | not passed |\n|---|---|---|---|\n", r.Version)
	supported, unsupported := map[string]bool{}, map[string]bool{}
	for _, p := range r.Profiles {
		missed := slices.Concat(p.Core.FailedTests, p.Core.SkippedTests, p.Extended.FailedTests, p.Extended.SkippedTests)
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", p.Name, p.Core.passed(), p.Extended.passed(), listed(missed))
		for _, feature := range p.Extended.SupportedFeatures {
			supported[feature] = true
		}
		for _, feature := range p.Extended.UnsupportedFeatures {
			unsupported[feature] = true
		}
	}
	b.WriteString("\n| resource | features beyond its core |\n|---|---|\n")
	for _, resource := range resources {
		fmt.Fprintf(&b, "| %s | %s |\n", resource, listed(featuresOf(resource, supported)))
	}
	if len(unsupported) > 0 {
		fmt.Fprintf(&b, "\nNot supported: %s.\n", listed(slices.Sorted(maps.Keys(unsupported))))
	}
	return b.String() + "\n"
}

func (l level) passed() string {
	s := l.Statistics
	return fmt.Sprintf("%d of %d", s.Passed, s.Passed+s.Failed+s.Skipped)
}

// resources are what features are named by.
var resources = []string{"Gateway", "ListenerSet", "HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute", "BackendTLSPolicy"}

// featuresOf are the features of a resource without its name. The resource itself is one where all of it is extended.
func featuresOf(resource string, features map[string]bool) []string {
	var found []string
	for _, feature := range slices.Sorted(maps.Keys(features)) {
		if name, of := strings.CutPrefix(feature, resource); of && name != "" {
			found = append(found, name)
		}
	}
	return found
}

func listed(names []string) string {
	if len(names) == 0 {
		return "–"
	}
	return strings.Join(names, ", ")
}
