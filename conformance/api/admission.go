package api

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// admit brings an object into the form in which it is stored: with the defaults of its kind.
func admit(r Resource, object *unstructured.Unstructured) error {
	object.SetGroupVersionKind(r.GroupVersionKind)
	if r.Schema != nil {
		return applyDefaults(object.Object, r.Schema)
	}
	switch r.Kind {
	case "Namespace":
		labels := object.GetLabels()
		if labels == nil {
			labels = map[string]string{}
		}
		labels["kubernetes.io/metadata.name"] = object.GetName()
		object.SetLabels(labels)
	case "Service":
		return defaultService(object)
	}
	return nil
}

// defaultService fills in the fields of ports that kube-apiserver fills in.
func defaultService(object *unstructured.Unstructured) error {
	ports, _, err := unstructured.NestedSlice(object.Object, "spec", "ports")
	if err != nil || ports == nil {
		return err
	}
	for _, port := range ports {
		if port, ok := port.(map[string]any); ok {
			setDefault(port, "protocol", "TCP")
			setDefault(port, "targetPort", port["port"])
		}
	}
	return unstructured.SetNestedSlice(object.Object, ports, "spec", "ports")
}

func setDefault(fields map[string]any, name string, value any) {
	if fields[name] == nil {
		fields[name] = value
	}
}
