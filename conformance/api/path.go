package api

import (
	"strings"

	"k8s.io/apimachinery/pkg/types"
)

// path is what the path of a request names: a collection, an object, or a part of an object.
type path struct {
	group, version, plural string
	types.NamespacedName
	// subresource is "status", or "".
	subresource string
}

// parsePath reads /api/v1/... and /apis/<group>/<version>/..., both followed by [namespaces/<namespace>/]<plural>[/<name>[/<subresource>]].
func parsePath(text string) (path, bool) {
	parts := strings.Split(strings.Trim(text, "/"), "/")
	var p path
	switch {
	case len(parts) >= 3 && parts[0] == "api":
		p.version, parts = parts[1], parts[2:]
	case len(parts) >= 4 && parts[0] == "apis":
		p.group, p.version, parts = parts[1], parts[2], parts[3:]
	default:
		return path{}, false
	}
	// A Namespace is itself at /namespaces/<name>; with more behind it, it is where something else lies.
	if len(parts) >= 3 && parts[0] == "namespaces" && parts[2] != "status" {
		p.Namespace, parts = parts[1], parts[2:]
	}
	p.plural, parts = parts[0], parts[1:]
	if len(parts) > 0 {
		p.Name, parts = parts[0], parts[1:]
	}
	if len(parts) > 0 {
		p.subresource, parts = parts[0], parts[1:]
	}
	return p, len(parts) == 0
}
