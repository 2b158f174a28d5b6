package api

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/uuid"
)

// create stores a new object.
func (s *Server) create(ctx context.Context, r Resource, namespace string, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if r.Namespaced {
		object.SetNamespace(namespace)
		if _, err := s.store.get(key{namespaces, types.NamespacedName{Name: namespace}}); err != nil {
			return nil, err
		}
	}
	if r.Status {
		delete(object.Object, "status")
	}
	if err := s.admit(ctx, r, object); err != nil {
		return nil, err
	}
	return s.store.change(keyOf(r, object), func(old *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		if old != nil {
			return nil, apierrors.NewAlreadyExists(r.GroupResource(), object.GetName())
		}
		object.SetUID(uuid.NewUUID())
		object.SetGeneration(1)
		object.SetCreationTimestamp(metav1.Now())
		return object, nil
	})
}

// update replaces an object, or its status only: a kind with that subresource takes each of the two from one place only.
func (s *Server) update(ctx context.Context, r Resource, name types.NamespacedName, object *unstructured.Unstructured, subresource string) (*unstructured.Unstructured, error) {
	object.SetNamespace(name.Namespace)
	object.SetName(name.Name)
	return s.store.change(keyOf(r, object), func(old *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		if old == nil {
			return nil, apierrors.NewNotFound(r.GroupResource(), name.Name)
		}
		if version := object.GetResourceVersion(); version != "" && version != old.GetResourceVersion() {
			return nil, apierrors.NewConflict(r.GroupResource(), name.Name, fmt.Errorf("its version is %s, not %s", old.GetResourceVersion(), version))
		}
		changed := object
		switch {
		case subresource == "status":
			changed = old.DeepCopy()
			copyStatus(changed, object)
		case r.Status:
			copyStatus(changed, old)
		}
		if err := s.admit(ctx, r, changed); err != nil {
			return nil, err
		}
		keepSystemFields(changed, old)
		return changed, nil
	})
}

func copyStatus(to, from *unstructured.Unstructured) {
	delete(to.Object, "status")
	if status, ok := from.Object["status"]; ok {
		to.Object["status"] = runtime.DeepCopyJSONValue(status)
	}
}

// keepSystemFields gives a changed object what only the server sets. The generation counts changes of what is wanted.
func keepSystemFields(changed, old *unstructured.Unstructured) {
	changed.SetUID(old.GetUID())
	changed.SetCreationTimestamp(old.GetCreationTimestamp())
	changed.SetResourceVersion(old.GetResourceVersion())
	changed.SetGeneration(old.GetGeneration())
	if !equal(wanted(changed), wanted(old)) {
		changed.SetGeneration(old.GetGeneration() + 1)
	}
}

// wanted is an object without its metadata and status.
func wanted(object *unstructured.Unstructured) map[string]any {
	fields := map[string]any{}
	for name, value := range object.Object {
		if name != "metadata" && name != "status" {
			fields[name] = value
		}
	}
	return fields
}

// delete removes an object. Those in a Namespace that goes stay: who tears down in the reverse order leaves none.
func (s *Server) delete(r Resource, name types.NamespacedName) (*unstructured.Unstructured, error) {
	return s.store.change(key{r.GroupResource(), name}, func(old *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		if old == nil {
			return nil, apierrors.NewNotFound(r.GroupResource(), name.Name)
		}
		return nil, nil
	})
}

func keyOf(r Resource, object *unstructured.Unstructured) key {
	return key{r.GroupResource(), types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}}
}
