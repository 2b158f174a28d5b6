package api

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/routedelta/routedelta/render/schema"
)

// admit brings an object into the form in which it is stored: with the defaults of its kind. An object of a CRD is held against its
// definition first.
func (s *Server) admit(ctx context.Context, r Resource, object *unstructured.Unstructured) error {
	object.SetGroupVersionKind(r.GroupVersionKind)
	if r.Custom {
		return s.admitCustom(ctx, r, object)
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

// admitCustom refuses what the definition refuses. The validator looks at objects as a client applies them, whose status counts for
// nothing, so that a status comes out as it went in; what the definition says of those, a real kube-apiserver tells.
func (s *Server) admitCustom(ctx context.Context, r Resource, object *unstructured.Unstructured) error {
	status, has := object.DeepCopy().Object["status"]
	result, err := s.validator.Apply(ctx, r.GroupVersionKind, object.Object)
	if err != nil {
		return err
	}
	if len(result.Causes) > 0 {
		return invalid(r, object.GetName(), result.Causes)
	}
	object.Object = result.Value
	if has {
		object.Object["status"] = status
	}
	return nil
}

// invalid is the error with which kube-apiserver refuses an object.
func invalid(r Resource, name string, found []schema.Cause) error {
	details := &metav1.StatusDetails{Group: r.Group, Kind: r.Kind, Name: name}
	var messages []string
	for _, cause := range found {
		details.Causes = append(details.Causes, metav1.StatusCause{Type: cause.Reason, Field: cause.Field, Message: cause.Message})
		messages = append(messages, cause.Field+": "+cause.Message)
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid, Details: details,
		Message: fmt.Sprintf("%s.%s %q is invalid: %s", r.Kind, r.Group, name, strings.Join(messages, ", ")),
	}}
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
