package review

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// listenerAt is a listener of a Gateway or of a ListenerSet as its manifest has it.
type listenerAt struct {
	owner          diagnostic.Object
	name, hostname string
	port           uint32
	udp            bool
	spec           any
	places         *manifest.Places
	field          string
}

func (l listenerAt) at(field string) diagnostic.Position {
	return lineOnly(l.places.At(l.field + field))
}

// listeners are those of a Gateway, and then those of all ListenerSets for it.
func (in *input) listeners(gateway model.Name) []listenerAt {
	var found []listenerAt
	if g := called(in.objects.Gateways, gateway); g != nil {
		for i, l := range g.Object.Spec.Listeners {
			found = append(found, listenerAt{
				owner: diagnostic.Object{Kind: "Gateway", Namespace: gateway.Namespace, Name: gateway.Name},
				name:  string(l.Name), hostname: text(l.Hostname), port: uint32(l.Port), udp: l.Protocol == "UDP", spec: l,
				places: g.Places, field: fmt.Sprintf("spec.listeners[%d]", i),
			})
		}
	}
	for _, set := range in.objects.ListenerSets {
		parent := set.Object.Spec.ParentRef
		if string(parent.Name) != gateway.Name || cmp.Or(text(parent.Namespace), set.Object.Namespace) != gateway.Namespace {
			continue
		}
		for i, l := range set.Object.Spec.Listeners {
			found = append(found, listenerAt{
				owner: diagnostic.Object{Kind: "ListenerSet", Namespace: set.Object.Namespace, Name: set.Object.Name},
				name:  string(l.Name), hostname: text(l.Hostname), port: uint32(l.Port), udp: l.Protocol == "UDP", spec: l,
				places: set.Places, field: fmt.Sprintf("spec.listeners[%d]", i),
			})
		}
	}
	return found
}

func text[S ~string](s *S) string {
	if s == nil {
		return ""
	}
	return string(*s)
}

// side is what is known of one side.
func (r resolver) side(side diff.Side) *input {
	if side == diff.Before {
		return r.earlier
	}
	return r.later
}

// listener leads an edit of a listener to the manifest: to the listener, or to the route whose hostname makes a filter chain of its own
// where the listener is what it was.
func (r resolver) listener(cause *report.Cause, chain *diff.ChainAt, changed []string) {
	in := r.side(chain.Side)
	gateway := in.modelOf(chain.Gateway)
	if in.objects == nil || gateway == nil {
		return
	}
	if slices.Equal(changed, []string{"client certificate"}) && r.clientValidation(cause, gateway.Name) {
		return
	}
	found := closest(in.listeners(gateway.Name), chain)
	if found == nil {
		return
	}
	if r.unchanged(gateway.Name, *found) && r.forwarding(cause, gateway, chain) {
		return
	}
	cause.Kind, cause.Namespace, cause.Name, cause.Side = found.owner.Kind, found.owner.Namespace, found.owner.Name, string(chain.Side)
	switch cause.Position = found.at(""); {
	case strings.HasPrefix(cause.Edit, "gateway") && found.owner.Kind == "Gateway":
		cause.Position = lineOnly(found.places.Document)
	case slices.Equal(changed, []string{"certificate"}):
		cause.Position = found.at(".tls.certificateRefs")
	}
}

// modelOf is the model of a Gateway by the name of its files, nil where the side was not rendered here.
func (in *input) modelOf(files string) *model.Gateway {
	if in.rendering == nil {
		return nil
	}
	for _, gateway := range in.rendering.Gateways {
		if gateway.Files.Name == files {
			return gateway.Model
		}
	}
	return nil
}

// closest is the listener that a chain is made of: that of its server name, or of the longest wildcard above it, or without a hostname.
func closest(list []listenerAt, chain *diff.ChainAt) *listenerAt {
	best, rank := -1, -1
	for i, l := range list {
		if l.port != chain.Port || l.udp != chain.UDP {
			continue
		}
		if fits := fit(strings.ToLower(l.hostname), chain.ServerNames); fits > rank {
			best, rank = i, fits
		}
	}
	if best < 0 {
		return nil
	}
	return &list[best]
}

// fit is how close a hostname is to one of the names, -1 for not at all.
func fit(hostname string, names []string) int {
	suffix, wildcard := strings.CutPrefix(hostname, "*")
	switch {
	case hostname == "":
		return 0
	case slices.Contains(names, hostname):
		return len(hostname) + 1
	case wildcard && slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, suffix) }):
		return len(suffix)
	}
	return -1
}

// unchanged tells whether both sides have a listener alike.
func (r resolver) unchanged(gateway model.Name, l listenerAt) bool {
	for _, in := range []*input{r.earlier, r.later} {
		same := func(other listenerAt) bool {
			return other.owner == l.owner && other.name == l.name && reflect.DeepEqual(other.spec, l.spec)
		}
		if in.objects == nil || !slices.ContainsFunc(in.listeners(gateway), same) {
			return false
		}
	}
	return true
}

// forwarding leads to the route that a chain is made of: to its hostname where that makes a chain of its own, else to what it names as its
// parents, or to all of it where the other side has no such route.
func (r resolver) forwarding(cause *report.Cause, gateway *model.Gateway, chain *diff.ChainAt) bool {
	forward := forwardOf(gateway, chain)
	if forward == nil {
		return false
	}
	name := diagnostic.Object{Kind: forward.Origin.Kind, Namespace: forward.Origin.Namespace, Name: forward.Origin.Name.Name}
	route, other := r.side(chain.Side).route(name), r.other(chain.Side).route(name)
	if route == nil {
		return false
	}
	cause.Kind, cause.Namespace, cause.Name, cause.Side = name.Kind, name.Namespace, name.Name, string(chain.Side)
	switch {
	case strings.HasPrefix(cause.Edit, "server name"):
		cause.Position = lineOnly(route.Places.At("spec.hostnames"))
		for i, hostname := range route.Hostnames {
			if slices.Contains(chain.ServerNames, strings.ToLower(string(hostname))) {
				cause.Position = lineOnly(route.Places.At(fmt.Sprintf("spec.hostnames[%d]", i)))
			}
		}
		return true
	case other == nil:
		cause.Edit, cause.Position = strings.Replace(cause.Edit, "listener", "route", 1), lineOnly(route.Places.Document)
	default:
		cause.Edit, cause.Position = "route changed", lineOnly(route.Places.At("spec.parentRefs"))
	}
	cause.Detail = name.String()
	return true
}

// other is the side that is compared with a side.
func (r resolver) other(side diff.Side) *input {
	if side == diff.Before {
		return r.later
	}
	return r.earlier
}

// route finds a route, nil if the side has none of that name.
func (in *input) route(name diagnostic.Object) *manifest.Route {
	if in.objects == nil {
		return nil
	}
	for route := range in.objects.Routes() {
		if route.Name() == name {
			return &route
		}
	}
	return nil
}

func forwardOf(gateway *model.Gateway, chain *diff.ChainAt) *model.Forward {
	for _, listener := range gateway.Listeners {
		if listener.Port != chain.Port || (listener.Protocol == model.UDP) != chain.UDP {
			continue
		}
		for _, c := range listener.Chains {
			if slices.Equal(slices.Sorted(slices.Values(c.ServerNames)), chain.ServerNames) {
				return c.Forward
			}
		}
	}
	return nil
}
