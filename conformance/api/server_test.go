package api

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// newClient talks to a new server in which the CRDs of the Gateway API are installed and the Namespace "shop" is.
func newClient(t *testing.T) client.Client {
	t.Helper()
	module, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/gateway-api").Output()
	must(t, err)
	crds, err := ReadCRDs(os.DirFS(filepath.Join(strings.TrimSpace(string(module)), "config", "crd", "experimental")))
	must(t, err)
	server, err := New(crds)
	must(t, err)
	known := runtime.NewScheme()
	must(t, scheme.AddToScheme(known))
	must(t, gatewayv1.Install(known))
	c, err := client.New(server.Config(), client.Options{Scheme: known, Mapper: server.Mapper()})
	must(t, err)
	must(t, c.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}))
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func route() *gatewayv1.HTTPRoute {
	return &gatewayv1.HTTPRoute{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "cart", Labels: map[string]string{"app": "cart"}},
		Spec: gatewayv1.HTTPRouteSpec{
			CommonRouteSpec: gatewayv1.CommonRouteSpec{ParentRefs: []gatewayv1.ParentReference{{Name: "edge"}}},
			Hostnames:       []gatewayv1.Hostname{"shop.example.com"},
		},
	}
}

func TestCreate(t *testing.T) {
	c, made := newClient(t), route()
	made.Status.Parents = []gatewayv1.RouteParentStatus{{ControllerName: "example.com/other"}}
	must(t, c.Create(t.Context(), made))
	switch ref := made.Spec.ParentRefs[0]; {
	case ref.Group == nil || *ref.Group != gatewayv1.GroupName || ref.Kind == nil || *ref.Kind != "Gateway":
		t.Errorf("the parent has no defaults: %v", ref)
	case len(made.Status.Parents) != 0:
		t.Error("the status that came with the object is kept")
	case made.Generation != 1 || made.UID == "" || made.ResourceVersion == "" || made.CreationTimestamp.IsZero():
		t.Errorf("what the server sets is %+v", made.ObjectMeta)
	}
	if err := c.Create(t.Context(), route()); !apierrors.IsAlreadyExists(err) {
		t.Errorf("a second one: %v", err)
	}
	elsewhere := route()
	elsewhere.Namespace = "nowhere"
	if err := c.Create(t.Context(), elsewhere); !apierrors.IsNotFound(err) {
		t.Errorf("in a Namespace that is not there: %v", err)
	}
}

func TestInvalid(t *testing.T) {
	c, made := newClient(t), route()
	made.Spec.Hostnames = []gatewayv1.Hostname{"-"}
	err := c.Create(t.Context(), made)
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "spec.hostnames[0]") {
		t.Errorf("a hostname that is none: %v", err)
	}
}

func TestUpdate(t *testing.T) {
	c, made := newClient(t), route()
	must(t, c.Create(t.Context(), made))
	first := made.DeepCopy()

	made.Labels["app"] = "basket"
	must(t, c.Update(t.Context(), made))
	if made.Generation != 1 || made.ResourceVersion == first.ResourceVersion {
		t.Errorf("after a change of labels: generation %d, version %s (before: %s)", made.Generation, made.ResourceVersion, first.ResourceVersion)
	}
	before := made.DeepCopy()
	made.Spec.Hostnames = nil
	must(t, c.Patch(t.Context(), made, client.MergeFrom(before)))
	if made.Generation != 2 || len(made.Spec.Hostnames) != 0 || made.Labels["app"] != "basket" {
		t.Errorf("after a patch of the hostnames: generation %d, %v, %v", made.Generation, made.Spec.Hostnames, made.Labels)
	}
	if err := c.Update(t.Context(), first); !apierrors.IsConflict(err) {
		t.Errorf("an update of what is no more: %v", err)
	}
	unchanged := made.ResourceVersion
	must(t, c.Update(t.Context(), made))
	if made.ResourceVersion != unchanged {
		t.Error("an update that changes nothing makes a new version")
	}
}

func TestStatus(t *testing.T) {
	c, made := newClient(t), route()
	must(t, c.Create(t.Context(), made))
	made.Spec.Hostnames = nil
	made.Status.Parents = []gatewayv1.RouteParentStatus{{
		ParentRef: made.Spec.ParentRefs[0], ControllerName: "example.com/ours",
		Conditions: []metav1.Condition{{Type: "Accepted", Status: "True", Reason: "Accepted", LastTransitionTime: metav1.Now()}},
	}}
	must(t, c.Status().Update(t.Context(), made))
	if len(made.Status.Parents) != 1 || len(made.Spec.Hostnames) != 1 || made.Generation != 1 {
		t.Errorf("after a write of the status: %v, hostnames %v, generation %d", made.Status, made.Spec.Hostnames, made.Generation)
	}
	made.Status = gatewayv1.HTTPRouteStatus{}
	made.Spec.Hostnames = []gatewayv1.Hostname{"other.example.com"}
	must(t, c.Update(t.Context(), made))
	if len(made.Status.Parents) != 1 || made.Generation != 2 {
		t.Errorf("after a write of the object: %v, generation %d", made.Status, made.Generation)
	}
}

func TestListAndDelete(t *testing.T) {
	c := newClient(t)
	must(t, c.Create(t.Context(), route()))
	other := route()
	other.Name, other.Labels = "wishes", nil
	must(t, c.Create(t.Context(), other))
	var all, labelled gatewayv1.HTTPRouteList
	must(t, c.List(t.Context(), &all, client.InNamespace("shop")))
	must(t, c.List(t.Context(), &labelled, client.MatchingLabels{"app": "cart"}))
	if len(all.Items) != 2 || len(labelled.Items) != 1 || labelled.Items[0].Name != "cart" {
		t.Errorf("%d routes, %d with the label", len(all.Items), len(labelled.Items))
	}
	must(t, c.Delete(t.Context(), other))
	if err := c.Delete(t.Context(), other); !apierrors.IsNotFound(err) {
		t.Errorf("a second delete: %v", err)
	}
}

func TestParsePath(t *testing.T) {
	for text, want := range map[string]path{
		"/api/v1/namespaces":             {version: "v1", plural: "namespaces"},
		"/api/v1/namespaces/shop":        {version: "v1", plural: "namespaces", NamespacedName: named("", "shop")},
		"/api/v1/namespaces/shop/status": {version: "v1", plural: "namespaces", NamespacedName: named("", "shop"), subresource: "status"},
		"/api/v1/namespaces/shop/pods":   {version: "v1", plural: "pods", NamespacedName: named("shop", "")},
		"/apis/apps/v1/namespaces/shop/deployments/x": {
			group: "apps", version: "v1", plural: "deployments", NamespacedName: named("shop", "x"),
		},
		"/apis/apps/v1/namespaces/shop/deployments/x/scale": {
			group: "apps", version: "v1", plural: "deployments", NamespacedName: named("shop", "x"), subresource: "scale",
		},
	} {
		if got, ok := parsePath(text); !ok || got != want {
			t.Errorf("%s is %+v (%t), want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{"/version", "/api/v1", "/api/v1/namespaces/shop/pods/x/log/more"} {
		if got, ok := parsePath(text); ok {
			t.Errorf("%s is %+v, want no path", text, got)
		}
	}
}

func named(namespace, name string) types.NamespacedName {
	return types.NamespacedName{Namespace: namespace, Name: name}
}
