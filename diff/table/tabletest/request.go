package tabletest

import (
	"cmp"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

// Requests draws requests that lie near the borders of the tables' rules: made of their literals, then bent (dot segments,
// escapes, doubled slashes, ports, repeated headers, other case, empty values). All are legal bytes of HTTP/1.1, though not
// all reach the router.
func Requests(r *rand.Rand, n int, tables ...*table.Table) []table.Request {
	requests := make([]table.Request, n)
	for i := range requests {
		requests[i] = randomRequest(r, pick(r, tables...))
	}
	return requests
}

func randomRequest(r *rand.Rand, t *table.Table) table.Request {
	host, rule := pickRule(r, t)
	request := table.Request{
		Method: pick(r, "GET", "GET", "GET", "POST", "PUT", "DELETE"),
		Scheme: "http",
		Host:   randomHostName(r, host.Domains, t.Options),
		Path:   bentPath(r, pathNear(r, rule.Path)),
	}
	query := noiseQuery(r)
	for _, name := range []string{"x-env", "x-user", "accept", "user-agent", "x_u"} {
		for chance(r, 7) {
			request.Headers = append(request.Headers, table.Field{Name: name, Value: randomValue(r)})
		}
	}
	if !chance(r, 3) {
		query = satisfy(r, rule, &request, query)
	}
	if chance(r, 30) {
		request.Headers = append(request.Headers, table.Field{Name: "connection", Value: pick(r, "x-env", "close, X-User", "keep-alive", "x-env, x-forwarded-proto", "Host")})
	}
	if chance(r, 60) {
		request.Headers = append(request.Headers, table.Field{Name: "x-forwarded-proto", Value: pick(r, "http", "")})
	}
	if chance(r, 12) {
		addCookies(r, &request)
	}
	if named := clusterHeaderOf(rule.Outcome); named != "" && !chance(r, 5) || chance(r, 20) {
		name := cmp.Or(named, "x-cluster")
		for chance(r, 6) {
			request.Headers = append(request.Headers, table.Field{Name: name, Value: randomClusterName(r)})
		}
		request.Headers = append(request.Headers, table.Field{Name: name, Value: randomClusterName(r)})
	}
	for _, name := range FreeConditions() {
		if chance(r, 8) {
			request.Holds = append(request.Holds, name)
		}
	}
	if len(query) > 0 || chance(r, 20) {
		request.Path += "?" + strings.Join(query, "&")
	}
	if rule.Connect && !chance(r, 5) || chance(r, 100) {
		asConnect(r, &request)
	}
	r.Shuffle(len(request.Headers), func(i, j int) {
		request.Headers[i], request.Headers[j] = request.Headers[j], request.Headers[i]
	})
	return request
}

// clusterHeaderOf is the header that names the cluster, or one of them, "" for none.
func clusterHeaderOf(o table.Outcome) string {
	for _, s := range o.Backends {
		if header := NamedBy(s.Backend); header != "" {
			return header
		}
	}
	return ""
}

// randomClusterName is mostly that of a cluster.
func randomClusterName(r *rand.Rand) string {
	if chance(r, 3) {
		return pick(r, "nosuch", "", "Orders", "orders,cart", "web ", " web", "\xff", "generation.oracle")
	}
	return pick(r, Clusters()...)
}

// asConnect makes a request ask for a tunnel: no path, and mostly a port.
func asConnect(r *rand.Rand, request *table.Request) {
	request.Method, request.Path = http.MethodConnect, ""
	if !chance(r, 4) && !strings.Contains(request.Host, ":") {
		request.Host += pick(r, ":80", ":80", ":443", ":080", ":65535", ":65536", ":8080", ":0", ":", ":x")
	}
	if chance(r, 12) {
		request.Host = pick(r, "[::1]:80", "[::1]", "[::g]:80", "[fe80::1%25e]:80", "[fe80::1%7]:80", "[.]:80", "[1.2.3.4]:80", "[::00001]:80", "1..2:80", "a_b.example:80", "a@shop.example:80", ":80", "shop.example:80:80", "", "shop.example:+80")
	}
	if chance(r, 30) {
		request.Path = pick(r, "/", "/a", "*")
	}
}

func pickRule(r *rand.Rand, t *table.Table) (table.Host, table.Rule) {
	if len(t.Hosts) == 0 {
		return table.Host{}, table.Rule{}
	}
	host := pick(r, t.Hosts...)
	if len(host.Rules) == 0 {
		return host, table.Rule{}
	}
	return host, pick(r, host.Rules...)
}

func randomHostName(r *rand.Rand, domains []string, options table.Options) string {
	name := pick(r, append([]string{"shop.example", "a.shop.example", "q.example", "other.test"}, domains...)...)
	if len(domains) > 0 && chance(r, 2) {
		name = pick(r, domains...)
	}
	switch {
	case strings.HasPrefix(name, "*"):
		name = pick(r, "a", "z", "q.z", "b", "Z", "", "k-") + name[1:]
	case strings.HasSuffix(name, "*"):
		name = name[:len(name)-1] + pick(r, "org", "x.com", "o")
	}
	switch {
	case chance(r, 12):
		name += pick(r, ":80", ":", ":8x", ".", ":99999999999", "..", ".:80", ":80.", ":+80", ":080", ":-80", ".:", ":4294967296")
	case options.StripHostPort != 0 && chance(r, 3):
		name += pick(r, ":", ".:", ":0", ":+", ":1") + strconv.FormatUint(uint64(options.StripHostPort), 10)
	case chance(r, 12):
		name = strings.ToUpper(name)
	}
	return name
}

// pathNear is a path that a condition matches, or nearly.
func pathNear(r *rand.Rand, p table.Path) string {
	if p.Kind == table.PathRegex {
		for _, sample := range pathPatterns {
			if sample.pattern == p.Value && !chance(r, 4) {
				return pick(r, sample.samples...)
			}
		}
	}
	if p.Kind == table.PathRegex || chance(r, 6) {
		path := ""
		for range 1 + r.IntN(3) {
			path += "/" + pick(r, segmentPool...)
		}
		return path
	}
	path := p.Value + pick(r, "", "", "", "/", "/a", "-b", "b", "/b/1", "/a-b", ";x", "//", "/..", "/../a")
	if chance(r, 10) && len(path) > 1 {
		path = path[:len(path)-1]
	}
	if chance(r, 10) {
		path = strings.ToUpper(path)
	}
	return path
}

// bends are put into paths: what normalisation looks at.
var bends = []string{
	"/./", "/../", "//", "%2F", "%2f", "%5c", `\`, "%2e", "%41", "%00", "%zz", "%", ";", "^", "{", `"`, "%C3", "~", "%7e", ".", "..", "/.",
	"/..", "/%2e%2E/", `\..\`, "/.;/", "/..;x/", "/.%3b/", "/%2e;", "/.%2E;/", "/...;", "/.;x;y/", "/;/", "%%34", "%2%46", "%%2e", "%2%65",
	"%5%63", "%%", "%%2", "%6%31", "|", "#f",
}

func bentPath(r *rand.Rand, path string) string {
	path = strings.Map(func(c rune) rune {
		if c >= 0x80 { // HTTP/1.1 has no such byte in a path
			return 'e'
		}
		return c
	}, path)
	if cut, _, found := strings.Cut(path, "?"); found && chance(r, 2) {
		path = cut
	}
	for chance(r, 5) {
		at := r.IntN(len(path) + 1)
		path = path[:at] + pick(r, bends...) + path[at:]
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return path
}

func noiseQuery(r *rand.Rand) []string {
	if !chance(r, 4) {
		return nil
	}
	return []string{pick(r, "q=1", "q=2", "q", "q=", "debug=true", "Q=1", "q=a,b", "z%20=1", "", "q=1;debug=2", "=1", "?q=1", "q==1", "q=A", "q=%31", "q=1/../2")}
}

func randomValue(r *rand.Rand) string {
	return pick(r, append([]string{"", " 1", "a, b", "121", "é", "a\xffb", "\xe9", "a\tb", "canary ", "CANARY"}, valuePool...)...)
}

// satisfy makes most of the rule's conditions hold, and now and then adds a second value before or behind.
func satisfy(r *rand.Rand, rule table.Rule, request *table.Request, query []string) []string {
	for _, p := range rule.Derived {
		satisfyDerived(r, p, request)
	}
	for _, p := range rule.Predicates {
		if chance(r, 6) {
			continue
		}
		value := valueNear(r, p)
		switch {
		case p.Source == table.Method && !p.Invert:
			request.Method = p.Value
		case p.Source == table.Query:
			query = append(query, p.Name+"="+QueryValue(value))
			if chance(r, 8) {
				query = append(query, p.Name+"="+QueryValue(randomValue(r)))
			}
		case p.Source == table.Cookie:
			addCookies(r, request, p.Name+"="+cookieValue(r, value))
		case p.Source == table.Free:
			if !p.Invert && !slices.Contains(request.Holds, p.Name) {
				request.Holds = append(request.Holds, p.Name)
			}
		case p.Source == table.Header:
			request.Headers = append(request.Headers, table.Field{Name: p.Name, Value: value})
			if chance(r, 6) {
				request.Headers = append(request.Headers, table.Field{Name: strings.ToUpper(p.Name), Value: randomValue(r)})
			}
		}
	}
	return query
}

func valueNear(r *rand.Rand, p table.Predicate) string {
	if p.Test == table.Regex {
		for _, sample := range valuePatterns {
			if sample.pattern == p.Value {
				return pick(r, sample.samples...)
			}
		}
	}
	if p.Test == table.Range {
		low, high, _ := strings.Cut(p.Value, " ")
		return pick(r, append([]string{low, high, low, "+" + strings.TrimPrefix(low, "-"), "0" + high, " " + low + "\t"}, numbersNear...)...)
	}
	value := p.Value
	switch {
	case chance(r, 8):
		value += pick(r, "1", "b", ",")
	case chance(r, 8):
		value = pick(r, "1", "a", "x") + value
	case chance(r, 8):
		value = strings.ToUpper(value)
	}
	return value
}

// QueryValue drops the bytes that HTTP/1.1 does not take in a target.
func QueryValue(value string) string {
	var kept strings.Builder
	for i := range len(value) {
		if value[i] > ' ' && value[i] < 0x7f && value[i] != '#' {
			kept.WriteByte(value[i])
		}
	}
	return kept.String()
}

// OverHTTP2 is a request as a client sends it over HTTP/2, where names are in lower case and blanks around a value stay.
func OverHTTP2(request table.Request) table.Request {
	request.HTTP2 = true
	request.Headers = slices.Clone(request.Headers)
	for i := range request.Headers {
		request.Headers[i].Name = strings.ToLower(request.Headers[i].Name)
	}
	return request
}
