// Package precedence is the ladder on which competing rules of one host are compared.
//
// In come the rules of a virtual host in any order and a dialect; out goes the order in which Envoy tries them, and for
// any two of them the rung that decided. A dialect is a list of rungs in one table (dialects.go), to be read beside the
// text that it comes from; everything else in the package walks that list. It is pure: no clock, no input order.
package precedence
