package review

import (
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// newcomers are the routes of the later side that the earlier one does not have. The cluster will create them after all others,
// whatever their commits' dates say, so they are the youngest there (product.md, R9). creationTimestamp, where a manifest has one,
// goes before this: render/attach looks at it first.
func newcomers(before, after *manifest.Objects) map[diagnostic.Object]model.Age {
	known := map[diagnostic.Object]bool{}
	for _, object := range routes(before) {
		known[object] = true
	}
	ages := map[diagnostic.Object]model.Age{}
	for _, object := range routes(after) {
		if !known[object] {
			ages[object] = model.Age{New: true, Source: model.AgeGit}
		}
	}
	return ages
}

// routes names the objects that compete.
func routes(objects *manifest.Objects) []diagnostic.Object {
	var names []diagnostic.Object
	for route := range objects.Routes() {
		names = append(names, route.Name())
	}
	return names
}

// gone are the objects of the earlier side that the later one does not have any more. Under references: assume an object that the
// input lacks is taken to live elsewhere; one that the change removes is not.
func gone(before, after *manifest.Objects) map[diagnostic.Object]bool {
	left := map[diagnostic.Object]bool{}
	for _, object := range referable(before) {
		left[object] = true
	}
	for _, object := range referable(after) {
		delete(left, object)
	}
	return left
}

// referable names the objects that a reference may point to.
func referable(objects *manifest.Objects) []diagnostic.Object {
	var names []diagnostic.Object
	add := func(kind, namespace, name string) {
		names = append(names, diagnostic.Object{Kind: kind, Namespace: namespace, Name: name})
	}
	for _, service := range objects.Services {
		add("Service", service.Object.Namespace, service.Object.Name)
	}
	for _, gateway := range objects.Gateways {
		add("Gateway", gateway.Object.Namespace, gateway.Object.Name)
	}
	for _, secret := range objects.Secrets {
		add("Secret", secret.Object.Namespace, secret.Object.Name)
	}
	for _, other := range objects.Others {
		names = append(names, other.Object)
	}
	return names
}

// labelsLeft are the labels of the Namespaces of the earlier side that the later one does not have any more, by name.
func labelsLeft(before, after *manifest.Objects) map[string]map[string]string {
	left := map[string]map[string]string{}
	for _, namespace := range before.Namespaces {
		left[namespace.Object.Name] = namespace.Object.Labels
	}
	for _, namespace := range after.Namespaces {
		delete(left, namespace.Object.Name)
	}
	return left
}
