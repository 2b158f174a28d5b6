// Package schema applies the CustomResourceDefinitions of the Gateway API to one object, as the API server does before it stores
// one: in comes an object as a JSON value with its group, version and kind, out come the value with its defaults and the reasons to
// refuse it, in the server's own words. It knows no manifests and no places.
//
//	value ─ accepts ─────────────────────────────────────── defaulted value
//	              └─ judge (the server's own library) ─ defaulted value, causes
//
// The definitions are embedded (crds.zip, by go generate). The library takes milliseconds to see that an object is right, and a tenth
// of a second to get ready; so accepts looks first, which is quick and never says yes to what the library refuses, and the library
// is asked about the rest. Its rules run with the server's limits on their cost.
//
// Rules of kinds that have no definition, and what only a proxy refuses, are in typed.
package schema
