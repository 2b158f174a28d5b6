package judgetest

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// Disagreement says in what Envoy's answer is not the evaluator's, with the rules that either chose; "" where they agree.
func Disagreement(tested *table.Table, request table.Request, decision table.Decision, answer envoytest.Answer) string {
	problem := disagreement(tested, request, decision, answer)
	if problem == "" {
		return ""
	}
	return fmt.Sprintf("%s\nrequest %#v\noptions %+v\nevaluator %+v\nEnvoy %+v%s",
		problem, request, tested.Options, decision, answer, ruleText(tested, decision, answer.Route))
}

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
		if problem := unequal("status", statusOf(decision.Outcome), answer.Status); problem != "" || answer.Status != 307 {
			return problem
		}
		return elsewhere(decision.Path, answer)
	}
	want, possible := taken(tested, decision, answer.Route)
	if !possible {
		return fmt.Sprintf("Envoy takes the rule %q", answer.Route)
	}
	if decision.Path != answer.Path {
		return fmt.Sprintf("path %q, but Envoy sees %q", decision.Path, answer.Path)
	}
	end := ending{cluster: answer.Cluster, named: naming(tested, request)}
	if !end.of(decision.Outcome, want) {
		return "an end that the number which Envoy draws does not lead to"
	}
	switch want.Kind {
	case table.ToBackends:
		return end.unlike(want, answer)
	case table.Redirected:
		if problem := unequal("status", int(want.Status), answer.Status); problem != "" {
			return problem
		}
		if request.Method == http.MethodConnect {
			return elsewhere("", answer) // Envoy makes a location for a request with a path alone
		}
		// Path and Host of the answer are those that Envoy had in hand, after normalisation.
		return elsewhere(locationOf(want.Location, request, tested.Options, answer), answer)
	}
	return unequal("status", statusOf(want), answer.Status)
}

// taken is the outcome of the rule that Envoy took, if it is one of those that may take the request. A rule that stands for an
// option of the virtual host is no route of Envoy's.
func taken(tested *table.Table, decision table.Decision, route string) (o table.Outcome, possible bool) {
	if decision.Rule < 0 && route == "" {
		return table.Outcome{Kind: table.NoRoute}, true
	}
	for _, i := range append(decision.Chances[:len(decision.Chances):len(decision.Chances)], decision.Rule) {
		if i < 0 {
			continue
		}
		rule := tested.Hosts[decision.Host].Rules[i]
		if rule.Name == route || rule.Index < 0 && route == "" {
			return rule.Outcome, true
		}
	}
	return table.Outcome{}, false
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

func elsewhere(want string, answer envoytest.Answer) string {
	if got := answer.Headers.Get("location"); got != want {
		return fmt.Sprintf("location %q, but Envoy's is %q", want, got)
	}
	return ""
}

// ruleText shows the rules that either side chose.
func ruleText(tested *table.Table, decision table.Decision, route string) string {
	text := ""
	for h, host := range tested.Hosts {
		for i, rule := range host.Rules {
			if rule.Name == route || h == decision.Host && (i == decision.Rule || slices.Contains(decision.Chances, i)) {
				text += fmt.Sprintf("\n%s of %q: %+v %+v %+v", rule.Name, host.Domains, rule.Path, append(rule.Predicates[:len(rule.Predicates):len(rule.Predicates)], rule.Derived...), rule.Chance)
			}
		}
	}
	return text
}
