package policy

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/config"
)

var today = time.Date(2027, 3, 31, 23, 59, 0, 0, time.UTC)

func to(namespace, service string, treatment ...table.Treatment) table.Outcome {
	backend := table.Backend{Namespace: namespace, Service: service, Port: 80}
	return table.Outcome{Kind: table.ToBackends, Total: 1, Backends: []table.Share{{Backend: backend, Weight: 1}}, Treatment: treatment}
}

func answer(status uint32) table.Outcome { return table.Outcome{Kind: table.Answered, Status: status} }

var (
	noRoute  = table.Outcome{Kind: table.NoRoute}
	unserved = table.Outcome{Kind: report.NotServed}
	web      = to("shop", "web")
)

func host(kind class.TermKind, value string) []report.Area {
	return []report.Area{{Hosts: class.Terms{Include: []class.Term{{Kind: kind, Value: value}}}}}
}

// change is a class of requests to shop.example.
func change(severity report.Severity, before, after table.Outcome, edits ...string) report.Class {
	c := report.Class{
		ID: "c1", Severity: severity, Areas: host(class.TermExact, "shop.example"),
		Before: []table.Outcome{before}, After: []table.Outcome{after},
	}
	for _, edit := range edits {
		c.Causes = append(c.Causes, report.Cause{Edit: edit})
	}
	return c
}

func shift(part, whole uint64, from, to table.Outcome) report.Class {
	c := change(report.Moves, from, to)
	c.Flows = []report.Flow{{From: from, To: to, Part: part, Whole: whole}}
	return c
}

func with(c report.Class, set func(*report.Class)) report.Class {
	set(&c)
	return c
}

// every rule at once, so that a case shows what a change breaks and what it does not.
func everyRule() config.Policy {
	return config.Policy{FailOn: config.PolicyRules(), MaxMovedShare: 10}
}

func broken(found *report.Report) []string {
	var rules []string
	for _, v := range Judge(found, everyRule(), today).Violations {
		rules = append(rules, v.Rule)
	}
	return rules
}

