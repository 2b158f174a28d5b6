package manifest

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// served are the versions of a kind that are read, the preferred one first.
func (r *reading) served(id groupKind) []string {
	if !id.defined() {
		return []string{"v1"}
	}
	versions, err := r.schema.Served(schema.GroupKind{Group: id.group, Kind: id.kind})
	if err != nil || len(versions) == 0 { // what is embedded is broken: nothing is served
		return []string{"v1"}
	}
	return versions
}

// decode reads the object of a kind that is read: its node becomes a value, the value is held against the definition of its kind,
// and becomes a typed object.
func (r *reading) decode(one *item, n node, known kind) {
	object := one.other.Object
	if known.namespaced && object.Namespace == "" {
		object.Namespace = cmp.Or(r.namespace, defaultNamespace)
	}
	room := r.room()
	c := converter{document: n.document, home: one.other.Position.File, object: object, left: known.left, places: *room}
	value := c.convert(n.Node)
	value["apiVersion"], value["kind"] = one.other.APIVersion, one.other.Kind
	one.absent = settleNamespace(value, known.namespaced, cmp.Or(r.namespace, defaultNamespace)) && r.namespace == ""
	one.other.Namespace, one.other.Name = nameOf(value)
	object.Namespace, object.Name = one.other.Namespace, one.other.Name
	one.places = &Places{Document: one.other.Position, entries: slices.Clone(c.places), files: c.files}
	*room = c.places[:0]
	r.rooms.Put(room)
	one.variables, one.found = c.variables, c.found
	if c.bytes > objectBytes {
		one.found = append(one.found, tooLargeObject(object, one.other.Position))
	} else {
		r.judge(one, refusal{object: object, places: one.places, shape: known.shape, value: value, standing: c.standing}, known)
	}
	one.found = bounded(one.found)
	one.invalid = one.found.HasErrors()
}

// room is where the places of an object are noted while nobody knows how many there are.
func (r *reading) room() *[]place {
	if used, is := r.rooms.Get().(*[]place); is {
		return used
	}
	return &[]place{}
}

// judge holds a value against the definition of its kind, and makes the object of what is accepted.
func (r *reading) judge(one *item, of refusal, known kind) {
	d := decoder{object: of.object, places: one.places, keepKeys: r.keepKeys}
	if group, version := splitAPIVersion(one.other.APIVersion); group == gatewayGroup {
		result, err := r.schema.Apply(r.ctx, schema.GroupVersionKind{Group: group, Version: version, Kind: one.other.Kind}, of.value)
		if err != nil {
			one.complain(diagnostic.VersionNotServed, diagnostic.Error, "apiVersion", err.Error(), "")
			return
		}
		for _, warning := range result.Warnings {
			one.complain(diagnostic.DeprecatedVersion, diagnostic.Warning, "apiVersion", warning, "write the version that is served for good: "+group+"/v1")
		}
		if len(result.Causes) > 0 {
			one.found = append(one.found, of.diagnostics(result.Causes)...)
			return
		}
		// What the definition accepts has no unknown fields and no wrong types left.
		of.value = result.Value
	}
	put, found := known.read(&d, of.value)
	for i := range found {
		found[i].Object, found[i].Position = of.object, one.places.At(found[i].Field)
	}
	one.found = append(append(one.found, d.found...), found...)
	one.store = put
}

// settleNamespace gives a namespaced object that has no namespace the one that it is applied to, and takes it from others. It tells
// whether the manifest leaves it to whoever applies it.
func settleNamespace(value map[string]any, namespaced bool, namespace string) (absent bool) {
	metadata, is := value["metadata"].(map[string]any)
	if !is {
		return false
	}
	written, isText := metadata["namespace"].(string)
	absent = namespaced && (metadata["namespace"] == nil || isText && written == "")
	switch {
	case absent:
		metadata["namespace"] = namespace
	case !namespaced:
		delete(metadata, "namespace")
	}
	return absent
}

// nameOf is the name of an object in its metadata.
func nameOf(value map[string]any) (namespace, name string) {
	metadata, _ := value["metadata"].(map[string]any)
	namespace, _ = metadata["namespace"].(string)
	name, _ = metadata["name"].(string)
	return namespace, name
}
