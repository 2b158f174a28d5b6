package table_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

const (
	// Without ROUTEDELTA_FUZZTIME the run is as long as this; requestsPerTable is where loading a table costs about as much as
	// asking it.
	requestsInAll    = 66_000
	requestsPerTable = 200
	managers         = 6
)

// TestDifferentialEvaluatorAgainstEnvoy loads random tables into a real Envoy, under several connection managers, and holds
// its answer to each of many requests against the evaluator's. ROUTEDELTA_SEED reproduces a run, ROUTEDELTA_FUZZTIME (a
// duration) makes it longer.
func TestDifferentialEvaluatorAgainstEnvoy(t *testing.T) {
	seed, limit := envoytest.FuzzSettings(t)
	// As many Envoys run at once as there are processors, so each gets its part of the time.
	limit = limit * time.Duration(min(runtime.GOMAXPROCS(0), managers)) / managers
	t.Logf("seed %d", seed)
	tallies := make([]tally, managers)
	t.Run("managers", func(t *testing.T) {
		for m := range managers {
			random := rand.New(rand.NewPCG(seed, uint64(m)))
			options := tabletest.Rendered()
			if m > 0 {
				options = tabletest.RandomWideOptions(random, 0) // the oracle has no port
			}
			t.Run(strconv.Itoa(m), func(t *testing.T) {
				t.Parallel()
				tallies[m].run(t, random, options, limit)
			})
		}
	})
	var sum tally
	for _, one := range tallies {
		sum.add(one)
	}
	t.Logf("%d tables, %d requests: %d won by a rule, %d by one of several, %d without route, %d answered before routing; %d mismatches",
		sum.tables, sum.requests, sum.won, sum.mixed, sum.lost, sum.refused, sum.mismatches)
	if !t.Failed() && (sum.requests < requestsInAll/2 || sum.won < sum.requests/4 || sum.mixed < sum.requests/40 || sum.lost == 0 || sum.refused == 0) {
		t.Errorf("the random requests do not cover what they are meant to: %+v", sum)
	}
}

type tally struct{ tables, requests, won, mixed, lost, refused, mismatches int }

func (c *tally) add(other tally) {
	c.tables += other.tables
	c.requests += other.requests
	c.won += other.won
	c.lost += other.lost
	c.mixed += other.mixed
	c.refused += other.refused
	c.mismatches += other.mismatches
}

// run asks one Envoy until the share of requests, or the time, is used up.
func (c *tally) run(t *testing.T, random *rand.Rand, options table.Options, limit time.Duration) {
	oracle := envoytest.StartOracle(t, envoytest.OracleOptions{
		Clusters: tabletest.Clusters(),
		Manager:  func(m *managerv3.HttpConnectionManager) { setOptions(m, options) },
	})
	begin := time.Now()
	for c.requests < requestsInAll/managers || time.Since(begin) < limit {
		tested := tabletest.RandomWideTable(random, options, tabletest.Wide())
		if err := oracle.Load(tabletest.RouteConfiguration(tested)); err != nil {
			t.Fatal(err)
		}
		requests := tabletest.Requests(random, requestsPerTable, tested)
		for i := range requests {
			if i%3 == 0 {
				requests[i] = tabletest.OverHTTP2(requests[i])
			}
		}
		answers, err := oracle.Ask(wire(requests))
		if err != nil {
			t.Fatal(err)
		}
		c.compare(t, tested, requests, answers)
		c.tables++
		if c.mismatches > 10 {
			t.Fatal("too many mismatches")
		}
	}
}

func wire(requests []table.Request) []envoytest.Request {
	list := make([]envoytest.Request, len(requests))
	for i, r := range requests {
		list[i] = envoytest.Request{Method: r.Method, Host: r.Host, Path: r.Path, HTTP2: r.HTTP2}
		for _, f := range r.Headers {
			list[i].Headers = append(list[i].Headers, envoytest.Header{Name: f.Name, Value: f.Value})
		}
	}
	return list
}

func (c *tally) compare(t *testing.T, tested *table.Table, requests []table.Request, answers []envoytest.Answer) {
	evaluator := table.Compile(tested)
	for i, request := range requests {
		decision := evaluator.Evaluate(request)
		c.requests++
		switch {
		case !decision.Reached:
			c.refused++
		case len(decision.Chances) > 0:
			c.mixed++
		case decision.Rule < 0:
			c.lost++
		default:
			c.won++
		}
		if problem := disagreement(tested, request, decision, answers[i]); problem != "" {
			c.mismatches++
			t.Errorf("%s\nrequest %#v\noptions %+v\nevaluator %+v\nEnvoy %+v%s", problem, request, tested.Options, decision, answers[i], ruleText(tested, decision, answers[i].Route))
		}
	}
}

// ruleText shows the rules that either side chose.
func ruleText(tested *table.Table, decision table.Decision, route string) string {
	text := ""
	for h, host := range tested.Hosts {
		for i, rule := range host.Rules {
			if rule.Name == route || h == decision.Host && (i == decision.Rule || slices.Contains(decision.Chances, i)) {
				text += fmt.Sprintf("\n%s of %q: %+v %+v %+v", rule.Name, host.Domains, rule.Path, rule.Predicates, rule.Chance)
			}
		}
	}
	return text
}

