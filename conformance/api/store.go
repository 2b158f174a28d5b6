package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// store holds the objects. What it gives out is never changed: a write puts a new object in the place of the old.
type store struct {
	mutex    sync.Mutex
	objects  map[key]*unstructured.Unstructured
	revision int64
}

type key struct {
	schema.GroupResource
	types.NamespacedName
}

func newStore() *store { return &store{objects: map[key]*unstructured.Unstructured{}} }

// get gives an object, or the error that it does not exist.
func (s *store) get(k key) (*unstructured.Unstructured, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if object, ok := s.objects[k]; ok {
		return object, nil
	}
	return nil, apierrors.NewNotFound(k.GroupResource, k.Name)
}

// list gives the objects of a resource in the order of their names, and the revision at which they are so.
func (s *store) list(resource schema.GroupResource, namespace string, selector labels.Selector) ([]*unstructured.Unstructured, string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	found := []*unstructured.Unstructured{}
	for k, object := range s.objects {
		if k.GroupResource == resource && (namespace == "" || k.Namespace == namespace) && selector.Matches(labels.Set(object.GetLabels())) {
			found = append(found, object)
		}
	}
	slices.SortFunc(found, func(a, b *unstructured.Unstructured) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
	return found, strconv.FormatInt(s.revision, 10)
}

// change puts the object that a function makes of the present one (nil: there is none) in its place; nil deletes it. An object
// that stays equal keeps its revision.
func (s *store) change(k key, edit func(old *unstructured.Unstructured) (*unstructured.Unstructured, error)) (*unstructured.Unstructured, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	old := s.objects[k]
	changed, err := edit(old)
	switch {
	case err != nil:
		return nil, err
	case changed == nil:
		delete(s.objects, k)
		s.revision++
		return old, nil
	case old != nil && equal(old.Object, changed.Object):
		return old, nil
	}
	s.revision++
	changed.SetResourceVersion(strconv.FormatInt(s.revision, 10))
	s.objects[k] = changed
	return changed, nil
}

// equal compares as JSON, in which a number has one type.
func equal(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
