// Package envoy installs a rendering under a running Envoy without losing a request.
//
// In come a rendering, the directory that an Envoy was started in, and its admin interface; out come replaced files, and the
// certainty that Envoy serves them: each step waits for Envoy's own counters. What Envoy refuses is taken back, so that the
// directory holds what is served, and Envoy's reason is the error.
//
//	rendering.go    a directory that `render -o` wrote, with its keys
//	live.go         the directory of the running Envoy: its lock, its files, replacing one in one step;  mounted.go: what others put there
//	plan.go         from what is there to what is wanted: the one order in which no request is lost
//	apply.go        what is asked for;  possible.go: what no replaced file can bring
//	change.go       steps done and, after a refusal, undone
//	barrier.go      waiting until Envoy has taken a step;  admin.go, statistics.go, certificates.go: what it says
//	cause.go        why it refuses
//	watch.go        the same as a loop
//
// No journal is kept. Every step leaves a directory from which Envoy can be started and that the next run can go on from, so that
// the files are all there is to know: who is killed at any point is followed by a run that reads them.
package envoy
