//go:build corpus

package table_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/files"
)

// checkFile is a file of tests of Envoy's router_check_tool, in the parts that choose a route.
type checkFile struct {
	Tests []checkTest `json:"tests"`
}

type checkTest struct {
	Name  string `json:"test_name"`
	Input struct {
		Authority, Path, Method string
		SSL                     bool
		Headers                 []struct{ Key, Value string } `json:"additional_request_headers"`
		// Runtime is the one key with which a runtime fraction may hold, and Random the number that Envoy draws.
		Runtime  string          `json:"runtime"`
		Random   uint64          `json:"random_value"`
		Metadata []checkMetadata `json:"dynamic_metadata"`
	} `json:"input"`
	Validate map[string]any `json:"validate"`
}

type checkMetadata struct {
	Namespace string         `json:"metadata_namespace"`
	Value     map[string]any `json:"value"`
	Overwrite bool           `json:"allow_overwrite"`
}

// unanswered are tests whose answer is the tool's alone, with the reason.
var unanswered = map[string]string{
	"Runtime Test_4": "the tool takes a rule of 0% where it draws 0; Envoy never does (TestRuntimeFractions)",
}

// unchecked are the expectations that no table answers, with the reason.
var unchecked = map[string]string{
	"virtual_cluster_name":    "names a statistic",
	"response_header_matches": "the value that a header has in the end is a matter of the running request",
	"request_header_matches":  "the value that a header has in the end is a matter of the running request",
	"route_metadata":          "is read by filters, not by the router",
	"timeout":                 "is a treatment, compared as a text",
	"path_rewrite":            "is a treatment, compared as a template",
	"host_rewrite":            "is a treatment, compared as a template",
}

var trailingComma = regexp.MustCompile(`,(\s*[\]}])`)

// TestCorpusRouterCheckTables asks our evaluator what Envoy's own router check tool is asked. What is out of scope is printed.
func TestCorpusRouterCheckTables(t *testing.T) {
	root := filepath.Join(os.Getenv("ROUTEDELTA_CORPUS"), "tables", "envoy-router-check")
	paths, err := filepath.Glob(filepath.Join(root, "*.golden.proto.*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no tests in %s (ROUTEDELTA_CORPUS names the corpus): %v", root, err)
	}
	tests, checked, skipped := 0, 0, map[string]int{}
	for _, path := range paths {
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		// TestRoutesFailures is meant to fail, but only by the values of headers.
		evaluator, read := compileCheckTable(t, filepath.Join(root, strings.TrimSuffix(name, "Failures")+".yaml"))
		for _, test := range readCheckTests(t, path).Tests {
			tests++
			decision := evaluator.Evaluate(test.request())
			if decision.Undecided != "" {
				t.Errorf("%s %s is not decided: %s", name, test.Name, decision.Undecided)
				continue
			}
			if reason := unanswered[name+" "+test.Name]; reason != "" {
				skipped[name+" "+test.Name+": "+reason]++
				continue
			}
			decision.Outcome = test.outcome(read, decision)
			for field, want := range test.Validate {
				if reason := unchecked[field]; reason != "" {
					skipped[field+" "+reason]++
					continue
				}
				checked++
				if difference := difference(field, want, decision, read, test); difference != "" {
					t.Errorf("%s %s: %s", filepath.Base(path), test.Name, difference)
				}
			}
		}
	}
	t.Logf("%d tests, %d expectations as stated; out of scope:", tests, checked)
	for reason, count := range skipped {
		t.Logf("%4d %s", count, reason)
	}
}

