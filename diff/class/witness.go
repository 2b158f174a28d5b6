package class

import (
	"cmp"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

// example is a place where a change was found.
type example struct {
	pair *hostPair
	cell *pathCell
	*change
}

// better prefers a request that sends no header twice, then a short path, then the first hosts.
func (e *example) better(o *example) bool {
	if e.once != o.once {
		return e.once
	}
	return cmp.Or(
		cmp.Compare(len(e.cell.witness), len(o.cell.witness)),
		strings.Compare(e.cell.witness, o.cell.witness),
		cmp.Compare(e.pair.cells[0], o.pair.cells[0]),
	) < 0
}

// request writes the example as a client sends it.
func (c *comparison) request(p *hostPair, cell *pathCell, solution solution) table.Request {
	before, after := c.tables[beforeSide].Options, c.tables[afterSide].Options
	host, _ := sendableHost(c.space.cells[p.cells[0]].witness, before, after)
	r := table.Request{Method: "GET", Scheme: "http", Host: host, Path: sendablePath(cell.witness, before, after)}
	if c.tables[afterSide].TLS {
		r.Scheme = "https"
	}
	var query, cookies []string
	for _, h := range solution {
		v := cell.variables[h.variable]
		for _, value := range h.values(v) {
			switch v.source {
			case table.Method:
				r.Method = value
			case table.Query:
				query = append(query, parameter(v.name, value))
			case table.Header:
				r.Headers = append(r.Headers, table.Field{Name: v.name, Value: value})
			case table.Cookie:
				cookies = append(cookies, cookie(v.name, value))
			case table.Free:
				r.Holds = append(r.Holds, v.name)
			}
		}
	}
	if len(query) > 0 {
		r.Path += "?" + strings.Join(query, "&")
	}
	if len(cookies) > 0 {
		r.Headers = append(r.Headers, table.Field{Name: "cookie", Value: cookieLine(cookies)})
	}
	slices.Sort(r.Holds)
	hasType := slices.ContainsFunc(r.Headers, func(f table.Field) bool { return f.Name == contentType })
	if r.Method == queryMethod && !hasType {
		r.Headers = append(r.Headers, table.Field{Name: contentType, Value: "text/plain"})
	}
	r.HTTP2 = needsHTTP2(r)
	return r
}

func parameter(name, value string) string {
	if value == "" && name != "" {
		return name
	}
	return name + "=" + value
}

// needsHTTP2: HTTP/1.1 has a closed list of methods, no bytes from 0x80 in a path, and trims values.
func needsHTTP2(r table.Request) bool {
	trimmed := func(f table.Field) bool { return strings.Trim(f.Value, " \t") != f.Value }
	beyondASCII := func(r rune) bool { return r >= 0x80 }
	return !slices.Contains(knownMethods, r.Method) || strings.IndexFunc(r.Path, beyondASCII) >= 0 || slices.ContainsFunc(r.Headers, trimmed)
}

// confirm writes the example into a class and lets the evaluators of both sides judge it. A reason says that they do not
// agree; the class is then not reported as decided.
func (c *comparison) confirm(class *Class, d *draft) (reason string) {
	e := d.example
	class.Witness = c.request(e.pair, e.cell, e.solution)
	before, after := c.judge(beforeSide, e.pair, class.Witness), c.judge(afterSide, e.pair, class.Witness)
	if !before.Reached || !after.Reached || before.Undecided != "" || after.Undecided != "" {
		return "the example request could not be confirmed"
	}
	sameBackend := table.SameBackends(before.Outcome, after.Outcome)
	if before.Outcome.Key() == after.Outcome.Key() || sameBackend != (class.Facet == FacetTreatment) || !class.Contains(class.Witness) {
		return "the example request did not confirm the class"
	}
	class.WinnerBefore, class.WinnerAfter, class.RunnerUp = before.winner(), after.winner(), after.runnerUp()
	class.Edits = c.explain(e.pair, class.Edit, &before, &after)
	class.Before = c.outcomesOf(d, beforeSide, before.Outcome)
	class.After = c.outcomesOf(d, afterSide, after.Outcome)
	class.MoreOutcomes = slices.Contains(d.outcomes[beforeSide], hiddenOutcome) || slices.Contains(d.outcomes[afterSide], hiddenOutcome)
	return ""
}

// outcomesOf lists the outcomes of a side, the example's first.
func (c *comparison) outcomesOf(d *draft, s side, first table.Outcome) []table.Outcome {
	out := []table.Outcome{first}
	key := first.Key()
	for _, n := range d.outcomes[s] {
		if n != hiddenOutcome && c.outcomes.known[n].Key() != key {
			out = append(out, c.outcomes.known[n])
		}
	}
	return out
}
