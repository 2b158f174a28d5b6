package diff

import (
	"maps"
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
				for b := range backendsOf(x.table.Hosts[h].Rules[r].Outcome) {
					x.byBackend[b] = append(x.byBackend[b], class.RuleRef{Host: h, Rule: r})
				}
			}
		}
	}
	return x.byBackend[b]
}

// backendsOf are all backends to which an outcome may send a request.
func backendsOf(o table.Outcome) map[table.Backend]bool {
	backends := map[table.Backend]bool{}
	for _, s := range o.Backends {
		backends[s.Backend] = true
	}
	for _, p := range o.Parts {
		maps.Copy(backends, backendsOf(p.Outcome))
	}
	return backends
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
// so what it returns is true, even where a rule ahead took the first guesses. Its host leads to the pair, if one is found.
func (x *examples) request(p pair, rules []class.RuleRef, wanted func(table.Outcome) bool) *table.Request {
	if x.evaluator == nil {
		x.evaluator = table.Compile(x.table)
	}
	rules = rules[:min(len(rules), maxExamples)]
	if p.misleads() {
		if found := x.try(rules, wanted, func(domain string) []string { return p.hosts(domainSet(domain)) }); found != nil {
			return found
		}
	}
	return x.try(rules, wanted, func(domain string) []string { return []string{hostOf(domain)} })
}

func (x *examples) try(rules []class.RuleRef, wanted func(table.Outcome) bool, hosts func(domain string) []string) *table.Request {
	for _, ref := range rules {
		host := x.table.Hosts[ref.Host]
		if len(host.Domains) == 0 {
			continue
		}
		for _, name := range hosts(host.Domains[0]) {
			request := requestOf(x.table, name, &host.Rules[ref.Rule])
			if d := x.evaluator.Evaluate(request); d.Undecided == "" && wanted(d.Outcome) {
				return &request
			}
		}
	}
	return nil
}

// requestOf guesses a request that a rule matches.
func requestOf(t *table.Table, host string, rule *table.Rule) table.Request {
	r := table.Request{Method: "GET", Scheme: "http", Host: host, Path: "/"}
	if t.TLS {
		r.Scheme = "https"
	}
	if rule.Path.Kind != table.PathRegex && strings.HasPrefix(rule.Path.Value, "/") {
		r.Path = rule.Path.Value
	}
	for _, p := range rule.Predicates {
		if !p.Invert && p.Test != table.Regex {
			demand(&r, p)
		}
	}
	return r
}

// demand adds to a request what makes a predicate hold.
func demand(r *table.Request, p table.Predicate) {
	value := p.Value
	if p.Test == table.Range {
		value, _, _ = strings.Cut(value, " ")
	}
	switch p.Source {
	case table.Method:
		r.Method = value
	case table.Query:
		r.Path += separator(r.Path) + p.Name + "=" + value
	case table.Header:
		r.Headers = append(r.Headers, table.Field{Name: p.Name, Value: value})
	case table.Cookie:
		r.Headers = append(r.Headers, table.Field{Name: "cookie", Value: p.Name + "=" + value})
	case table.Free:
		r.Holds = append(r.Holds, p.Name)
	}
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