func compileCheckTable(t *testing.T, path string) (*table.Evaluator, *table.Table) {
	t.Helper()
	sets, err := files.Load(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	tables, _ := table.Read(sets[0])
	if len(sets) != 1 || len(tables) != 1 {
		t.Fatalf("%s: %d sets, %d tables, want one", path, len(sets), len(tables))
	}
	return table.Compile(tables[0]), tables[0]
}

func readCheckTests(t *testing.T, path string) checkFile {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(path) == ".yaml" {
		var document any
		if err := yaml.Unmarshal(data, &document); err != nil {
			t.Fatal(err)
		}
		if data, err = json.Marshal(document); err != nil {
			t.Fatal(err)
		}
	}
	var tests checkFile
	if err := json.Unmarshal(trailingComma.ReplaceAll(data, []byte("$1")), &tests); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return tests
}

func (c checkTest) request() table.Request {
	r := table.Request{Method: c.Input.Method, Scheme: "http", Host: c.Input.Authority, Path: c.Input.Path}
	if c.Input.SSL {
		r.Scheme = "https"
		r.Headers = append(r.Headers, table.Field{Name: "x-forwarded-proto", Value: "https"})
	}
	for _, header := range c.Input.Headers {
		r.Headers = append(r.Headers, table.Field{Name: header.Key, Value: header.Value})
	}
	r.Holds = c.holds()
	return r
}

// holds are the conditions on the test's metadata that are met, among those that compare a text as the corpus does.
func (c checkTest) holds() []string {
	metadata := map[string]map[string]any{}
	for _, m := range c.Input.Metadata {
		if metadata[m.Namespace] == nil || m.Overwrite {
			metadata[m.Namespace] = m.Value
		}
	}
	var names []string
	for namespace, value := range metadata {
		for path, text := range leaves("", value) {
			names = append(names, fmt.Sprintf("dynamic_metadata {filter: %q, path: [%s], value: {string_match: {exact: %q}}}", namespace, path, text))
		}
	}
	return names
}

// leaves are the texts in a value with their paths.
func leaves(above string, value map[string]any) map[string]string {
	found := map[string]string{}
	for key, inner := range value {
		path := fmt.Sprintf("%s{key: %q}", above, key)
		switch v := inner.(type) {
		case string:
			found[path] = v
		case map[string]any:
			maps.Copy(found, leaves(path+", ", v))
		}
	}
	return found
}

// outcome is the one that the test's number and runtime key lead to.
func (c checkTest) outcome(read *table.Table, d table.Decision) table.Outcome {
	for _, i := range d.Chances {
		rule := read.Hosts[d.Host].Rules[i]
		if rule.Chance.RuntimeKey == c.Input.Runtime && c.Input.Random%uint64(rule.Chance.Denominator) < uint64(rule.Chance.Numerator) {
			return rule.Outcome
		}
	}
	if len(d.Chances) > 0 && d.Rule >= 0 {
		return read.Hosts[d.Host].Rules[d.Rule].Outcome
	}
	return d.Outcome
}

// drawn is the cluster that a number leads to.
func drawn(o table.Outcome, number uint64) string {
	shares, total := o.Draw, uint64(0)
	if shares == nil {
		shares = o.Backends
	}
	for _, s := range shares {
		total += s.Weight
	}
	for _, s := range shares {
		if number %= total; number < s.Weight {
			return s.Backend.Cluster
		}
		number, total = number-s.Weight, total-s.Weight
	}
	return ""
}

// difference is what is not as a test wants it, or "".
func difference(field string, want any, d table.Decision, t *table.Table, test checkTest) string {
	got := ""
	if d.Outcome.Kind == table.Answered {
		// The tool takes a direct response for a redirect to the request itself, outside of every virtual host.
		switch field {
		case "virtual_host_name":
			d.Host = -1
		case "path_redirect":
			d.Outcome = table.Outcome{Kind: table.Redirected, Location: "{path}"}
		}
	}
	switch field {
	case "cluster_name":
		got = drawn(d.Outcome, test.Input.Random)
	case "virtual_host_name":
		if d.Host >= 0 {
			got = t.Hosts[d.Host].Name
		}
	case "path_redirect":
		if d.Outcome.Kind == table.Redirected {
			got = location(d, test)
		}
	case "code_redirect":
		if got = "0"; d.Outcome.Kind == table.Redirected || d.Outcome.Kind == table.Answered {
			got = fmt.Sprint(d.Outcome.Status)
		}
	default:
		return "nobody knows how to check " + field
	}
	if got != fmt.Sprint(want) {
		return fmt.Sprintf("%s is %q, want %q", field, got, want)
	}
	return ""
}

// location fills the parts of the request into a template.
func location(d table.Decision, test checkTest) string {
	template := d.Outcome.Location
	if !strings.Contains(template, "://") {
		template = "{scheme}://{host}" + template
	}
	scheme := "http"
	if test.Input.SSL {
		scheme = "https"
	}
	path := test.Input.Path
	hostname, _, _ := strings.Cut(test.Input.Authority, ":")
	if before, prefix, found := strings.Cut(template, "{path after "); found {
		prefix = strings.TrimSuffix(prefix, "}")
		template = before + strings.TrimPrefix(path, prefix)
	}
	return strings.NewReplacer("{scheme}", scheme, "{host}", test.Input.Authority, "{host with port}", test.Input.Authority, "{hostname}", hostname, "{path}", path).Replace(template)
}
