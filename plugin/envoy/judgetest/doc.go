// Package judgetest makes a real Envoy the judge of package table.
//
// In comes a random table of tabletest, a request and the evaluator's decision; out goes in what the answer of an Envoy that
// serves the table contradicts it. Where chance decides, an answer agrees if it is one of those that the decision has.
package judgetest
