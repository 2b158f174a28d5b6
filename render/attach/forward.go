package attach

import (
	"maps"
	"slices"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/model"
)

// forwardChains lays out what a listener for TLS, TCP or UDP passes on: for TCP and UDP one chain, for TLS one for each hostname.
// None is a listener that no route serves, whose connections nobody takes.
//
// Several routes may be attached for one hostname, and all of them are accepted; one gets the connections (winner).
func (r *resolver) forwardChains(l *listener) []model.FilterChain {
	neighbours := l.gateway.onPort[l.portKey()]
	byHostname := map[string][]attachment{}
	for _, a := range l.attachments {
		if owner := owner(neighbours, a.hostname); owner != l {
			r.reportOwned(a, l, owner)
			continue
		}
		byHostname[a.hostname] = append(byHostname[a.hostname], a)
	}
	var chains []model.FilterChain
	for _, hostname := range slices.Sorted(maps.Keys(byHostname)) {
		winner := r.winner(l, hostname, byHostname[hostname])
		chains = append(chains, l.forwardChain(hostname, r.forwardFor(l, winner)))
	}
	if len(byHostname[l.hostname]) == 0 && l.isolatedAmong(neighbours) {
		chains = append(chains, l.forwardChain(l.hostname, &model.Forward{Reason: "no route for " + l.hostname}))
	}
	return chains
}

// isolatedAmong tells whether connections for the listener would be another one's if it took none of them: a wider listener of the port
// would get what belongs to the narrower one alone ("Listener Isolation", GatewaySpec.listeners).
func (l *listener) isolatedAmong(neighbours []*listener) bool {
	return slices.ContainsFunc(neighbours, func(other *listener) bool {
		return other != l && other.hostname != l.hostname && covers(other.hostname, l.hostname)
	})
}

// forwardChain is the chain of one hostname. It ends TLS where the listener does; without a certificate nothing can be ended, and
// the connection is closed.
func (l *listener) forwardChain(hostname string, forward *model.Forward) model.FilterChain {
	chain := model.FilterChain{Name: l.chainName(), Forward: forward}
	if l.protocol != gatewayv1.TLSProtocolType {
		return chain
	}
	if hostname != anyHostname {
		chain.ServerNames = []string{hostname}
		chain.Name += "/" + hostname
	}
	if l.endsTLS() {
		chain.Certificates = l.certificates
		if len(l.certificates) == 0 {
			chain.Forward = &model.Forward{Origin: forward.Origin, Reason: "the listener has no certificate"}
		}
	}
	return chain
}
