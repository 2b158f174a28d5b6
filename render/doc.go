// Package render turns Gateway API manifests into the Envoy files that they mean.
//
//	bytes ─ manifest ─ schema ─ attach ─ model ─ precedence ─ xds ─ files
//
// manifest reads documents into typed objects that know their lines, and asks schema what the API server says of each;
// attach decides which route is served where, and by which backends; model is the neutral table that comes of it; precedence
// orders the rules that compete; xds writes them as Envoy messages; files turns those into bytes, and back, and checks
// that they hold together. Diagnostics of every stage are data (render/diagnostic).
package render
