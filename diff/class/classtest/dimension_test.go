package classtest_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// dimensionCounts are the requests that each dimension of a table had a part in, by its name.
type dimensionCounts map[string]int

func (c dimensionCounts) add(o dimensionCounts) {
	for name, n := range o {
		c[name] += n
	}
}

func (c dimensionCounts) String() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(c)) {
		list = append(list, fmt.Sprintf("%s %d", name, c[name]))
	}
	return "requests by what decides about them, the winning rule's conditions or outcome: " + strings.Join(list, ", ")
}

// The dimensions that each run shows.
const (
	byRange, byCookie, byQuery, byHeader, byMethod = "range", "cookie", "query parameter", "header", "method"
	byMetadata, byState                            = "dynamic metadata", "filter state"
	byPath, byAuthority                            = "header :path", "header :authority"
	byFraction                                     = "runtime fraction"
	tunnel, tunnel2                                = "CONNECT over HTTP/1.1", "CONNECT over HTTP/2"
	tunnelRefused                                  = "CONNECT without a rule"
	named, namedUnknown, namedNone                 = "cluster_header of a cluster", "cluster_header of an unknown cluster", "cluster_header that is absent"
)

var everyDimension = []string{
	byRange, byCookie, byQuery, byHeader, byMethod, byMetadata, byState, byPath, byAuthority, byFraction,
	tunnel, tunnel2, tunnelRefused, named, namedUnknown, namedNone,
}

// require fails a run that leaves out a dimension.
func (c dimensionCounts) require(t *testing.T, requests int) {
	for _, name := range everyDimension {
		if c[name] < requests/5000 {
			t.Errorf("%s: only %d of %d requests", name, c[name], requests)
		}
	}
}

// countDimensions counts a request once for each dimension that has a part in what a side does with it.
func (p *pair) countDimensions(request table.Request, decisions [2]table.Decision, counts dimensionCounts) {
	met := map[string]bool{}
	for side, d := range decisions {
		if !d.Reached || d.Undecided != "" {
			continue
		}
		if request.Method == http.MethodConnect && d.Rule < 0 {
			met[tunnelRefused] = true
		}
		if d.Rule >= 0 {
			p.dimensionsOf(&p.tables[side].Hosts[d.Host].Rules[d.Rule], side, request, met)
		}
		if len(d.Chances) > 0 {
			met[byFraction] = true
		}
	}
	for name := range met {
		counts[name]++
	}
}

func (p *pair) dimensionsOf(rule *table.Rule, side int, request table.Request, met map[string]bool) {
	for _, c := range slices.Concat(rule.Predicates, rule.Derived) {
		met[dimensionOf(c)] = true
	}
	switch {
	case rule.Connect && request.HTTP2:
		met[tunnel2] = true
	case rule.Connect:
		met[tunnel] = true
	}
	for _, s := range rule.Outcome.Backends {
		header := tabletest.NamedBy(s.Backend)
		if header == "" {
			continue
		}
		arrived, _ := p.evaluators[side].Arrive(request)
		switch values := arrived.Values(table.Header, header); {
		case len(values) == 0:
			met[namedNone] = true
		case slices.Contains(tabletest.Clusters(), values[0]):
			met[named] = true
		default:
			met[namedUnknown] = true
		}
	}
}

func dimensionOf(p table.Predicate) string {
	switch {
	case p.Name == ":path":
		return byPath
	case p.Name == ":authority":
		return byAuthority
	case p.Source == table.Free && p.Name == tabletest.Metadata:
		return byMetadata
	case p.Source == table.Free:
		return byState
	case p.Test == table.Range:
		return byRange
	}
	return map[table.Source]string{table.Header: byHeader, table.Query: byQuery, table.Method: byMethod, table.Cookie: byCookie}[p.Source]
}

// namesCluster tells whether a header of the request has a part in where it goes.
func namesCluster(o table.Outcome) bool {
	return slices.ContainsFunc(o.Backends, func(s table.Share) bool { return tabletest.NamedBy(s.Backend) != "" })
}

// isPlain tells whether request classes decide about all requests: the options are the same, and no rule is of a dimension that they
// leave undecided.
func (p *pair) isPlain() bool {
	for _, t := range p.tables {
		for h := range t.Hosts {
			for i := range t.Hosts[h].Rules {
				if rule := &t.Hosts[h].Rules[i]; len(rule.Derived)+len(rule.Unmodelled) > 0 || rule.Connect || rule.Index < 0 {
					return false
				}
			}
		}
	}
	return p.tables[0].Options.Equal(p.tables[1].Options)
}
