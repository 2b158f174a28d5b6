// Package verify checks a certificate against the two sides that it is about.
//
// In come the certificate and the Envoy files of both sides; out goes what of it is not true, and what could not be shown. It shares
// no code with the engine that found the classes (package class). It takes for granted: the reader of Envoy's files and
// the evaluator's rules for mixing chances (package table), and the automata (package automaton).
//
// Claim: if nothing is wrong and nothing is open, then every request outside the regions that the certificate leaves
// undecided gets another outcome just if it is in one of the classes, in one only, and the outcomes are among those that
// the class names.
//
// Proof. A connection leads to one place, and all places are in the certificate (connections.go). In it, a request's host
// belongs to one of the groups, which are found by walking all strings (strings.go, hosts.go). The same walk divides
// the paths that an edited rule or an area of a class takes; about all others no claim is made, and none changes, by the
// common subsequence (pair.go). For each set of hosts and paths the rules in question are gone through as Envoy does; where
// a condition decides, both answers are followed unless no value gives them (decide.go, knowledge.go). So each request is
// on one course that was followed to its end, and there the claim was compared with the outcomes. Where values are
// independent of each other in this package and are not in truth, more courses are followed than there are requests:
// that can leave a claim open, and never lets a wrong one pass.
package verify