func TestRules(t *testing.T) {
	auth := table.Treatment{Name: "authentication", Value: "auth:9000"}
	mtls := func(value string) table.Outcome {
		return table.Outcome{Treatment: []table.Treatment{{Name: "client certificate", Value: value}}}
	}
	split := func(a, b uint64) table.Outcome {
		return table.Outcome{Kind: table.ToBackends, Total: a + b, Backends: []table.Share{
			{Backend: table.Backend{Namespace: "shop", Service: "web"}, Weight: a},
			{Backend: table.Backend{Namespace: "lab", Service: "web"}, Weight: b},
		}}
	}
	over := func(namespace, service string) table.Outcome {
		o := to(namespace, service)
		o.Backends[0].Treatment = []table.Treatment{{Name: table.UpstreamTLS, Value: "for " + service}}
		return o
	}
	for name, c := range map[string]struct {
		class report.Class
		rules []string
	}{
		"a rule is removed":                {change(report.Lost, web, noRoute, "removed"), []string{"backend-lost", "404-introduced"}},
		"a host is removed":                {change(report.Lost, web, noRoute, "host removed"), []string{"backend-lost", "404-introduced", "host-lost"}},
		"a host moves below a wildcard":    {change(report.Moves, web, to("shop", "other"), "host removed"), []string{"moved-share"}},
		"a listener is removed":            {change(report.Lost, web, unserved, "listener removed"), []string{"backend-lost", "host-lost"}},
		"a backend is gone":                {change(report.Lost, web, answer(500)), []string{"backend-lost"}},
		"a redirect becomes 404":           {change(report.Lost, table.Outcome{Kind: table.Redirected, Status: 301}, noRoute), []string{"backend-lost", "404-introduced"}},
		"500 becomes 404":                  {change(report.Moves, answer(500), noRoute), []string{"404-introduced", "moved-share"}},
		"404 of a rule becomes no route":   {change(report.Moves, answer(404), noRoute), []string{"moved-share"}},
		"a new listener without routes":    {change(report.Served, unserved, noRoute), nil},
		"gained":                           {change(report.Gained, noRoute, web), nil},
		"10 % move":                        {shift(10, 100, web, to("shop", "next")), nil},
		"11 % move":                        {shift(11, 100, web, to("shop", "next")), []string{"moved-share"}},
		"all move":                         {change(report.Moves, web, to("shop", "next")), []string{"moved-share"}},
		"5 % become 404":                   {with(shift(5, 100, web, noRoute), func(c *report.Class) { c.Severity = report.Lost }), []string{"backend-lost", "404-introduced"}},
		"another namespace":                {change(report.Moves, web, to("lab", "web")), []string{"moved-share", "namespace-crossed"}},
		"5 % to another namespace":         {shift(5, 100, web, to("lab", "web")), []string{"namespace-crossed"}},
		"shares between two namespaces":    {with(change(report.Moves, split(9, 1), split(8, 2)), func(c *report.Class) { c.Flows = []report.Flow{{From: web, To: to("lab", "web"), Part: 1, Whole: 10}} }), []string{"namespace-crossed"}},
		"a namespace for no backend":       {change(report.Gained, noRoute, to("lab", "web")), nil},
		"authentication goes":              {change(report.Treated, to("shop", "web", auth), web), []string{"security-removed"}},
		"authentication stays":             {change(report.Treated, to("shop", "web", auth), to("shop", "web", auth)), nil},
		"authentication comes":             {change(report.Treated, web, to("shop", "web", auth)), nil},
		"an open backend after a safe one": {change(report.Moves, to("shop", "web", auth), to("shop", "next")), []string{"moved-share", "security-removed"}},
		"what is gone needs no protection": {change(report.Lost, to("shop", "web", auth), noRoute, "removed"), []string{"backend-lost", "404-introduced"}},
		"a timeout goes":                   {change(report.Treated, to("shop", "web", table.Treatment{Name: "timeout", Value: "5s"}), web), nil},
		"a filter that keeps out goes":     {change(report.Treated, to("shop", "web", table.Treatment{Name: "filter envoy.filters.http.jwt_authn here", Value: "{}"}), web), []string{"security-removed"}},
		"a filter of another kind goes":    {change(report.Treated, to("shop", "web", table.Treatment{Name: "filter envoy.filters.http.buffer here", Value: "{}"}), web), nil},
		"TLS to the backend goes":          {change(report.Served, to("shop", "web", table.Treatment{Name: "tls", Value: "for web"}), web), []string{"security-removed"}},
		"TLS to another backend is left":   {change(report.Moves, over("shop", "web"), to("shop", "next")), []string{"moved-share", "security-removed"}},
		"TLS is left by a share": {with(shift(1, 100, web, to("shop", "next")), func(c *report.Class) {
			c.Before, c.After = []table.Outcome{over("shop", "web")}, []table.Outcome{over("shop", "web"), to("shop", "next")}
		}), []string{"security-removed"}},
		"40 % move and 10 % are lost": {with(shift(40, 100, web, to("shop", "next")), func(c *report.Class) {
			c.Severity = report.Lost
			c.Flows = append(c.Flows, report.Flow{From: web, To: answer(500), Part: 10, Whole: 100})
		}), []string{"backend-lost", "moved-share"}},
		"10 % move and 40 % are lost": {with(shift(10, 100, web, to("shop", "next")), func(c *report.Class) {
			c.Severity = report.Lost
			c.Flows = append(c.Flows, report.Flow{From: web, To: answer(500), Part: 40, Whole: 100})
		}), []string{"backend-lost"}},
		"some are lost, the others move": {with(change(report.Lost, web, answer(500)), func(c *report.Class) {
			c.After = append(c.After, to("shop", "next"))
		}), []string{"backend-lost", "moved-share"}},
		"client certificates go":             {change(report.Served, mtls("required, signed by CN=a"), table.Outcome{}), []string{"security-removed"}},
		"client certificates are only asked": {change(report.Served, mtls("required, signed by CN=a"), mtls("asked for, signed by CN=a")), []string{"security-removed"}},
		"another authority":                  {change(report.Served, mtls("required, signed by CN=a"), mtls("required, signed by CN=b")), nil},
		"lost by a repeated header only":     {with(change(report.Lost, web, noRoute, "removed"), func(c *report.Class) { c.OnlyRepeated = true }), nil},
		"open by a repeated header only":     {with(change(report.Treated, to("shop", "web", auth), web), func(c *report.Class) { c.OnlyRepeated = true }), []string{"security-removed"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.rules, broken(&report.Report{Classes: []report.Class{c.class}})); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUndecided(t *testing.T) {
	found := &report.Report{
		Undecided:  []report.Undecided{{Area: host(class.TermSuffix, ".shop.example")[0]}},
		Uncompared: []report.Uncompared{{}},
	}
	found.Uncompared[0].Kind, found.Uncompared[0].Name = "TCPRoute", "db"
	var said []string
	for _, v := range Judge(found, everyRule(), today).Violations {
		said = append(said, v.Rule+": "+v.Message)
	}
	want := []string{`undecided: requests to "*.shop.example" are not decided`, `undecided: "TCPRoute db" is not compared`}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNoRuleNoVerdict(t *testing.T) {
	found := &report.Report{Classes: []report.Class{change(report.Lost, web, noRoute)}}
	if verdict := Judge(found, config.Policy{Waivers: []config.Waiver{{Rule: config.BackendLost}}}, today); verdict != nil {
		t.Errorf("a verdict without a rule: %+v", verdict)
	}
}

func waiver(set func(*config.Waiver)) config.Waiver {
	w := config.Waiver{Rule: config.BackendLost, Host: "shop.example", By: "platform", Reason: "moved", Until: "2027-03-31"}
	set(&w)
	return w
}

func TestWaivers(t *testing.T) {
	lost := change(report.Lost, web, noRoute)
	both := with(lost, func(c *report.Class) { c.Areas = slices.Concat(c.Areas, host(class.TermExact, "pay.example")) })
	wild := with(lost, func(c *report.Class) { c.Areas = host(class.TermSuffix, ".shop.example") })
	below := with(lost, func(c *report.Class) { c.Areas = host(class.TermExact, "A.Shop.Example") })
	anywhere := with(lost, func(c *report.Class) { c.Areas = host(class.TermAny, "") })
	narrowed := with(lost, func(c *report.Class) {
		c.Areas = host(class.TermAny, "")
		c.Areas[0].Hosts.Within = []class.Term{{Kind: class.TermExact, Value: "shop.example"}}
	})
	nowhere := with(lost, func(c *report.Class) { c.Areas = nil })
	targets := with(lost, func(c *report.Class) { c.Targets = []string{"dev", "prod"} })
	for name, c := range map[string]struct {
		class  report.Class
		set    func(*config.Waiver)
		waived bool
	}{
		"the host":                         {lost, func(w *config.Waiver) {}, true},
		"in capitals":                      {lost, func(w *config.Waiver) { w.Host = "SHOP.example" }, true},
		"another host":                     {lost, func(w *config.Waiver) { w.Host = "pay.example" }, false},
		"one of two hosts":                 {both, func(w *config.Waiver) {}, false},
		"a wildcard and its name":          {lost, func(w *config.Waiver) { w.Host = "*.shop.example" }, false},
		"a wildcard and a name below":      {below, func(w *config.Waiver) { w.Host = "*.shop.example" }, true},
		"a wildcard and itself":            {wild, func(w *config.Waiver) { w.Host = "*.shop.example" }, true},
		"a wildcard above":                 {wild, func(w *config.Waiver) { w.Host = "*.example" }, true},
		"a name that only ends like it":    {with(lost, func(c *report.Class) { c.Areas = host(class.TermExact, "myshop.example") }), func(w *config.Waiver) { w.Host = "*.shop.example" }, false},
		"a name for a wildcard":            {wild, func(w *config.Waiver) {}, false},
		"a name for any host":              {anywhere, func(w *config.Waiver) {}, false},
		"a name for any host within it":    {narrowed, func(w *config.Waiver) {}, true},
		"a name where there are no hosts":  {nowhere, func(w *config.Waiver) {}, false},
		"the class":                        {lost, func(w *config.Waiver) { w.Host, w.Class = "", "c1" }, true},
		"another class":                    {lost, func(w *config.Waiver) { w.Class = "c2" }, false},
		"the class on another host":        {lost, func(w *config.Waiver) { w.Class, w.Host = "c1", "pay.example" }, false},
		"neither class nor host":           {lost, func(w *config.Waiver) { w.Host = "" }, false},
		"another rule":                     {lost, func(w *config.Waiver) { w.Rule = config.HostLost }, false},
		"its last day was yesterday":       {lost, func(w *config.Waiver) { w.Until = "2027-03-30" }, false},
		"a day that is none":               {lost, func(w *config.Waiver) { w.Until = "9999" }, false},
		"one of two targets":               {targets, func(w *config.Waiver) { w.Target = "dev" }, false},
		"every target":                     {targets, func(w *config.Waiver) {}, true},
		"the target":                       {with(lost, func(c *report.Class) { c.Targets = []string{"dev"} }), func(w *config.Waiver) { w.Target = "dev" }, true},
		"a target where there is only one": {lost, func(w *config.Waiver) { w.Target = "dev" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			policy := config.Policy{FailOn: []string{config.BackendLost}, Waivers: []config.Waiver{waiver(c.set)}}
			found := &report.Report{Classes: []report.Class{c.class}}
			found.Policy = Judge(found, policy, today)
			if len(found.Policy.Violations) != 1 {
				t.Fatalf("violations %+v", found.Policy.Violations)
			}
			if waived := found.Policy.Violations[0].Waived; (waived != nil) != c.waived || found.Fails() == c.waived {
				t.Errorf("waived: %+v, want %t", waived, c.waived)
			}
		})
	}
}

// TestWaiverForEachTarget: what is in two targets is allowed if each target has its waiver, until the first of them ends.
func TestWaiverForEachTarget(t *testing.T) {
	c := with(change(report.Lost, web, noRoute), func(c *report.Class) { c.Targets = []string{"dev", "prod"} })
	policy := config.Policy{FailOn: []string{config.BackendLost}, Waivers: []config.Waiver{
		waiver(func(w *config.Waiver) { w.Target, w.Until = "dev", "2028-01-01" }),
		waiver(func(w *config.Waiver) { w.Target, w.Until = "prod", "2027-12-31" }),
	}}
	verdict := Judge(&report.Report{Classes: []report.Class{c}}, policy, today)
	want := &report.Waived{By: "platform", Reason: "moved", Until: "2027-12-31"}
	if diff := cmp.Diff(want, verdict.Violations[0].Waived); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNotes(t *testing.T) {
	policy := config.Policy{FailOn: []string{config.BackendLost}, Waivers: []config.Waiver{
		waiver(func(w *config.Waiver) { w.Until = "2027-01-01" }),
		waiver(func(w *config.Waiver) { w.Rule = config.HostLost }),
		waiver(func(w *config.Waiver) { w.Host = "pay.example" }),
	}}
	verdict := Judge(&report.Report{Classes: []report.Class{change(report.Lost, web, noRoute)}}, policy, today)
	want := []string{
		`the waiver of backend-lost for host "shop.example" by "platform" expired after "2027-01-01"`,
		`the waiver of host-lost for host "shop.example" by "platform" waives nothing: the policy does not ask for its rule`,
		`the waiver of backend-lost for host "pay.example" by "platform" waives nothing of this change`,
	}
	if diff := cmp.Diff(want, verdict.Notes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// A waiver that this change has no need of is no news.
	verdict = Judge(&report.Report{}, policy, today)
	if diff := cmp.Diff(want[:2], verdict.Notes); diff != "" {
		t.Errorf("without a violation (-want +got):\n%s", diff)
	}
}

// TestDocumented holds the table of rules for users to the rules.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\|").FindAllStringSubmatch(string(text), -1) {
		rules = append(rules, row[1])
	}
	if diff := cmp.Diff(config.PolicyRules(), rules); diff != "" {
		t.Errorf("rules of docs/policy.md (-want +got):\n%s", diff)
	}
	for _, filter := range report.ProtectiveFilters() {
		if !strings.Contains(string(text), "`"+filter+"`") {
			t.Errorf("docs/policy.md does not name the filter %s", filter)
		}
	}
}
