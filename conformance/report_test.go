package conformance

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	confv1 "sigs.k8s.io/gateway-api/conformance/apis/v1"
	"sigs.k8s.io/yaml"
)

// writeReports writes the suite's own report, in the form in which implementations send it to the Gateway API, and the list of its
// tests. A run against a kube-apiserver has a report beside that one.
func (o *outcomes) writeReports(t *testing.T, directory string, report *confv1.ConformanceReport) {
	t.Helper()
	if os.Getenv("API") == "kube" {
		writeReport(t, filepath.Join(directory, "report-kube.yaml"), report)
		return
	}
	writeReport(t, filepath.Join(directory, "report.yaml"), report)
	check(t, os.WriteFile(filepath.Join(directory, "tests.md"), []byte(o.list(report)), 0o644))
}

// writeReport writes one file. A report that differs in its date only stays as it is.
func writeReport(t *testing.T, path string, report *confv1.ConformanceReport) {
	t.Helper()
	if have, err := os.ReadFile(path); err == nil {
		before := &confv1.ConformanceReport{}
		if err := yaml.Unmarshal(have, before); err != nil {
			t.Fatalf("reading %s: %v", path, err)
		}
		dated := *report
		dated.Date = before.Date
		if text, err := yaml.Marshal(dated); err != nil || bytes.Equal(text, have) {
			check(t, err)
			report = &dated
		}
	}
	text, err := yaml.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	check(t, os.WriteFile(path, text, 0o644))
}

// list is the tests as a table to read: those that fail first.
func (o *outcomes) list(report *confv1.ConformanceReport) string {
	var text strings.Builder
	fmt.Fprintf(&text, "# Results of the official conformance suite, %s\n\n", report.GatewayAPIVersion)
	text.WriteString("Written by `make conformance`; how it runs is told in [README.md](README.md).\n\n")
	for _, line := range counts(report) {
		fmt.Fprintf(&text, "    %s\n", line)
	}
	text.WriteString("\n| test | result | counts in |\n|---|---|---|\n")
	sorted := slices.SortedFunc(slices.Values(o.tests), func(a, b outcome) int {
		return strings.Compare(a.order(), b.order())
	})
	left := 0
	for _, outcome := range sorted {
		if ofMesh(outcome.test) {
			left++
			continue
		}
		fmt.Fprintf(&text, "| %s | %s | %s |\n", outcome.test.ShortName, outcome.result, levels(outcome.test))
	}
	fmt.Fprintf(&text, "\n%d tests of a mesh are left out.\n", left)
	return text.String()
}

// order puts failures before skips before passes, each by name.
func (o outcome) order() string {
	return fmt.Sprintf("%d %s", slices.Index([]string{fails, skipped, passes}, o.result), o.test.ShortName)
}
