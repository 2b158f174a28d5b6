// Package api is the part of the Kubernetes API that the conformance suite talks to, in the process of the tests.
//
// In come HTTP requests as a client of Kubernetes makes them; out go the answers that kube-apiserver would give. The server
// stores and answers, and knows nothing of routing: generations, resource versions, the status subresource, label selectors,
// what the definition of a kind refuses and fills in (render/schema). What a Gateway means, it does not know.
//
//	request ─ path.go ─ server.go ─ write.go ─ admission.go ─ store.go
//	                                patch.go
package api
