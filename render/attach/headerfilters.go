package attach

import (
	"strings"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// requestHeaders reads a modifier of request headers. Envoy refuses to change "host" as a header; a value that is set is a
// rewrite of the host instead.
func (r ruleReader) requestHeaders(f *filtered, spec *gatewayv1.HTTPHeaderFilter, field string) {
	change := headerChange(spec)
	for _, h := range change.Set {
		switch {
		case !isHost(h.Name):
			f.request.Set = append(f.request.Set, h)
		case f.rewrite.Hostname == "":
			f.rewrite.Hostname = h.Value
			r.remark(r.route.source, field+".set", diagnostic.HostHeaderRewritten, "the Host header is rendered as a rewrite of the host")
		}
	}
	for _, h := range change.Add {
		if isHost(h.Name) {
			r.warn(r.route.source, field+".add", diagnostic.HostHeaderRewritten, "a second Host header is not added: a request has one", "use set, or a URLRewrite filter")
			continue
		}
		f.request.Add = append(f.request.Add, h)
	}
	for _, name := range change.Remove {
		if isHost(name) {
			r.warn(r.route.source, field+".remove", diagnostic.HostHeaderRewritten, "the Host header is not removed: a request must have one", "")
			continue
		}
		f.request.Remove = append(f.request.Remove, name)
	}
}

func isHost(name string) bool { return strings.EqualFold(name, "host") }

// headerChange keeps the first of equal names in a list: "only the first entry with an equivalent name MUST be considered".
func headerChange(spec *gatewayv1.HTTPHeaderFilter) model.HeaderChange {
	return model.HeaderChange{Set: headers(spec.Set), Add: headers(spec.Add), Remove: spec.Remove}
}

func headers(specs []gatewayv1.HTTPHeader) []model.Header {
	var list []model.Header
	seen := map[string]bool{}
	for _, h := range specs {
		if name := strings.ToLower(string(h.Name)); !seen[name] {
			seen[name] = true
			list = append(list, model.Header{Name: string(h.Name), Value: h.Value})
		}
	}
	return list
}
