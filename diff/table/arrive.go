package table

import (
	"strconv"
	"strings"
)

// arrival is a request as the router sees it.
type arrival struct {
	method string
	// host as header matchers see it, without what strip options take off.
	host string
	path string
	// matched is what path matchers see of it: without parameters, where these are ignored.
	matched string
	// query is what stands behind the first "?"; hasQuery tells an empty one from none.
	query    string
	hasQuery bool
	// headers by name in lower case: every value by itself, or one joined value for the headers of one slot.
	headers map[string][]string
	// holds are the free conditions that hold.
	holds []string
}

// Limits of Envoy's codec on the head of a request.
const (
	maxHeaders   = 100
	maxHeadBytes = 60 * 1024
)

// arrive does what Envoy does with a request before it chooses a route. Status is not 0 when Envoy answers by itself
// there: 400 for what it refuses, 307 for an escaped slash that it redirects, 431 for a head that is too large.
func arrive(r Request, o Options) (a arrival, status uint32) {
	if !methodArrives(r) || !targetArrives(r) {
		return a, 400
	}
	a = arrival{method: r.Method, host: r.Host, headers: map[string][]string{}, holds: r.Holds}
	if status := a.addHeaders(r, o); status != 0 {
		return a, status
	}
	if !isAuthority(a.host, r.HTTP2) {
		return a, 400
	}
	if a.method == connectMethod {
		a.host = stripHost(a.host, o)
		return a, 0
	}
	path := ""
	path, a.query, a.hasQuery = strings.Cut(r.Path, "?")
	if a.path, status = normalisePath(path, o); status != 0 {
		if status == 307 && a.isGRPC() {
			status = 400 // a gRPC client follows no redirect
		}
		return a, status
	}
	if a.matched = a.path; o.IgnorePathParameters {
		a.matched = cutParameters(a.path)
	}
	a.host = stripHost(a.host, o)
	return a, 0
}

// isGRPC is Envoy's test of the content type.
func (a *arrival) isGRPC() bool {
	for _, value := range a.headers["content-type"] {
		if value == "application/grpc" || strings.HasPrefix(value, "application/grpc+") {
			return true
		}
	}
	return false
}

// target is path and query together.
func (a *arrival) target() string {
	if a.hasQuery {
		return a.path + "?" + a.query
	}
	return a.path
}

// http1Methods is the closed list of Envoy's HTTP/1.1 codec. HTTP/2 takes any token.
var http1Methods = namesOf(`ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK MERGE MKACTIVITY MKCALENDAR MKCOL MOVE MSEARCH
	NOTIFY OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK
	UNLOCK UNSUBSCRIBE`)

func methodArrives(r Request) bool {
	switch {
	case r.Method == "QUERY" && !r.hasHeader("content-type"):
		return false // query_missing_content_type
	case r.HTTP2:
		return isToken(r.Method)
	}
	return http1Methods[r.Method]
}

func (r Request) hasHeader(name string) bool {
	for _, f := range r.Headers {
		if lowerASCII(f.Name) == name {
			return true
		}
	}
	return false
}

// targetArrives: origin form only, printable bytes without "#"; HTTP/2 takes bytes from 0x80 as well. CONNECT has a host in the
// place of a path.
func targetArrives(r Request) bool {
	if r.Method == connectMethod {
		return r.Path == "" && (r.HTTP2 || isConnectTarget(r.Host))
	}
	if !strings.HasPrefix(r.Path, "/") {
		return false
	}
	for i := range len(r.Path) {
		b := r.Path[i]
		if b <= ' ' || b == 0x7f || b == '#' || b >= 0x80 && !r.HTTP2 {
			return false
		}
	}
	return true
}

// isAuthority is the alphabet of a host. HTTP/1.1 takes an empty one, and "@".
func isAuthority(host string, http2 bool) bool {
	for i := range len(host) {
		b := host[i]
		if !isAlphanumeric(b) && strings.IndexByte("!$%&'()*+,-.:;=[]_~", b) < 0 && (b != '@' || http2) {
			return false
		}
	}
	return host != "" || !http2
}

