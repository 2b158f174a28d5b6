// Package envoytest runs a real Envoy in a test and asks it what it does with a request.
//
// In comes a rendering (Start) or a single route configuration (Oracle.Load) and requests as the bytes that a client
// would send; out goes the answer and, with it, which route and which cluster Envoy chose. Listeners and the admin
// interface are moved to Unix sockets, so that any number of tests run at once without choosing ports; nothing else of
// what is under test is changed, except what each option names.
//
// Envoy is a must: where there is none a test fails with the way to get one. Only `go test -short` skips.
package envoytest
