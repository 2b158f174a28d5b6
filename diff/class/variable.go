package class

import (
	"errors"
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// variable is one named value of a request (a header, a query parameter, a cookie, the method, a free condition) with the tests
// that are put to it.
//
// Its atoms are the combinations of test results that a value can have. What a request holds is: nothing (absent), or one
// value, or for an ordinary header a set of values, each compared by itself.
//
// Lemma 10 (sets of values). Some set of values meets "some value passes t" for all t of N and "no value passes f" for all f of F
// exactly if for each t of N one atom passes t and no f of F (and, if N is empty, one atom passes no f of F).
//
// Proof. In a set that meets all, the value that passes t passes no f, so its atom is as asked. The other way, the values of the
// atoms asked for make a set: each t is passed by its own, and no f by any. So a header with 200 exact values stays 201 atoms,
// although all 2^200 subsets of the values can be sent.
type variable struct {
	source table.Source
	name   string
	// several: the request may hold several values at once.
	several bool
	// absent: the request may lack it.
	absent bool
	tests  map[test]int
	// atoms are the values that show each combination, the most usual first.
	atoms []string
	// passing holds for each test the atoms that pass it.
	passing []bitset
	// emptyPasses holds for each test whether the empty text passes.
	emptyPasses []bool
}

func (v *variable) all() bitset { return fullBitset(len(v.atoms)) }

// knownMethods are those of Envoy's HTTP/1.1, the usual ones first; HTTP/2 takes any token. CONNECT has no path, so no rule
// with a path takes it. QUERY needs a content-type.
var knownMethods = strings.Fields(`GET POST PUT DELETE PATCH HEAD OPTIONS TRACE ACL BIND CHECKOUT COPY LINK LOCK MERGE MKACTIVITY
	MKCALENDAR MKCOL MOVE MSEARCH NOTIFY PROPFIND PROPPATCH PURGE REBIND REPORT SEARCH SOURCE SUBSCRIBE UNBIND UNLINK UNLOCK
	UNSUBSCRIBE QUERY`)

// newVariable finds the atoms of a variable under the tests.
func newVariable(source table.Source, name string, tests []test, o table.Options, p *patterns, limit int) (*variable, error) {
	v := &variable{
		source: source, name: name, absent: source != table.Method,
		several: source == table.Header && !table.OneValue(name),
		tests:   make(map[test]int, len(tests)),
	}
	for i, t := range tests {
		v.tests[t] = i
	}
	if err := v.findAtoms(tests, sendableName(source, name, o), p, limit); err != nil {
		if errors.Is(err, automaton.ErrBudget) {
			return nil, fmt.Errorf("the conditions on %q overlap in too many ways to decide", diagnostic.Clip(name))
		}
		return nil, fmt.Errorf("values of %q: %w", diagnostic.Clip(name), err)
	}
	return v, nil
}

// sendableName tells whether a request can hold the variable at all.
func sendableName(source table.Source, name string, o table.Options) bool {
	switch source {
	case table.Header:
		return isToken(name) && (o.Underscores == table.AllowUnderscores || !strings.Contains(name, "_"))
	case table.Query:
		return !strings.ContainsAny(name, "&=# \t\x7f") && strings.IndexFunc(name, func(r rune) bool { return r < ' ' }) < 0
	case table.Cookie:
		return sendableCookie(name)
	default:
		return true
	}
}

// isToken is the grammar of header names (RFC 9110, 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		if !isLetter(rune(s[i])) && (s[i] < '0' || s[i] > '9') && strings.IndexByte("!#$%&'*+-.^_`|~", s[i]) < 0 {
			return false
		}
	}
	return s != ""
}

// findAtoms tries the usual values, the values that exact tests name, and then all others by the product of the remaining
// tests' automata.
func (v *variable) findAtoms(tests []test, sendable bool, p *patterns, limit int) error {
	c := atomCollector{variable: v, patterns: p, limit: limit, known: map[string]bool{}}
	if v.source == table.Method {
		c.values = append(c.values, knownMethods...)
		for _, apart := range []string{connectMethod, queryMethod} {
			c.singled = append(c.singled, automaton.Literal{Kind: automaton.Exact, Text: apart})
		}
	}
	v.emptyPasses = make([]bool, len(tests))
	for i, t := range tests {
		d, err := p.test(t)
		if err != nil {
			return err
		}
		c.tests = append(c.tests, d)
		v.emptyPasses[i] = d.Matches("")
		if t.kind != table.Exact || t.ignoreCase {
			c.product = append(c.product, d)
			continue
		}
		c.values = append(c.values, t.value)
		c.singled = append(c.singled, automaton.Literal{Kind: automaton.Exact, Text: t.value})
	}
	if v.source != table.Method && v.source != table.Free {
		c.values = append(c.values, "other")
	}
	if sendable {
		if err := c.collect(); err != nil {
			return err
		}
	}
	v.fill(c.truths)
	return nil
}

// atomCollector finds the combinations of results of tests.
type atomCollector struct {
	*variable
	*patterns
	limit int
	tests []*automaton.DFA
	// values are tried by themselves; singled among them are left out of the product of the other tests.
	values  []string
	singled []automaton.Literal
	product []*automaton.DFA
	known   map[string]bool
	truths  [][]bool
}

// languagesOf are the values that reach the router, the usual ones before those that only HTTP/2 carries.
func languagesOf(s table.Source) []string {
	switch s {
	case table.Header:
		return []string{headerValues, http2HeaderValues}
	case table.Query:
		return []string{queryValues, http2QueryValues}
	case table.Cookie:
		return []string{cookieValues, allCookieValues}
	case table.Free:
		return []string{noValue}
	default:
		return []string{methods}
	}
}

func (c *atomCollector) collect() error {
	for _, pattern := range languagesOf(c.source) {
		language, err := c.compile(pattern)
		if err != nil {
			return err
		}
		for _, value := range c.values {
			if language.Matches(value) && (c.source != table.Method || value != connectMethod) {
				c.add(value)
			}
		}
		e := automaton.Exploration{Without: c.singled, Language: language, Tests: c.product, Limit: c.limit}
		found, err := e.Run()
		if err != nil {
			return err
		}
		for _, vector := range found {
			c.add(vector.Witness)
		}
	}
	return nil
}

func (c *atomCollector) add(value string) {
	truth := make([]bool, len(c.tests))
	key := make([]byte, 0, len(c.tests)+1)
	for i, d := range c.tests {
		truth[i] = d.Matches(value)
		if truth[i] {
			key = append(key, byte(i), byte(i>>8))
		}
	}
	if c.source == table.Method && value == queryMethod {
		key = append(key, 'Q') // an atom of its own, for needsContentType
	}
	if !c.known[string(key)] {
		c.known[string(key)] = true
		c.atoms, c.truths = append(c.atoms, value), append(c.truths, truth)
	}
}

// queryMethod is refused by Envoy without a content-type.
const queryMethod = "QUERY"

func (v *variable) fill(truths [][]bool) {
	v.passing = make([]bitset, len(v.tests))
	for t := range v.passing {
		v.passing[t] = newBitset(len(v.atoms))
		for a := range v.atoms {
			if truths[a][t] {
				v.passing[t].add(a)
			}
		}
	}
}
