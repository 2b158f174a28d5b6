package table

import "strings"

// SamePlace tells whether a redirect of this template leads a request, which one listener sees as a and another as b, to the same
// place. What the template is filled with depends on the options of the listener.
func SamePlace(template string, a, b *Arrived) bool {
	to, rest, absolute := strings.Cut(template, "://")
	if !absolute || strings.ContainsAny(to, `/"`) {
		to, rest = keptScheme, "{host}"+template
	}
	host, path := "", rest
	for _, part := range []string{"{host}", "{hostname}", wholeHost} {
		if behind, found := strings.CutPrefix(rest, part); found {
			host, path = part, behind
		}
	}
	// A substitution, like the rest of a path, is of the whole path.
	if strings.ContainsAny(path, `{"`) && a.target() != b.target() {
		return false
	}
	toA, toB := a.leadsTo(to), b.leadsTo(to)
	return toA == toB && a.keptHost(host, toA) == b.keptHost(host, toB)
}

const keptScheme = "{scheme}"

// schemes are x-forwarded-proto and :scheme, which HTTP/1.1 has from it (envoy source/common/http/conn_manager_utility.cc,
// mutateRequestHeaders).
func (e *Evaluator) schemes(seen *arrival, r Request) (proto, scheme string) {
	transport := "http"
	if e.table.TLS {
		transport = "https"
	}
	proto = transport
	if said := seen.headers[forwardedProto]; len(said) > 0 && !e.table.Options.UseRemoteAddress {
		proto = said[0]
	}
	if r.HTTP2 {
		return proto, r.Scheme
	}
	if scheme = lowerASCII(proto); scheme != "http" && scheme != "https" {
		scheme = transport
	}
	return proto, scheme
}

func (a *Arrived) leadsTo(scheme string) string {
	if scheme == keptScheme {
		return a.scheme
	}
	return scheme
}

// keptHost fills a part of a template that stands for the host. The usual port of the old scheme, by x-forwarded-proto, goes with
// the scheme (envoy source/common/router/config_impl.cc, processRequestHost).
func (a *Arrived) keptHost(part, scheme string) string {
	at := redirectPort(a.host)
	switch {
	case part == "":
		return ""
	case part == wholeHost || at < 0:
		return a.host
	case part == "{hostname}", scheme != a.proto && (a.proto == "http" && a.host[at:] == ":80" || a.proto == "https" && a.host[at:] == ":443"):
		return a.host[:at]
	}
	return a.host
}

// redirectPort is where a redirect sees the port of a host, -1 for none.
func redirectPort(host string) int {
	if strings.HasPrefix(host, "[") {
		if at := strings.LastIndex(host, "]:"); at >= 0 {
			return at + 1
		}
		return -1
	}
	return strings.LastIndexByte(host, ':')
}
