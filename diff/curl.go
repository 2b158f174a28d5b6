package diff

import (
	"cmp"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// curl is the command line that sends a request, ready for a POSIX shell, with no option that the request does not need.
// Each rule below was tried with curl 7.88 against Envoy 1.40.
type curl struct {
	request table.Request
	// port of the listener, and whether Envoy leaves a port in the Host header out of account.
	port       uint32
	ignorePort bool
	// connect is the server name of the connection where it is not that of the host, else "".
	connect string
	// certificate: no client is let in without one.
	certificate bool
	// absent are the headers that a class asks to be missing: curl sends some by itself.
	absent []string
}

// String is the command line. It is ASCII whatever the request holds.
func (c curl) String() string {
	words := []string{"curl", "-i"}
	if c.certificate {
		words = append(words, "--cert", report.ClientFile)
	}
	words = append(words, c.method()...)
	words = append(words, c.protocol()...)
	words = append(words, c.urlOptions()...)
	words = append(words, quote(c.url()))
	for _, header := range c.headers() {
		words = append(words, "-H", quote(header))
	}
	return strings.Join(words, " ")
}

// method: with "-X HEAD" curl would wait for a body. Envoy's HTTP/1.1 parser knows a fixed list of methods; any other can be
// sent by HTTP/2 only.
func (c curl) method() []string {
	switch c.request.Method {
	case "", "GET":
		return nil
	case "HEAD":
		return []string{"--head"}
	}
	return []string{"-X", quote(c.request.Method)}
}

// protocol: what only HTTP/2 carries is a request that says so, another method, and bytes over 0x7f in a path.
func (c curl) protocol() []string {
	switch r := c.request; {
	case r.HTTP2, r.Method != "" && !slices.Contains(parsedMethods(), r.Method), strings.IndexFunc(r.Path, beyondASCII) >= 0:
		return []string{c.http2()}
	}
	return nil
}

func beyondASCII(r rune) bool { return r >= 0x80 } // a byte that is no UTF-8 is U+FFFD

func (c curl) http2() string {
	if c.request.Scheme == "https" {
		return "--http2"
	}
	return "--http2-prior-knowledge"
}

// urlOptions: curl reads [] and {} as patterns, and takes dot segments out, escaped ones too. Blanks and bytes over 0x7f
// would be refused or escaped in a URL: they go into the request line as they are, the latter by HTTP/2 only.
func (c curl) urlOptions() []string {
	var words []string
	path, _, _ := strings.Cut(c.request.Path, "?")
	if strings.ContainsAny(c.url(), "[]{}") {
		words = append(words, "-g")
	}
	if lower := strings.ToLower(path); strings.Contains(lower, "/.") || strings.Contains(lower, "/%2e") {
		words = append(words, "--path-as-is")
	}
	if !plainPath(c.request.Path) {
		words = append(words, "--request-target", quote(c.request.Path))
	}
	return words
}

// url has the port of the listener where it is not the scheme's own.
func (c curl) url() string {
	host := cmp.Or(c.connect, c.request.Host)
	if !plainHost(host) {
		host = "localhost"
	}
	if _, _, err := net.SplitHostPort(host); err != nil && !c.defaultPort() {
		host = fmt.Sprintf("%s:%d", host, c.port)
	}
	path := c.request.Path
	if !plainPath(path) {
		path = "/"
	}
	return c.request.Scheme + "://" + host + path
}

func (c curl) defaultPort() bool {
	return c.port == 0 || c.request.Scheme == "http" && c.port == 80 || c.request.Scheme == "https" && c.port == 443
}

// headers of the request. curl makes the Host header of the URL, so it is given where the two differ. "x;" is an empty
// header, "x:" takes out one that curl would send.
func (c curl) headers() []string {
	var headers []string
	_, _, err := net.SplitHostPort(c.request.Host)
	hasPort := err == nil
	switch {
	case c.request.Host == "":
		headers = append(headers, "Host;")
	case !plainHost(c.request.Host), c.connect != "", !hasPort && !c.defaultPort() && !c.ignorePort:
		headers = append(headers, "Host: "+c.request.Host)
	}
	for _, name := range []string{"user-agent", "accept"} {
		if slices.Contains(c.absent, name) && !slices.ContainsFunc(c.request.Headers, func(f table.Field) bool { return strings.EqualFold(f.Name, name) }) {
			headers = append(headers, name+":")
		}
	}
	for _, f := range c.request.Headers {
		if f.Value == "" {
			headers = append(headers, f.Name+";")
			continue
		}
		headers = append(headers, f.Name+": "+f.Value)
	}
	return headers
}

// plainHost tells whether curl sends the host of a URL as it is.
func plainHost(host string) bool {
	return host != "" && strings.IndexFunc(host, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' || r == ':')
	}) < 0
}

