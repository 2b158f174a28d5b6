package diff

import (
	"slices"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/files"
)

// Compared is one Gateway as it was compared: what a certificate gives account of. A set is nil where the Gateway is not.
type Compared struct {
	Before, After *files.Set
	Places        []ComparedPlace
	// Backends are those that both sides use and reach otherwise.
	Backends []table.Backend
}

// ComparedPlace is a set of connections with the tables that answer it.
type ComparedPlace struct {
	// Port, or Listener where it has no port.
	Port     uint32
	TLS      bool
	Listener string
	// ServerNames that lead here on at least one side, "" for every name that is not listed.
	ServerNames []string
	// Scope is the key of a scope of routes (table.RouteScope), "" for all requests.
	Scope string
	// BeforeIndex and AfterIndex count the tables of the sets as table.Read gives them; -1 where Before or After is nil.
	BeforeIndex, AfterIndex int
	Before, After           *table.Table
	// Result is nil where one side has no table, unless that leaves something undecided.
	Result *class.Result
}

// accountFor begins the account of a Gateway.
func (c *gatewayComparison) accountFor(pairs []pair, before, after []*table.Table) {
	c.account = Compared{Before: c.gateway.before, After: c.gateway.after}
	for _, p := range pairs {
		c.account.Places = append(c.account.Places, ComparedPlace{
			Port: p.port, TLS: p.tls, Listener: p.name, ServerNames: p.names, Scope: p.scope.Key, Before: p.before, After: p.after,
			BeforeIndex: slices.Index(before, p.before), AfterIndex: slices.Index(after, p.after),
		})
	}
}

// accountResult notes how a pair was decided.
func (c *gatewayComparison) accountResult(p pair, result *class.Result) {
	for i := range c.account.Places {
		if one := &c.account.Places[i]; one.Before == p.before && one.After == p.after {
			one.Result = result
		}
	}
}