// disagreement says in what Envoy's answer is not the evaluator's.
func disagreement(tested *table.Table, request table.Request, decision table.Decision, answer envoytest.Answer) string {
	switch {
	case decision.Undecided != "":
		return "the evaluator does not decide"
	case !decision.Reached:
		// Envoy may name a route even so: it looks for one to log its answer, where the client sends x-forwarded-proto. What its
		// codec of HTTP/2 refuses has no status.
		if request.HTTP2 && answer.Status == 0 && decision.Outcome.Status == 400 {
			return ""
		}
		return unequal("status", statusOf(decision.Outcome), answer.Status)
	}
	want, possible := taken(tested, decision, answer.Route)
	if !possible {
		return fmt.Sprintf("Envoy takes the rule %q", answer.Route)
	}
	if decision.Path != answer.Path {
		return fmt.Sprintf("path %q, but Envoy sees %q", decision.Path, answer.Path)
	}
	if !canEnd(decision.Outcome, want, answer.Cluster) {
		return "an end that the number which Envoy draws does not lead to"
	}
	switch want.Kind {
	case table.ToBackends:
		if answer.Status != 503 || answer.Flags != "UH" || !goesTo(want, answer.Cluster) {
			return "another backend"
		}
	case table.Redirected:
		if problem := unequal("status", int(want.Status), answer.Status); problem != "" {
			return problem
		}
		// Path and Host of the answer are those that Envoy had in hand, after normalisation.
		if got := answer.Headers.Get("location"); got != expand(want.Location, answer) {
			return fmt.Sprintf("location %q, but Envoy's is %q", expand(want.Location, answer), got)
		}
	default:
		return unequal("status", statusOf(want), answer.Status)
	}
	return ""
}

// taken is the outcome of the rule that Envoy took, if it is one of those that may take the request.
func taken(tested *table.Table, decision table.Decision, route string) (table.Outcome, bool) {
	if decision.Rule < 0 && route == "" {
		return table.Outcome{Kind: table.NoRoute}, true
	}
	for _, i := range append(decision.Chances[:len(decision.Chances):len(decision.Chances)], decision.Rule) {
		if i < 0 {
			continue
		}
		if rule := tested.Hosts[decision.Host].Rules[i]; rule.Name == route {
			return rule.Outcome, true
		}
	}
	return table.Outcome{}, false
}

// canEnd tells whether an outcome that chance decides about can be that of the rule which Envoy took, to that cluster.
func canEnd(o, taken table.Outcome, cluster string) bool {
	if o.Kind == table.Mixed {
		return slices.ContainsFunc(o.Parts, func(p table.Part) bool { return canEnd(p.Outcome, taken, cluster) })
	}
	if o.Kind == table.ToBackends && taken.Kind == table.ToBackends {
		return goesTo(o, cluster)
	}
	return o.Kind == taken.Kind && o.Status == taken.Status && o.Location == taken.Location
}

func statusOf(o table.Outcome) int {
	if o.Kind == table.NoRoute {
		return 404
	}
	return int(o.Status)
}

func unequal(what string, want, got int) string {
	if want == got {
		return ""
	}
	return fmt.Sprintf("%s %d, but Envoy's is %d", what, want, got)
}

func goesTo(o table.Outcome, cluster string) bool {
	for _, s := range o.Backends {
		if s.Backend.Cluster == cluster {
			return true
		}
	}
	return false
}

// expand fills the templates of random redirects. A query is kept, and a port that is the old scheme's own is dropped.
func expand(location string, answer envoytest.Answer) string {
	if !strings.HasSuffix(location, "{path}") {
		if _, query, found := strings.Cut(answer.Path, "?"); found {
			location += "?" + query
		}
		location = "{scheme}://{host}" + location
	}
	host := answer.Host
	if strings.HasPrefix(location, "https:") {
		host = strings.TrimSuffix(host, ":80")
	}
	return strings.NewReplacer("{scheme}", "http", "{host}", host, "{path}", answer.Path).Replace(location)
}

// setOptions is the inverse of what table.Read does for a connection manager.
func setOptions(m *managerv3.HttpConnectionManager, o table.Options) {
	m.NormalizePath = wrapperspb.Bool(o.NormalizePath)
	m.MergeSlashes = o.MergeSlashes
	m.UseRemoteAddress = wrapperspb.Bool(o.UseRemoteAddress)
	m.StripTrailingHostDot = o.StripTrailingDot
	m.StripMatchingHostPort = o.StripHostPort != 0
	if o.StripAnyHostPort {
		m.StripPortMode = &managerv3.HttpConnectionManager_StripAnyHostPort{StripAnyHostPort: true}
	}
	m.PathWithEscapedSlashesAction = map[table.EscapedSlashes]managerv3.HttpConnectionManager_PathWithEscapedSlashesAction{
		table.KeepEscapedSlashes:     managerv3.HttpConnectionManager_KEEP_UNCHANGED,
		table.RejectEscapedSlashes:   managerv3.HttpConnectionManager_REJECT_REQUEST,
		table.ForwardEscapedSlashes:  managerv3.HttpConnectionManager_UNESCAPE_AND_FORWARD,
		table.RedirectEscapedSlashes: managerv3.HttpConnectionManager_UNESCAPE_AND_REDIRECT,
	}[o.EscapedSlashes]
	m.CommonHttpProtocolOptions = &corev3.HttpProtocolOptions{
		HeadersWithUnderscoresAction: map[table.Underscores]corev3.HttpProtocolOptions_HeadersWithUnderscoresAction{
			table.AllowUnderscores:  corev3.HttpProtocolOptions_ALLOW,
			table.RejectUnderscores: corev3.HttpProtocolOptions_REJECT_REQUEST,
			table.DropUnderscores:   corev3.HttpProtocolOptions_DROP_HEADER,
		}[o.Underscores],
	}
}
