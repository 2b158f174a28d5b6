package judgetest

import (
	"strings"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// locationOf fills the template of a redirect of a random table for one request without TLS. A query is kept. Host and path are
// those that Envoy has in hand, as the answer tells.
func locationOf(template string, request table.Request, o table.Options, answer envoytest.Answer) string {
	proto := forwardedProto(request, o)
	scheme := schemeOf(request, proto)
	if !strings.HasSuffix(template, "{path}") {
		if _, query, found := strings.Cut(answer.Path, "?"); found {
			template += "?" + query
		}
		template = "{scheme}://{host}" + template
	}
	filled := strings.Replace(template, "{scheme}", scheme, 1)
	host := answer.Host
	if to, _, _ := strings.Cut(filled, "://"); to != proto {
		host = withoutDefaultPort(host, proto)
	}
	return strings.NewReplacer("{host}", host, "{host with port}", answer.Host, "{path}", answer.Path).Replace(filled)
}

// forwardedProto is x-forwarded-proto as the router sees it. Where Envoy does not look at the connection it believes the client.
func forwardedProto(request table.Request, o table.Options) string {
	var lines []string
	for _, field := range request.Headers {
		if strings.EqualFold(field.Name, "x-forwarded-proto") && field.Value != "" {
			lines = append(lines, field.Value)
		}
	}
	if o.UseRemoteAddress || len(lines) == 0 {
		return "http"
	}
	return strings.Join(lines, ",")
}

// schemeOf is the scheme that a redirect keeps: over HTTP/2 the one that was sent, over HTTP/1.1, which has none, that of
// x-forwarded-proto.
func schemeOf(request table.Request, proto string) string {
	if !request.HTTP2 && strings.EqualFold(proto, "https") {
		return "https"
	}
	return "http"
}

// withoutDefaultPort takes off the port that is the old scheme's own. Envoy goes by x-forwarded-proto there.
func withoutDefaultPort(host, proto string) string {
	at := strings.LastIndexByte(host, ':')
	if strings.HasPrefix(host, "[") {
		if at = strings.LastIndex(host, "]:"); at >= 0 {
			at++
		}
	}
	if at >= 0 && (proto == "http" && host[at:] == ":80" || proto == "https" && host[at:] == ":443") {
		return host[:at]
	}
	return host
}
