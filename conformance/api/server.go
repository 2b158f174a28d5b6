package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	definitions "github.com/routedelta/routedelta/render/schema"
)

// namespaces is the resource without which nothing that is namespaced can be.
var namespaces = schema.GroupResource{Resource: "namespaces"}

// Server answers requests for the kinds of Kubernetes that it knows and for those of its CRDs.
type Server struct {
	store     *store
	resources map[schema.GroupVersionResource]Resource
	validator *definitions.Validator
}

// New makes a server in which CRDs are installed. Objects are held against the definitions that the renderer has of the same CRDs.
func New(crds []*apiextensionsv1.CustomResourceDefinition) (*Server, error) {
	s := &Server{
		store: newStore(), resources: map[schema.GroupVersionResource]Resource{}, validator: definitions.New(definitions.Experimental),
	}
	for _, r := range builtin {
		s.resources[r.GroupVersion().WithResource(r.Plural)] = r
	}
	installed := s.resources[kind("apiextensions.k8s.io", "v1", "").GroupVersion().WithResource("customresourcedefinitions")]
	for _, crd := range crds {
		for _, r := range served(crd) {
			s.resources[r.GroupVersion().WithResource(r.Plural)] = r
		}
		fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(crd)
		if err != nil {
			return nil, err
		}
		if _, err := s.create(context.Background(), installed, "", &unstructured.Unstructured{Object: fields}); err != nil {
			return nil, fmt.Errorf("installing %s: %w", crd.Name, err)
		}
	}
	return s, nil
}

// Mapper tells a client which path is whose, so that it need not discover it.
func (s *Server) Mapper() meta.RESTMapper {
	mapper := meta.NewDefaultRESTMapper(nil)
	for resource, r := range s.resources {
		scope := meta.RESTScopeRoot
		if r.Namespaced {
			scope = meta.RESTScopeNamespace
		}
		singular := resource
		singular.Resource = strings.ToLower(r.Kind)
		mapper.AddSpecific(r.GroupVersionKind, resource, singular, scope)
	}
	return mapper
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	code, body, err := s.answer(request)
	if err != nil {
		code, body = failure(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	// A client that is gone has no use for an error.
	_ = json.NewEncoder(w).Encode(body)
}

func (s *Server) answer(request *http.Request) (int, any, error) {
	p, ok := parsePath(request.URL.Path)
	r, known := s.resources[schema.GroupVersionResource{Group: p.group, Version: p.version, Resource: p.plural}]
	if !ok || !known || p.subresource != "" && (p.subresource != "status" || !r.Status) {
		return 0, nil, apierrors.NewNotFound(schema.GroupResource{Group: p.group, Resource: p.plural}, p.Name)
	}
	if request.Method == http.MethodGet && p.Name == "" {
		return s.answerList(r, p.Namespace, request)
	}
	object, err := s.answerObject(r, p, request)
	if err != nil {
		return 0, nil, err
	}
	code := http.StatusOK
	if request.Method == http.MethodPost {
		code = http.StatusCreated
	}
	return code, inVersion(r, object), nil
}

// answerObject does what is asked of one object and gives it as it is then.
func (s *Server) answerObject(r Resource, p path, request *http.Request) (*unstructured.Unstructured, error) {
	body, err := io.ReadAll(orEmpty(request.Body))
	if err != nil {
		return nil, err
	}
	switch request.Method {
	case http.MethodGet:
		return s.store.get(key{r.GroupResource(), p.NamespacedName})
	case http.MethodDelete:
		return s.delete(r, p.NamespacedName)
	case http.MethodPatch:
		return s.patch(request.Context(), r, p.NamespacedName, request.Header.Get("Content-Type"), body, p.subresource)
	case http.MethodPost, http.MethodPut:
		object, err := readObject(body)
		if err != nil {
			return nil, err
		}
		if request.Method == http.MethodPost {
			return s.create(request.Context(), r, p.Namespace, object)
		}
		return s.update(request.Context(), r, p.NamespacedName, object, p.subresource)
	}
	return nil, apierrors.NewMethodNotSupported(r.GroupResource(), request.Method)
}

func orEmpty(body io.Reader) io.Reader {
	if body == nil {
		return http.NoBody
	}
	return body
}

func (s *Server) answerList(r Resource, namespace string, request *http.Request) (int, any, error) {
	selector, err := labels.Parse(request.URL.Query().Get("labelSelector"))
	if err != nil {
		return 0, nil, apierrors.NewBadRequest(err.Error())
	}
	objects, revision := s.store.list(r.GroupResource(), namespace, selector)
	items := make([]any, 0, len(objects))
	for _, object := range objects {
		items = append(items, inVersion(r, object))
	}
	return http.StatusOK, map[string]any{
		"apiVersion": r.GroupVersion().String(),
		"kind":       r.Kind + "List",
		"metadata":   map[string]any{"resourceVersion": revision},
		"items":      items,
	}, nil
}

// inVersion is an object in the version in which it is asked for. The CRDs of the Gateway API convert nothing between them.
func inVersion(r Resource, object *unstructured.Unstructured) map[string]any {
	fields := map[string]any{}
	for name, value := range object.Object {
		fields[name] = value
	}
	fields["apiVersion"] = r.GroupVersion().String()
	return fields
}

// failure is an error as a client of Kubernetes reads it.
func failure(err error) (int, any) {
	known := apierrors.APIStatus(apierrors.NewInternalError(err))
	errors.As(err, &known)
	status := known.Status()
	status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	return int(status.Code), status
}
