package report_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

func sample() *report.Report {
	orders := table.Outcome{Kind: table.ToBackends, Total: 1, Backends: []table.Share{{Backend: table.Backend{Namespace: "shop", Service: "orders", Port: 80}, Weight: 1}}}
	r := &report.Report{Version: report.Version, Gateways: []report.Gateway{{Name: "infra/public", Decided: true}}}
	r.Classes = []report.Class{{
		Gateways: []string{"infra/public"}, Severity: report.Lost,
		Areas: []report.Area{{
			Hosts: class.Terms{Include: []class.Term{{Kind: class.TermExact, Value: "shop.example"}}},
			Paths: class.Terms{Include: []class.Term{{Kind: class.TermSegments, Value: "/a<b>&"}}},
		}},
		Before: []table.Outcome{orders}, After: []table.Outcome{{Kind: table.NoRoute}},
		Witnesses: []report.Witness{{Method: "GET", Scheme: "http", Host: "shop.example", Path: "/a<b>&"}},
	}}
	r.Classes[0].SetID()
	r.Count()
	return r
}

func encode(t *testing.T, r *report.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := report.Encode(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestRoundTrip(t *testing.T) {
	want := sample()
	got, err := report.Decode(strings.NewReader(encode(t, want)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(encode(t, want), encode(t, got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Classes[0].ID != want.Classes[0].ID {
		t.Errorf("ID %s became %s", want.Classes[0].ID, got.Classes[0].ID)
	}
}

func TestEmptyReportHasNoNullLists(t *testing.T) {
	wire := encode(t, &report.Report{})
	if strings.Contains(wire, "null") || !strings.Contains(wire, `"classes": []`) {
		t.Errorf("lists are null:\n%s", wire)
	}
	if _, err := report.Decode(strings.NewReader(wire)); err != nil {
		t.Error(err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := encode(t, sample())
	cases := map[string]string{
		"no JSON":             "classes: []",
		"an unknown field":    strings.Replace(good, `"counts"`, `"count"`, 1),
		"an unknown severity": strings.Replace(good, `"severity": "lost"`, `"severity": "harmless"`, 1),
		"a wrong type":        strings.Replace(good, `"lost": 1`, `"lost": "1"`, 1),
		"more behind it":      good + "{}",
		"half of it":          good[:len(good)/2],
		"nothing":             "",
	}
	for name, wire := range cases {
		t.Run(name, func(t *testing.T) {
			if wire == good {
				t.Fatal("the case changes nothing")
			}
			if _, err := report.Decode(strings.NewReader(wire)); err == nil {
				t.Error("was taken")
			}
		})
	}
	_, err := report.Decode(strings.NewReader(strings.Replace(good, report.Version, "routedelta.dev/report/v9", 1)))
	if !errors.Is(err, report.ErrVersion) {
		t.Errorf("another version: %v", err)
	}
}

// TestIDIgnoresPlaces: a waiver written for a class holds when lines move, and no longer when the class changes.
func TestIDIgnoresPlaces(t *testing.T) {
	base := sample().Classes[0]
	moved := base
	moved.Causes = []report.Cause{{Edit: "removed", Rule: 7}}
	moved.SetID()
	if moved.ID != base.ID {
		t.Error("a cause changes the ID")
	}
	other := base
	other.After = []table.Outcome{{Kind: table.Answered, Status: 500}}
	other.SetID()
	if other.ID == base.ID {
		t.Error("another outcome has the same ID")
	}
}

func TestConditionPhrase(t *testing.T) {
	header := func(c report.Condition) report.Condition {
		c.Source, c.Name = "header", "x-env"
		return c
	}
	cases := []struct {
		condition report.Condition
		want      string
	}{
		{header(report.Condition{Test: "exact", Value: "canary"}), "header x-env: canary"},
		{header(report.Condition{Test: "exact", Value: "canary", Not: true}), "without header x-env: canary"},
		{header(report.Condition{Test: "exact", Value: "canary", Invert: true}), "without header x-env: canary (but with one)"},
		{header(report.Condition{Test: "exact", Value: "canary", Invert: true, Not: true}), "header x-env: canary (or none)"},
		{header(report.Condition{Test: "exact", MissingAsEmpty: true}), "header x-env:  (a missing one counts as empty)"},
		{header(report.Condition{Test: "present"}), "header x-env"},
		{header(report.Condition{Test: "present", Not: true}), "without header x-env"},
		{header(report.Condition{Test: "present", Invert: true}), "without header x-env"},
		{header(report.Condition{Test: "regex", Value: "c.*"}), "header x-env: ~c.*"},
		{header(report.Condition{Test: "prefix", Value: "c", IgnoreCase: true}), "header x-env: c* (any case)"},
		{header(report.Condition{Test: "suffix", Value: "c"}), "header x-env: *c"},
		{header(report.Condition{Test: "contains", Value: "c"}), "header x-env: *c*"},
		{report.Condition{Source: "query", Name: "debug", Test: "exact", Value: "true"}, "query ?debug=true"},
		{report.Condition{Source: "query", Name: "debug", Test: "present", Not: true}, "without query ?debug"},
		{header(report.Condition{Test: "range", Value: "10 20"}), "header x-env between 10 and 19"},
		{header(report.Condition{Test: "range", Value: "-3 -2"}), "header x-env as a number is -3"},
		{header(report.Condition{Test: "range", Value: "5 5"}), "header x-env in an empty range"},
		{header(report.Condition{Test: "range", Value: "5"}), "header x-env in the range 5"},
		{header(report.Condition{Test: "range", Value: "10 20", Not: true}), "without header x-env between 10 and 19"},
		{report.Condition{Source: "cookie", Name: "session", Test: "exact", Value: "a"}, "cookie session=a"},
		{report.Condition{Source: "cookie", Name: "session", Test: "prefix", Value: "a", Not: true}, "without cookie session=a*"},
		{report.Condition{Source: "cookie", Name: "session", Test: "exact", Value: "a", Invert: true}, "without cookie session=a"},
		{report.Condition{Source: "cookie", Name: "session", Test: "present"}, "cookie session"},
		{report.Condition{Source: "free", Name: "dynamic metadata a is b", Test: "present"}, "if dynamic metadata a is b"},
		{report.Condition{Source: "free", Name: "dynamic metadata a is b", Test: "present", Not: true}, "unless dynamic metadata a is b"},
		{report.Condition{Source: "method", Test: "exact", Value: "POST"}, "method POST"},
		{report.Condition{Source: "method", Test: "exact", Value: "POST", Not: true}, "any method but POST"},
	}
	for _, c := range cases {
		if got := c.condition.Phrase().String(); got != c.want {
			t.Errorf("%+v is %q, want %q", c.condition, got, c.want)
		}
	}
}

// TestTermPhrase: terms that hold different strings are said differently.
func TestTermPhrase(t *testing.T) {
	paths := map[class.Term]string{
		{Kind: class.TermAny}:                        "all paths",
		{Kind: class.TermExact, Value: "/"}:          "/ (exactly)",
		{Kind: class.TermExact, Value: "/orders"}:    "/orders",
		{Kind: class.TermSegments, Value: "/orders"}: "/orders/*",
		{Kind: class.TermPrefix, Value: "/orders"}:   "/orders*",
		{Kind: class.TermPrefix, Value: "/orders/"}:  "below /orders/",
		{Kind: class.TermPrefix, Value: "/"}:         "/*",
		{Kind: class.TermRegex, Value: "/v[0-9]+"}:   "~/v[0-9]+",
		{Kind: class.TermSuffix, Value: ".php"}:      "*.php",
	}
	said := map[string]class.Term{}
	for term, want := range paths {
		got := report.PathPhrase(term).String()
		if got != want {
			t.Errorf("%+v is %q, want %q", term, got, want)
		}
		if other, twice := said[got]; twice {
			t.Errorf("%+v and %+v are both %q", term, other, got)
		}
		said[got] = term
	}
	hosts := map[class.Term]string{
		{Kind: class.TermAny}:                             "any host",
		{Kind: class.TermExact, Value: "shop.example"}:    "shop.example",
		{Kind: class.TermExact}:                           "an empty host",
		{Kind: class.TermSuffix, Value: ".shop.example"}:  "*.shop.example",
		{Kind: class.TermSuffix, Value: "*.shop.example"}: "*.shop.example",
		{Kind: class.TermPrefix, Value: "shop."}:          "shop.*",
	}
	for term, want := range hosts {
		if got := report.HostPhrase(term).String(); got != want {
			t.Errorf("%+v is %q, want %q", term, got, want)
		}
	}
}
