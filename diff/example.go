package diff

import (
	"strings"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
)

// maxExamples bounds the rules that are tried for one example. An example is a help, not a finding.
const maxExamples = 1000

// examples makes requests to one table. What is costly is made when it is first asked for.
type examples struct {
	table     *table.Table
	evaluator *table.Evaluator
	byBackend map[table.Backend][]class.RuleRef
}

// examples of a table of this Gateway.
func (c *gatewayComparison) examples(t *table.Table) *examples {
	if c.exampled[t] == nil {
		c.exampled[t] = &examples{table: t}
	}
	return c.exampled[t]
}

// to are the rules that send requests to a backend.
func (x *examples) to(b table.Backend) []class.RuleRef {
	if x.byBackend == nil {
		x.byBackend = map[table.Backend][]class.RuleRef{}
		for h := range x.table.Hosts {
			for r := range x.table.Hosts[h].Rules {
				for _, s := range x.table.Hosts[h].Rules[r].Outcome.Backends {
					x.byBackend[s.Backend] = append(x.byBackend[s.Backend], class.RuleRef{Host: h, Rule: r})
				}
			}
		}
	}
	return x.byBackend[b]
}

// with are the rules whose outcome is as wanted.
func (x *examples) with(wanted func(table.Outcome) bool) []class.RuleRef {
	var refs []class.RuleRef
	for h := range x.table.Hosts {
		for r := range x.table.Hosts[h].Rules {
			if wanted(x.table.Hosts[h].Rules[r].Outcome) {
				refs = append(refs, class.RuleRef{Host: h, Rule: r})
			}
		}
	}
	return refs
}

// request is one whose outcome is as wanted, or nil. It is made of the literals of one of the rules and then evaluated,
// so what it returns is true, even where a rule ahead took the first guesses.
func (x *examples) request(rules []class.RuleRef, wanted func(table.Outcome) bool) *table.Request {
	if x.evaluator == nil {
		x.evaluator = table.Compile(x.table)
	}
	for _, ref := range rules[:min(len(rules), maxExamples)] {
		host := x.table.Hosts[ref.Host]
		if len(host.Domains) == 0 {
			continue
		}
		request := requestOf(x.table, host.Domains[0], &host.Rules[ref.Rule])
		if d := x.evaluator.Evaluate(request); d.Undecided == "" && wanted(d.Outcome) {
			return &request
		}
	}
	return nil
}

// requestOf guesses a request that a rule matches.
func requestOf(t *table.Table, domain string, rule *table.Rule) table.Request {
	r := table.Request{Method: "GET", Scheme: "http", Host: hostOf(domain), Path: "/"}
	if t.TLS {
		r.Scheme = "https"
	}
	if rule.Path.Kind != table.PathRegex && strings.HasPrefix(rule.Path.Value, "/") {
		r.Path = rule.Path.Value
	}
	for _, p := range rule.Predicates {
		if p.Invert || p.Test == table.Regex {
			continue
		}
		switch p.Source {
		case table.Method:
			r.Method = p.Value
		case table.Query:
			r.Path += separator(r.Path) + p.Name + "=" + p.Value
		case table.Header:
			r.Headers = append(r.Headers, table.Field{Name: p.Name, Value: p.Value})
		}
	}
	return r
}

func separator(path string) string {
	if strings.Contains(path, "?") {
		return "&"
	}
	return "?"
}

// hostOf is a name within a domain.
func hostOf(domain string) string {
	switch {
	case domain == "*":
		return "host.example"
	case strings.HasPrefix(domain, "*"):
		return "a" + domain[1:]
	case strings.HasSuffix(domain, "*"):
		return domain[:len(domain)-1] + "example"
	}
	return domain
}
