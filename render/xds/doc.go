// Package xds turns the neutral route table into Envoy messages.
//
// In comes a model.Gateway whose rules stand in the order in which they are to be tried; out goes a files.Set. Every
// constructor is pure, and each file holds those of one Envoy resource: bootstrap, listener, connection manager, route
// configuration, route match, route action, TCP and UDP proxy, cluster, upstream TLS, endpoint, secret. The package decides nothing that Gateway API
// decides; it knows how to say a thing so that Envoy 1.40 does exactly that.
//
// Each rule of the model becomes exactly one Envoy route, at the same index of the same virtual host. No name holds the
// position of anything, so that a rule that is inserted changes its own lines only.
package xds