// plainPath tells whether curl sends the path of a URL as it is.
func plainPath(path string) bool {
	for i := range len(path) {
		if path[i] <= ' ' || path[i] >= 0x7f || path[i] == '#' {
			return false
		}
	}
	return strings.HasPrefix(path, "/")
}

// quote is a word of a POSIX shell. Single quotes hold everything but themselves. Bytes that are no printable ASCII go
// through printf: they would not survive a copy from a web page, nor JSON. Its format must not begin as an option does.
func quote(s string) string {
	safe, printable := true, true
	for i := range len(s) {
		c := s[i]
		printable = printable && c >= ' ' && c < 0x7f
		safe = safe && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("/.:-_,+@%", c) >= 0)
	}
	switch {
	case safe && s != "":
		return s
	case printable:
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || strings.IndexByte(`'"\%!`, c) >= 0 || i == 0 && c == '-' {
			fmt.Fprintf(&b, `\%03o`, c)
			continue
		}
		b.WriteByte(s[i])
	}
	return `"$(printf '` + b.String() + `')"`
}

// parsedMethods are those of Envoy's HTTP/1.1 parser.
func parsedMethods() []string {
	return strings.Fields(`ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK MERGE MKACTIVITY MKCALENDAR MKCOL MOVE
		MSEARCH NOTIFY OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE
		UNBIND UNLINK UNLOCK UNSUBSCRIBE`)
}

// witnesses is the witness of a class; there is none where both sides pass on what comes, since nobody knows what is spoken there.
func (p pair) witnesses(r table.Request, in []report.Area, before, after table.Outcome) []report.Witness {
	if p.passesOn() {
		return nil
	}
	return []report.Witness{p.witness(r, in, before, after)}
}

// witness is a request with its command line and its outcomes. It carries the headers that make it one of the pair's scope.
func (p pair) witness(r table.Request, in []report.Area, before, after table.Outcome) report.Witness {
	r.Headers = slices.Concat(p.scope.Headers, r.Headers)
	options := p.table().Options
	line := curl{
		request:     r,
		port:        p.port,
		ignorePort:  options.IgnoreHostPort || options.StripAnyHostPort,
		connect:     p.serverName(r.Host),
		absent:      headerNames(in),
		certificate: p.asksForCertificate(p.before) || p.asksForCertificate(p.after),
	}
	return report.Witness{
		Method: r.Method, Scheme: r.Scheme, Host: r.Host, Port: p.port, Path: r.Path, Headers: r.Headers,
		HTTP2: r.HTTP2, Holds: r.Holds, Curl: line.String(), Before: before, After: after,
	}
}

// headerNames are those that the areas ask about.
func headerNames(in []report.Area) []string {
	var names []string
	add := func(conditions []report.Condition) {
		for _, c := range conditions {
			if c.Source == "header" {
				names = append(names, c.Name)
			}
		}
	}
	for _, a := range in {
		add(a.Conditions)
		for _, cube := range a.Except {
			add(cube)
		}
	}
	return names
}
