package files

import (
	"regexp"
	"slices"
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// checkHeaders finds header changes that Envoy refuses: a value that its formatter cannot read, and a header that may not be
// touched.
func (c *checker) checkHeaders() {
	each(c, func(path string, option *corev3.HeaderValueOption) {
		header := option.GetHeader()
		if forbiddenHeader(header.GetKey()) {
			c.errorf(diagnostic.BrokenResource, at(path, "header.key"), "header %q may not be changed here: a route has rewrites for it", header.GetKey())
		}
		if bad := badCommand(header.GetValue()); bad != "" {
			c.errorf(diagnostic.BadFormat, at(path, "header.value"), "%q is no substitution command at %q: write %%%% for a percent sign", header.GetValue(), bad)
		}
	})
	for _, n := range c.current.nodes {
		c.checkRemovals(n)
	}
}

// checkRemovals reads request_headers_to_remove and its sisters, which several messages have.
func (c *checker) checkRemovals(n node) {
	message := n.message.ProtoReflect()
	for _, name := range []protoreflect.Name{"request_headers_to_remove", "response_headers_to_remove"} {
		field := message.Descriptor().Fields().ByName(name)
		if field == nil || !field.IsList() || field.Kind() != protoreflect.StringKind {
			continue
		}
		list := message.Get(field).List()
		for i := range list.Len() {
			if header := list.Get(i).String(); forbiddenHeader(header) {
				c.errorf(diagnostic.BrokenResource, at(n.path, indexed(string(name), i)), "header %q may not be removed", header)
			}
		}
	}
}

func forbiddenHeader(name string) bool {
	return strings.HasPrefix(name, ":") || strings.EqualFold(name, "host")
}

// command is one substitution: %NAME%, with arguments and a length.
var command = regexp.MustCompile(`^%[A-Z0-9_]+(\([^)]*\))?(:[0-9]+)?%`)

// badCommand is the rest of a value from the first percent sign that begins no command, or "". Whether a command exists is
// known to Envoy's build only; those of the parts that every build has are held to a list.
func badCommand(value string) string {
	for rest := value; ; {
		i := strings.IndexByte(rest, '%')
		if i < 0 {
			return ""
		}
		rest = rest[i:]
		if strings.HasPrefix(rest, "%%") {
			rest = rest[2:]
			continue
		}
		found := command.FindString(rest)
		if found == "" || !knownCommand(found) {
			return rest
		}
		rest = rest[len(found):]
	}
}

func knownCommand(found string) bool {
	name := strings.Trim(found, "%")
	if i := strings.IndexAny(name, "(:"); i >= 0 {
		name = name[:i]
	}
	for _, prefix := range []string{"DOWNSTREAM_", "UPSTREAM_", "REQUEST_", "RESPONSE_", "CONNECTION_", "TRACE_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains(commands, name)
}

// commands are those of Envoy's "access logging" and "formatter" pages that have no common beginning.
var commands = []string{
	"ACCESS_LOG_TYPE", "ATTEMPT_COUNT", "BYTES_RECEIVED", "BYTES_SENT", "CEL", "COALESCE", "COMMON_DURATION", "CUSTOM_FLAGS", "DURATION",
	"DYNAMIC_METADATA", "EMIT_TIME", "ENVIRONMENT", "FILE_CONTENT", "FILTER_CHAIN_NAME", "FILTER_STATE", "GRPC_STATUS", "GRPC_STATUS_NUMBER", "HOSTNAME",
	"LOCAL_REPLY_BODY", "METADATA", "PATH", "PROTOCOL", "QUERY_PARAM", "QUERY_PARAMS", "REQ", "REQUESTED_SERVER_NAME", "REQ_WITHOUT_QUERY", "RESP",
	"ROUNDTRIP_DURATION", "ROUTE_NAME", "SECRET", "START_TIME", "START_TIME_LOCAL", "STREAM_ID", "SUBSTITUTE", "TLS_JA3_FINGERPRINT", "TLS_JA4_FINGERPRINT",
	"TRAILER", "UNIQUE_ID", "VIRTUAL_CLUSTER_NAME", "WORKER_ID", "HEADER",
}
