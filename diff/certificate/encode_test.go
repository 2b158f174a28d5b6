package certificate_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/diff/table"
)

func sample() *certificate.Certificate {
	backend := func(name string) []table.Outcome {
		return []table.Outcome{{Kind: table.ToBackends, Total: 1, Backends: []table.Share{{Backend: table.Backend{Namespace: "shop", Service: name, Port: 80}, Weight: 1}}}}
	}
	anything := certificate.Terms{Include: []certificate.Term{{Kind: "any"}}}
	return &certificate.Certificate{
		Tool:   "v1.2.3",
		Before: certificate.Side{Source: "old", Files: "sha256:01", Envoy: map[string]string{"shop-public": "sha256:02", "shop-private": "sha256:03"}},
		After:  certificate.Side{Source: "new <&>", Order: "gateway-api", Files: "sha256:04", Envoy: map[string]string{}},
		Gateways: []certificate.Gateway{{Before: "shop-public", After: "shop-public", Places: []certificate.Place{{
			Port: 443, TLS: true, ServerNames: []string{""}, Options: certificate.OptionsOf(table.Options{NormalizePath: true, Rerouters: []string{"lua"}}),
			Pairs: []certificate.Pair{{Before: 0, After: 1, Kept: []certificate.Run{{Before: 0, After: 0, Length: 2}}}},
			Classes: []certificate.Class{{
				Facet: "backend", Before: backend("web"), After: backend("web-v2"),
				Areas: []certificate.Area{{
					Hosts: anything, Paths: anything,
					Conditions: []certificate.Condition{certificate.ConditionOf(table.Predicate{Source: table.Header, Name: "x-env", Test: table.Exact, Value: "\xff"}, true)},
				}},
				Witness: certificate.RequestOf(table.Request{Method: "GET", Path: "/\x80", HTTP2: true, Headers: []table.Field{{Name: "x", Value: "base64:"}}}),
			}},
		}}}},
	}
}

// TestEveryByteCounts alters each byte of a certificate, some in several ways. None of the texts is read as a certificate.
func TestEveryByteCounts(t *testing.T) {
	text, err := certificate.Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := certificate.Parse(text); err != nil {
		t.Fatal(err)
	}
	for at := range text {
		altered := [][]byte{replaced(text, at, text[at]^1)}
		if at%9 == 0 {
			altered = append(altered, replaced(text, at, text[at]^0x20), replaced(text, at, 0), append(slices.Clone(text[:at]), text[at+1:]...))
		}
		for _, other := range altered {
			if _, err := certificate.Parse(other); err == nil {
				t.Fatalf("with byte %d altered it is read as a certificate", at)
			}
		}
	}
}

func replaced(text []byte, at int, with byte) []byte {
	altered := slices.Clone(text)
	altered[at] = with
	return altered
}

// TestWhatIsRead: all that is written is read back.
func TestWhatIsRead(t *testing.T) {
	text, err := certificate.Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	read, err := certificate.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	c := read.Gateways[0].Places[0].Classes[0]
	predicate, err := c.Areas[0].Conditions[0].Predicate()
	if err != nil || predicate.Value != "\xff" || predicate.Source != table.Header {
		t.Errorf("the condition is read as %+v, %v", predicate, err)
	}
	if r := c.Witness.Table(); r.Path != "/\x80" || !r.HTTP2 || r.Headers[0].Value != "base64:" {
		t.Errorf("the request is read as %+v", r)
	}
}

// TestFormsThatMeanTheSame: another text of the same JSON is refused, since it may hide something from a reader.
func TestFormsThatMeanTheSame(t *testing.T) {
	text, err := certificate.Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	for name, altered := range map[string]string{
		"one line":          strings.ReplaceAll(string(text), "\n", ""),
		"a second value":    string(text) + "{}",
		"an escape":         strings.Replace(string(text), "v1.2.3", `\u00761.2.3`, 1),
		"a key twice":       strings.Replace(string(text), `"tool"`, `"tool": "v0", "tool"`, 1),
		"a key in capitals": strings.Replace(string(text), `"tool"`, `"TOOL"`, 1),
		"an unknown key":    strings.Replace(string(text), `"tool"`, `"more": 1, "tool"`, 1),
	} {
		if _, err := certificate.Parse([]byte(altered)); err == nil {
			t.Errorf("%s: is read", name)
		}
	}
	read, _ := certificate.Parse(text)
	read.Verdict = certificate.NothingChanges
	if altered := strings.Replace(string(text), `"verdict": ""`, `"verdict": "changes"`, 1); altered == string(text) {
		t.Error("the text has no verdict to alter")
	} else if _, err := certificate.Parse([]byte(altered)); !errors.Is(err, certificate.ErrAltered) {
		t.Errorf("another verdict: %v", err)
	}
}

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		name  string
		alter func(*certificate.Certificate)
		want  certificate.Verdict
	}{
		{"a class", func(*certificate.Certificate) {}, certificate.Changes},
		{"nothing", func(c *certificate.Certificate) { c.Gateways[0].Places[0].Classes = nil }, certificate.NothingChanges},
		{"a Gateway that goes", func(c *certificate.Certificate) { c.Gateways[0].After = ""; c.Gateways[0].Places = nil }, certificate.Changes},
		{"a listener that comes", func(c *certificate.Certificate) {
			c.Gateways[0].Places[0].Classes, c.Gateways[0].Places[0].Before = nil, -1
		}, certificate.Changes},
		{"an undecided region", func(c *certificate.Certificate) { c.Gateways[0].Places[0].Undecided = []certificate.Undecided{{}} }, certificate.NotDecided},
		{"what is not compared", func(c *certificate.Certificate) { c.Uncompared = []string{"TCPRoute"} }, certificate.NotDecided},
	} {
		one := sample()
		c.alter(one)
		if got := one.Sum(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