// addHeaders reads the header lines in their order.
func (a *arrival) addHeaders(r Request, o Options) (status uint32) {
	size := len(r.Method) + len(r.Path) + len(r.Host)
	for _, field := range r.Headers {
		size += len(field.Name) + len(field.Value)
		name, value := lowerASCII(field.Name), field.Value
		if !isToken(name) || !isFieldValue(value) || r.HTTP2 && (name != field.Name || isConnectionSpecific(name, value)) {
			return 400
		}
		if !r.HTTP2 {
			value = strings.Trim(value, " \t")
		}
		if strings.Contains(name, "_") {
			switch o.Underscores {
			case RejectUnderscores:
				return 400
			case DropUnderscores:
				continue
			}
		}
		if name == "host" {
			if r.HTTP2 {
				return 400
			}
			if r.Method != connectMethod { // where the target wins
				a.host = joinSlot(a.host, value)
			}
			continue
		}
		a.addHeader(name, value)
	}
	if size > maxHeadBytes || len(r.Headers) > maxHeaders {
		return 431
	}
	return a.dropHopByHop()
}

// isConnectionSpecific tells whether a header is one that no message of HTTP/2 may have (RFC 9113, 8.2.2). Envoy resets the stream.
func isConnectionSpecific(name, value string) bool {
	switch name {
	case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade":
		return true
	}
	return name == "te" && value != "trailers"
}

func (a *arrival) addHeader(name, value string) {
	if values := a.headers[name]; OneValue(name) && len(values) > 0 {
		values[0] = joinSlot(values[0], value)
		return
	}
	a.headers[name] = append(a.headers[name], value)
}

// joinSlot appends a line to a header of one slot: with a comma, but none beside an empty part.
func joinSlot(old, value string) string {
	if old == "" || value == "" {
		return old + value
	}
	return old + "," + value
}

// dropHopByHop removes "connection" and the headers it names, which no matcher sees. Envoy refuses to let it name headers
// that say where the request goes. It looks at nothing of the kind in CONNECT, of which its codec takes all that follows for a tunnel
// (envoy source/common/http/http1/codec_impl.cc, onHeadersCompleteImpl).
func (a *arrival) dropHopByHop() (status uint32) {
	if a.method == connectMethod {
		delete(a.headers, "connection")
		return 0
	}
	for _, line := range a.headers["connection"] {
		for option := range strings.SplitSeq(line, ",") {
			name := lowerASCII(strings.Trim(option, " \t"))
			switch {
			case strings.HasPrefix(name, ":"), name == "host", name == "x-forwarded-for", name == "x-forwarded-host", name == "x-forwarded-proto":
				return 400
			}
			delete(a.headers, name)
		}
	}
	delete(a.headers, "connection")
	return 0
}

// portStart is where the port of a host begins, at the last ":" outside "[]", or -1.
func portStart(host string) int {
	colon := strings.LastIndexByte(host, ':')
	if strings.LastIndexByte(host, ']') > colon {
		return -1
	}
	return colon
}

// stripHost takes off what the strip options name: first a dot at the end or before the port, then the port, where it is a
// number of 32 bits.
func stripHost(host string, o Options) string {
	if dot := strings.LastIndexByte(host, '.'); o.StripTrailingDot && dot >= 0 && (dot == len(host)-1 || host[dot+1] == ':') {
		host = host[:dot] + host[dot+1:]
	}
	i := portStart(host)
	if i < 0 || !o.StripAnyHostPort && o.StripHostPort == 0 {
		return host
	}
	port, err := strconv.ParseUint(strings.TrimPrefix(host[i+1:], "+"), 10, 32)
	if err != nil || !o.StripAnyHostPort && uint32(port) != o.StripHostPort {
		return host
	}
	return host[:i]
}
