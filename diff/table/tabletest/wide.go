package tabletest

import (
	"math/rand/v2"
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// Dimensions are the kinds of conditions that a random table has beside those of an HTTPRoute.
type Dimensions struct {
	Cookies, Ranges bool
	// Chances are rules that take a part of the requests, and weights that depend on them.
	Chances bool
	// ClusterHeaders are backends that a header of the request names.
	ClusterHeaders bool
	// Free are the names of conditions on what no client sends, of FreeConditions.
	Free []string
	// Derived are conditions on ":path" and ":authority", Connect rules for CONNECT. Request classes leave both undecided.
	Derived, Connect bool
}

// Wide are all dimensions that a client's request decides, and request classes do.
func Wide() Dimensions {
	return Dimensions{Cookies: true, Ranges: true, Chances: true, ClusterHeaders: true}
}

// Widest are Wide and those that request classes leave undecided.
func Widest() Dimensions {
	d := Wide()
	d.Derived, d.Connect = true, true
	return d
}

// RandomWideOptions are RandomOptions with every option that package table models. Port is that of the listener, 0 for none.
func RandomWideOptions(r *rand.Rand, port uint32) table.Options {
	o := RandomOptions(r)
	o.StripTrailingDot, o.IgnorePathParameters = chance(r, 2), chance(r, 2)
	if !o.StripAnyHostPort && chance(r, 2) {
		o.StripHostPort = port
	}
	return o
}

// FreeConditions are the names of the Free conditions of random tables.
func FreeConditions() []string {
	return []string{tlsPresented, tlsValidated, Metadata, StateA, StateB}
}

// The Free conditions, as Read makes them of the matchers that RouteConfiguration writes: dynamic metadata "k" of "f" is there, the
// filter state "k" is "a", or "b".
const (
	Metadata = `dynamic_metadata {filter: "f", path: [{key: "k"}], value: {present_match: true}}`
	StateA   = `filter_state {key: "k", string_match: {exact: "a"}}`
	StateB   = `filter_state {key: "k", string_match: {exact: "b"}}`

	tlsPresented = "tls_context presented"
	tlsValidated = "tls_context validated"
)

// predicate draws a condition, of each dimension about as often as a header.
func (d Dimensions) predicate(r *rand.Rand, options table.Options) table.Predicate {
	var kinds []func() table.Predicate
	if d.Cookies {
		kinds = append(kinds, func() table.Predicate { return randomCookie(r) })
	}
	if d.Ranges {
		kinds = append(kinds, func() table.Predicate { return randomRange(r) })
	}
	if len(d.Free) > 0 {
		kinds = append(kinds, func() table.Predicate { return randomFree(r, d.Free) })
	}
	if len(kinds) > 0 && chance(r, 2) {
		return pick(r, kinds...)()
	}
	return randomPredicate(r, options)
}

// randomFree: there is no inverted matcher of filter state.
func randomFree(r *rand.Rand, names []string) table.Predicate {
	p := table.Predicate{Source: table.Free, Name: pick(r, names...), Test: table.Present}
	p.Invert = p.Name != StateA && p.Name != StateB && chance(r, 3)
	return p
}

func randomCookie(r *rand.Rand) table.Predicate {
	p := randomTest(r, table.Predicate{Source: table.Cookie, Name: pick(r, "s", "s", "sid", "S")})
	if p.Test == table.Present { // no cookie matcher asks for that alone
		p.Test, p.Value = table.Exact, pick(r, `"`, `"1`, "1 ", "a=b")
	}
	p.Invert = chance(r, 3)
	return p
}

var ranges = []string{"1 3", "0 1", "-5 2", "2 13", "12 13", "5 5", "7 3", "-9223372036854775808 9223372036854775807"}

func randomRange(r *rand.Rand) table.Predicate {
	return table.Predicate{
		Source: table.Header, Name: pick(r, "x-env", "x-user", "accept"), Test: table.Range, Value: pick(r, ranges...),
		Invert: chance(r, 4), MissingAsEmpty: chance(r, 5),
	}
}

// chance draws the condition of a rule that takes a part of the requests; nil for all of them.
func (d Dimensions) chance(r *rand.Rand) *table.Chance {
	if !d.Chances || !chance(r, 4) {
		return nil
	}
	c := pick(r, table.Chance{Numerator: 30, Denominator: 100}, table.Chance{Numerator: 50, Denominator: 100}, table.Chance{Denominator: 100},
		table.Chance{Numerator: 99, Denominator: 100}, table.Chance{Numerator: 5000, Denominator: 10_000}, table.Chance{Numerator: 2575, Denominator: 10_000},
		table.Chance{Numerator: 300_001, Denominator: 1_000_000})
	c.RuntimeKey = pick(r, "", "", "canary")
	return &c
}

// outcome draws an outcome; beside chances, the weights are of several sums and in no order.
func (d Dimensions) outcome(r *rand.Rand) table.Outcome {
	if d.ClusterHeaders && chance(r, 10) {
		return byHeader(r)
	}
	if !d.Chances || !chance(r, 4) {
		return RandomOutcome(r)
	}
	weights := pick(r, []uint64{50, 50}, []uint64{90, 10}, []uint64{1, 9}, []uint64{30, 70}, []uint64{1, 1, 1}, []uint64{20, 50, 30}, []uint64{1, 6}, []uint64{5000, 5000})
	names := shuffled(r, Clusters())
	shares := make([]table.Share, len(weights))
	for i, weight := range weights {
		shares[i] = table.Share{Backend: table.Backend{Cluster: names[i]}, Weight: weight}
	}
	o := table.Split(shares...)
	o.Treatment = timeout(r)
	return o
}

// numbersNear are texts on either side of the borders of ranges, and texts that are no number to Envoy.
var numbersNear = []string{
	"0", "1", "2", "3", "12", "13", "-5", "-6", "+2", "-0", "007", " 2", "2\t", "2 ", "\t 1 \t", "2.0", "0x2", "1_0", "- 1", "+", "--1", "", "1e0",
	"9223372036854775806", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "00000000000000000000000012",
	"1,2", "1;", "\xb2",
}

// addCookies adds a line with these cookies, bent: other names around, doubled names, several lines, blanks, quotes, no "=".
func addCookies(r *rand.Rand, request *table.Request, cookies ...string) {
	pieces := slices.Clone(cookies)
	for chance(r, 2) {
		pieces = slices.Insert(pieces, r.IntN(len(pieces)+1), pick(r, "t=1", "s=2", "s", "sid", " s=a", "s =1", "S=1", "=1", "", " ", "s=", `s=""`, "\ts=1", "sid=a=b"))
	}
	line := ""
	for i, piece := range pieces {
		if i > 0 {
			if chance(r, 6) {
				request.Headers = append(request.Headers, table.Field{Name: "cookie", Value: line})
				line = ""
			} else {
				line += pick(r, "; ", "; ", ";", ";  ", " ;", ";\t")
			}
		}
		line += piece
	}
	request.Headers = append(request.Headers, table.Field{Name: "cookie", Value: line})
}

// cookieValue writes a value with the quotes that Envoy takes off, or with one that it does not.
func cookieValue(r *rand.Rand, value string) string {
	switch {
	case chance(r, 6):
		return `"` + value + `"`
	case chance(r, 12):
		return `"` + value
	case chance(r, 12):
		return value + pick(r, " ", "\t", `"`)
	}
	return value
}
