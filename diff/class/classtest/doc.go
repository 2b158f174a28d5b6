// Package classtest makes requests on the borders of request classes, for tests that hold the classes against something
// else: the evaluator, a real Envoy.
//
// In comes the result of class.Compare; out go requests inside each area and requests that leave it by one step: another
// host, a path just before or behind a term, one condition turned, a header sent twice. Everything is a function of the
// random source that is given.
package classtest
