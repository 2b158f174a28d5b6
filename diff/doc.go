// Package diff compares what two sets of Envoy files do with requests.
//
//	two file sets ─ table ─ class ─ report ─ format
//
// In come the files of every Gateway of two sides; out goes a report, and beside it the places (Traces) from which a caller that
// knows the manifests finds lines and rungs of the ladder. table reads Envoy's files; class finds the requests that two
// tables answer differently; this package pairs what belongs together (place.go), asks class about each pair, says the
// result in the report's types (classes.go, flow.go, cause.go), and adds what no table holds: listeners that appear or go
// (listener.go) and backends that stay but change (backend.go). Nothing here knows the Gateway API.
package diff
