// Package schematest makes objects that ask about every rule of the definitions of the Gateway API, and keeps what a real
// kube-apiserver answered. In come the CustomResourceDefinitions; out go probes, objects that a rule accepts or refuses, and the
// means to tell whether an answer is about the rule.
//
//	definitions ─ Rules ────────────────┐
//	objects.yaml (right objects) ───────┼─ Probes ─ kube-apiserver ─ Answers (goldens) ─ tests of package schema
//	rules.yaml (values for CEL rules) ──┘
//
// It knows nothing of package schema, which the answers judge. It is for tests, and for the command that asks the server.
package schematest
