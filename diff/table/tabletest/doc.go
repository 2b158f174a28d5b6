// Package tabletest makes random tables, edits of them, and requests near their borders, for tests that hold one
// account of Envoy's matching against another: the evaluator against a real Envoy, request classes against the evaluator.
//
// Everything is a function of the random source that is given, so a seed reproduces it. The tables use every kind of match
// of an HTTPRoute and what else package table models; few literals are drawn, often, so that rules overlap.
package tabletest
