package table

import (
	"bytes"
	"slices"
	"strings"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/proto"
)

// internalOnlyHeaders is what internal_only_headers does to every request: Envoy takes these headers off requests from
// outside before it looks for a route. It decides about routes where the virtual hosts speak of such a header, which a
// request that Envoy takes for internal keeps; whether it is internal, the table does not say.
func internalOnlyHeaders(config *routev3.RouteConfiguration) (shared []Treatment, decides bool) {
	names := slices.Clone(config.GetInternalOnlyHeaders())
	if len(names) == 0 {
		return nil, false
	}
	slices.Sort(names)
	for _, name := range names {
		if slices.ContainsFunc(config.GetVirtualHosts(), func(h *routev3.VirtualHost) bool { return speaksOf(h, name) }) {
			return nil, true
		}
	}
	return []Treatment{{Name: "headers of internal requests only", Value: strings.Join(names, ", ")}}, false
}

// speaksOf tells whether a name stands anywhere in a virtual host, in any case. Where it stands for something else, too much is
// called undecided, and nothing wrong is said.
func speaksOf(host *routev3.VirtualHost, name string) bool {
	data, err := proto.Marshal(host)
	return err != nil || bytes.Contains(bytes.ToLower(data), []byte(strings.ToLower(name)))
}
