package attach

import (
	"fmt"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// maxMisdirected is the number of listeners for TLS on one port up to which each of them knows the hostnames of all others. What it
// takes grows with the square of it.
const maxMisdirected = 128

const statusMisdirected = 421

// misdirect adds a host that answers 421 for each listener of the port that only another connection leads to: one whose server name
// chooses that listener. Clients bring such requests where a certificate holds for several names, since they use one connection for
// all of them (RFC 9113, 9.1.1); the answer makes them open another one.
//
// "If another Listener has an exact match or more specific wildcard entry, the Gateway SHOULD return a 421. If the current Listener
// (selected by SNI matching during ClientHello) does not match the Host: If another Listener does match the Host, the Gateway SHOULD
// return a 421. If no other Listener matches the Host, the Gateway MUST return a 404" (Listener.hostname). All of this is the choice of
// the most specific host: the listener's own hostname stands among them, without rules if no route has it.
//
// A listener that is not served has no such host: a second connection would not lead there either.
func (r *resolver) misdirect(hosts map[string]*model.Host, served, port []*listener) {
	current := served[0]
	if classOf(current.protocol) != secure || len(port) == 1 {
		return
	}
	if len(port) > maxMisdirected {
		if r.once(diagnostic.TooManyListeners, fmt.Sprint(current.gateway.Name, current.port)) {
			r.warn(current.gateway.source, "spec.listeners", diagnostic.TooManyListeners,
				fmt.Sprintf("%d listeners share port %d: a request that came over a connection for another one is answered with 404 and not with %d",
					len(port), current.port, statusMisdirected), "")
		}
		return
	}
	for _, l := range port {
		if l != current && l.served() {
			hosts[l.hostname] = &model.Host{Hostname: l.hostname, Rules: []model.Rule{l.misdirected()}}
		}
	}
}

// misdirected is the one rule of such a host. Its origin is the listener that the request should have come to.
func (l *listener) misdirected() model.Rule {
	return model.Rule{
		Origin: model.Origin{
			Kind: l.Kind, Name: l.ownerName(), RuleName: l.name, File: l.places.At(l.field).File, Line: l.places.At(l.field).Line,
		},
		Hostname: l.hostname,
		Match:    model.Match{PathKind: model.PathPrefix, PathValue: "/", PathWritten: "/"},
		Action: model.Action{Direct: &model.Direct{
			Status: statusMisdirected,
			Reason: fmt.Sprintf("requests%s belong to another connection, whose server name leads to listener %q", forHostname(l.hostname), l.name),
		}},
	}
}
