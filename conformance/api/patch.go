package api

import (
	"context"
	"net/http"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// patch merges a change into an object (RFC 7386), the one form of patch that the suite sends.
func (s *Server) patch(ctx context.Context, r Resource, name types.NamespacedName, contentType string, change []byte, subresource string) (*unstructured.Unstructured, error) {
	if contentType != string(types.MergePatchType) {
		return nil, apierrors.NewGenericServerResponse(http.StatusUnsupportedMediaType, "patch", r.GroupResource(), name.Name, "only merge patches are known", 0, false)
	}
	old, err := s.store.get(key{r.GroupResource(), name})
	if err != nil {
		return nil, err
	}
	before, err := old.MarshalJSON()
	if err != nil {
		return nil, err
	}
	after, err := jsonpatch.MergePatch(before, change)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	object, err := readObject(after)
	if err != nil {
		return nil, err
	}
	return s.update(ctx, r, name, object, subresource)
}

func readObject(data []byte) (*unstructured.Unstructured, error) {
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(data); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return object, nil
}
