package table

import "strings"

// nameSet is a set of names.
type nameSet map[string]bool

func namesOf(list string) nameSet {
	set := nameSet{}
	for name := range strings.FieldsSeq(list) {
		set[name] = true
	}
	return set
}

// slotHeaders are kept by Envoy in one slot: several lines are joined with "," while reading, so a matcher sees one value.
// Found by experiment on Envoy 1.40.0; an unlisted header has a set of values, each compared by itself.
var slotHeaders = namesOf(`accept accept-encoding access-control-request-headers access-control-request-method authorization
	cache-control content-encoding content-type expect grpc-accept-encoding grpc-timeout if-match if-none-match origin
	proxy-status referer user-agent via x-client-trace-id x-envoy-attempt-count x-envoy-decorator-operation
	x-envoy-downstream-service-cluster x-envoy-external-address x-envoy-original-host x-envoy-original-path
	x-forwarded-for x-forwarded-host x-forwarded-proto x-request-id`)

// OneValue tells whether a header (in lower case) has at most one value at the router however often it is sent.
func OneValue(name string) bool { return slotHeaders[name] }

// derivedHeaders are functions of the host and of the path, by the names that configurations have for them. "host" is ":authority"
// to Envoy.
var derivedHeaders = map[string]string{pathHeader: pathHeader, authorityHeader: authorityHeader, "host": authorityHeader}

const (
	pathHeader      = ":path"
	authorityHeader = ":authority"
)

// alteredHeaders are added, removed or rewritten by the connection manager before a route is chosen. A matcher on one is not
// modelled.
var alteredHeaders = namesOf(`:scheme :protocol cookie te upgrade x-forwarded-client-cert
	x-forwarded-for x-forwarded-proto x-request-id x-envoy-external-address x-envoy-internal content-length
	x-envoy-decorator-operation x-envoy-original-path x-envoy-original-host x-envoy-downstream-service-cluster
	connection keep-alive proxy-connection transfer-encoding
	x-envoy-retry-on x-envoy-max-retries x-envoy-upstream-rq-timeout-ms x-envoy-expected-rq-timeout-ms x-envoy-force-trace
	x-envoy-ip-tags x-envoy-retry-grpc-on x-envoy-hedge-on-per-try-timeout x-envoy-upstream-alt-stat-name
	x-envoy-upstream-rq-per-try-timeout-ms x-envoy-upstream-rq-timeout-alt-response x-envoy-upstream-stream-duration-ms`)

// forwardedProto is the header that says how the request came.
const forwardedProto = "x-forwarded-proto"

// absentHeaders are taken off every request before a route is chosen (envoy-matching experiments on Envoy 1.40.0).
var absentHeaders = namesOf(`keep-alive proxy-connection transfer-encoding`)

// internalHeaders are taken off requests that do not come from an internal address; absentOnEdge are those that go as well where
// Envoy is the first proxy.
var (
	internalHeaders = namesOf(`x-envoy-internal x-envoy-retry-on x-envoy-max-retries x-envoy-upstream-rq-timeout-ms
		x-envoy-expected-rq-timeout-ms x-envoy-force-trace x-envoy-ip-tags`)
	absentOnEdge = namesOf(`x-envoy-decorator-operation x-envoy-original-path x-envoy-original-host
		x-envoy-downstream-service-cluster`)
)

// isToken is the grammar of methods and header names (RFC 9110, 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		if !isAlphanumeric(s[i]) && strings.IndexByte("!#$%&'*+-.^_`|~", s[i]) < 0 {
			return false
		}
	}
	return s != ""
}

func isAlphanumeric(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// isFieldValue is what Envoy takes as a header value: tab, printable ASCII, and every byte from 0x80.
func isFieldValue(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' && s[i] != '\t' || s[i] == 0x7f {
			return false
		}
	}
	return true
}

// lowerASCII folds as Envoy does: letters of ASCII only, whatever the other bytes mean.
func lowerASCII(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			folded := []byte(s)
			for ; i < len(folded); i++ {
				if 'A' <= folded[i] && folded[i] <= 'Z' {
					folded[i] += 'a' - 'A'
				}
			}
			return string(folded)
		}
	}
	return s
}
