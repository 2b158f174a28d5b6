package manifest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// node is a YAML node that may be an object, with the document that it stands in.
type node struct {
	*yaml.Node
	document document
	// apiVersion and kind of the list around it, for typed lists whose items have none.
	apiVersion, kind string
}

// item is what is left of an object once its node is dropped.
type item struct {
	other Other
	// store is nil for kinds that are not read.
	store     store
	places    *Places
	absent    bool
	invalid   bool
	found     diagnostic.List
	variables []variable
}

// readNode reads what a node holds: an object, a list of objects, or nothing that matters here.
func (r *reading) readNode(n node) []item {
	n.Node = resolve(n.Node)
	if n.Kind != yaml.MappingNode {
		return nil
	}
	apiVersion := cmp.Or(text(get(n.Node, "apiVersion")), n.apiVersion)
	kindName := cmp.Or(text(get(n.Node, "kind")), n.kind)
	if items := get(n.Node, "items"); isList(apiVersion, kindName) && items != nil && items.Kind == yaml.SequenceNode {
		return r.readList(n, items, apiVersion, kindName)
	}
	if one := r.readObject(n, apiVersion, kindName); one != nil {
		return []item{*one}
	}
	return nil
}

// isList tells whether a kind is a list of objects: v1 List, HTTPRouteList..., and the ResourceList of KRM functions.
func isList(apiVersion, kindName string) bool {
	return apiVersion != "" && strings.HasSuffix(kindName, "List")
}

// readList reads the items of a list, each with the place where it stands.
func (r *reading) readList(n node, items *yaml.Node, apiVersion, kindName string) []item {
	inner := node{document: n.document}
	if kindName != "List" && kindName != "ResourceList" {
		inner.apiVersion, inner.kind = apiVersion, strings.TrimSuffix(kindName, "List")
	}
	var read []item
	for _, child := range items.Content {
		inner.Node = child
		read = append(read, r.readNode(inner)...)
	}
	return read
}

// readObject reads one object, or gives nil for a mapping that is none.
func (r *reading) readObject(n node, apiVersion, kindName string) *item {
	group, version := splitAPIVersion(apiVersion)
	metadata := get(n.Node, "metadata")
	one := &item{other: Other{
		APIVersion: apiVersion,
		Object: diagnostic.Object{
			Kind:      kindName,
			Namespace: plainName(text(get(metadata, "namespace"))),
			Name:      plainName(text(get(metadata, "name"))),
		},
		Position: n.document.position(n.Line, n.Column),
	}}
	id := groupKind{group, kindName}
	known, read := kinds[id]
	switch {
	case apiVersion == "" && isGatewayKind(kindName):
		return one.missing("apiVersion", fmt.Sprintf("write apiVersion: %s/v1", gatewayGroup))
	case group == gatewayGroup && kindName == "":
		return one.missing("kind", "write kind: HTTPRoute, for instance")
	case apiVersion == "" || kindName == "":
		return nil
	case (read || group == gatewayGroup) && one.other.Name == "":
		return one.missing("metadata.name", "give the object a name; generateName is no name before the cluster has made one")
	case read && !slices.Contains(r.served(id), version):
		return one.notServed(r.served(id)[0], group)
	case read:
		r.decode(one, n, known)
		return one
	}
	if near, is := meant(id); is {
		return one.misspelt(near, version)
	}
	one.readForeign(n.Node, group)
	return one
}

// defaultNamespace is where kubectl puts an object whose manifest names no namespace, unless told otherwise.
const defaultNamespace = "default"

// plainName is a name as it is after substitution of its variables.
func plainName(name string) string {
	if !strings.Contains(name, "${") {
		return name
	}
	return substituteVariables(name, aName, func(string, string) {})
}

func (one *item) missing(field, hint string) *item {
	one.complain(diagnostic.MissingIdentifier, diagnostic.Error, field, "required value: an object of the API needs "+field, hint)
	return one
}

func (one *item) notServed(served, group string) *item {
	if group != "" {
		served = group + "/" + served
	}
	one.complain(diagnostic.VersionNotServed, diagnostic.Error, "apiVersion",
		fmt.Sprintf("version %s of %s is not served", visible(one.other.APIVersion), one.other.Kind), "write apiVersion: "+served)
	return one
}

// complain adds a diagnostic about the object as a whole. An error makes it invalid.
func (one *item) complain(code diagnostic.Code, severity diagnostic.Severity, field, message, hint string) {
	one.invalid = one.invalid || severity == diagnostic.Error
	one.found = append(one.found, diagnostic.Diagnostic{
		Code: code, Severity: severity, Object: one.other.Object, Field: field,
		Position: one.other.Position, Message: message, Hint: hint,
	})
}
