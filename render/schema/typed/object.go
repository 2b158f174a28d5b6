package typed

import "github.com/routedelta/routedelta/render/diagnostic"

// Namespace applies the rules of the name of a Namespace.
func Namespace(name string) diagnostic.List {
	c := &checker{}
	c.label(metadataName, name)
	return c.found
}

// Named applies the rules of the name of a Secret or ConfigMap.
func Named(name string) diagnostic.List {
	c := &checker{}
	c.subdomain(metadataName, name)
	return c.found
}
