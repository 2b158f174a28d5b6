package table

import (
	"fmt"
	"net/http"
	"regexp"
)

// Decision is what becomes of one request.
type Decision struct {
	// Reached: the request reached the router. Otherwise Envoy answered before it chose a route, and Outcome is that answer.
	Reached bool
	// Path is the path, with the query, as the router sees it, or where an escaped slash is redirected to; "" if neither.
	Path string
	// Host and Rule are indexes into Table.Hosts and Host.Rules, -1 for none. Rule is the first without a Chance.
	Host, Rule int
	// Chances are the indexes of the rules ahead of it that take a part of such requests.
	Chances []int
	// Outcome is that of the rule, mixed with those of Chances; NoRoute where there is none.
	Outcome Outcome
	// Undecided is why nothing is known, or "". Outcome is then not to be used; Host and Rule are where it became unknown.
	Undecided string
}

// Evaluate says what Envoy does with one request. For many requests to one table, Compile once.
func (t *Table) Evaluate(r Request) Decision { return Compile(t).Evaluate(r) }

// Evaluator evaluates requests against one table, which must not change meanwhile. It may be used by several goroutines.
type Evaluator struct {
	table *Table
	hosts hostIndex
	// regexes by pattern; nil for one that cannot be compiled.
	regexes map[string]*regexp.Regexp
}

// Compile prepares a table for many requests.
func Compile(t *Table) *Evaluator {
	e := &Evaluator{table: t, hosts: indexHosts(t.Hosts), regexes: map[string]*regexp.Regexp{}}
	for _, host := range t.Hosts {
		for i := range host.Rules {
			for _, pattern := range host.Rules[i].patterns() {
				if _, done := e.regexes[pattern]; !done {
					e.regexes[pattern], _ = compileRegex(pattern)
				}
			}
		}
	}
	return e
}

// patterns are the regular expressions of a rule.
func (r *Rule) patterns() []string {
	var list []string
	if r.Path.Kind == PathRegex {
		list = append(list, r.Path.Value)
	}
	for _, conditions := range [][]Predicate{r.Predicates, r.Derived} {
		for _, p := range conditions {
			if p.Test == Regex {
				list = append(list, p.Value)
			}
		}
	}
	return list
}

// Evaluate says what Envoy does with one request: what reaches the router, the virtual host, the first rule that matches.
func (e *Evaluator) Evaluate(r Request) Decision {
	d := Decision{Host: -1, Rule: -1, Outcome: Outcome{Kind: NoRoute}}
	if len(e.table.Options.Unmodelled) > 0 {
		d.Undecided = "not modelled: " + e.table.Options.Unmodelled[0]
		return d
	}
	seen, status := arrive(r, e.table.Options)
	if status != 0 {
		d.Outcome = Outcome{Kind: Answered, Status: status}
		if status == http.StatusTemporaryRedirect {
			d.Path = seen.target()
		}
		return d
	}
	if !e.table.Options.UseRemoteAddress && emptyForwardedProto(seen) {
		return d // Envoy finds no route at all for such a request, whatever the table says
	}
	d.Reached, d.Path = true, seen.target()
	d.Host = e.hosts.find(seen.host, e.table.Options)
	if d.Host < 0 {
		return d
	}
	e.choose(&d, &seen)
	return d
}

// choose finds the rule. A rule with a chance takes some requests, and leaves the others to those behind it.
func (e *Evaluator) choose(d *Decision, seen *arrival) {
	rules := e.table.Hosts[d.Host].Rules
	for i := range rules {
		rule := &rules[i]
		if rule.takesNothing() || !e.matches(rule, seen) {
			continue
		}
		if d.Undecided = e.doubt(rule, seen); d.Undecided != "" {
			d.Rule = i
			return
		}
		if rule.Chance == nil {
			d.Rule, d.Outcome = i, rule.Outcome
			break
		}
		d.Chances = append(d.Chances, i)
	}
	if len(d.Chances) > 0 {
		d.Outcome = mixChances(rules, d.Chances, d.Outcome)
	}
}

// takesNothing: a chance of nothing.
func (r *Rule) takesNothing() bool { return r.Chance != nil && r.Chance.Numerator == 0 }

func mixChances(rules []Rule, chances []int, last Outcome) Outcome {
	stages := make([]Stage, len(chances))
	for k, i := range chances {
		stages[k] = Stage{Chance: *rules[i].Chance, Outcome: rules[i].Outcome}
	}
	return Mix(stages, last)
}

// emptyForwardedProto: the client sends the scheme as an empty text. With use_remote_address Envoy writes it itself.
func emptyForwardedProto(a arrival) bool {
	values := a.headers[forwardedProto]
	return len(values) > 0 && values[0] == ""
}

// doubt is why a rule whose known conditions hold may still not match, or do something else, or "".
func (e *Evaluator) doubt(rule *Rule, a *arrival) string {
	if a.method == connectMethod && !rule.Connect {
		// Whether Envoy lets CONNECT through comes before the redirect of require_tls.
		return "CONNECT to a virtual host with the option " + rule.Name
	}
	for _, pattern := range rule.patterns() {
		if e.regexes[pattern] == nil {
			return fmt.Sprintf("regular expression %q", pattern)
		}
	}
	if len(rule.Unmodelled) > 0 {
		return "not modelled: " + rule.Unmodelled[0]
	}
	return ""
}

// fullMatch matches a whole text. A pattern that is not understood matches any.
func (e *Evaluator) fullMatch(pattern, text string) bool {
	re := e.regexes[pattern]
	return re == nil || re.MatchString(latin1(text))
}
