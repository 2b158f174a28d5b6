package attach

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// admission is who admits objects of some namespaces: a listener its routes, a Gateway its ListenerSets.
type admission struct {
	namespaceRule
	source
	// field is where the selector is written.
	field string
	// namespace is what "Same" means.
	namespace string
	// title, and the object that it belongs to, for a message: `listener "http"`, "Gateway infra/edge".
	title, owner string
	// kept says what becomes of those that are not admitted.
	kept string
}

// applicant is the object that asks.
type applicant struct {
	source
	namespace string
	// absent: its manifest names no namespace.
	absent bool
}

// admits tells whether an object may attach. One whose manifest names no namespace may be applied in any: under assume it is taken
// to be applied where it is admitted.
func (r *resolver) admits(a admission, guest applicant) bool {
	switch a.from {
	case gatewayv1.NamespacesFromAll:
		return true
	case gatewayv1.NamespacesFromSame:
		return guest.namespace == a.namespace || r.fitsAnywhere(a, guest)
	case gatewayv1.NamespacesFromSelector:
		return r.fitsAnywhere(a, guest) || r.selectsNamespace(a, guest.namespace)
	}
	return false
}

func (r *resolver) fitsAnywhere(a admission, guest applicant) bool {
	fits := guest.absent && r.assume()
	if fits && r.once(diagnostic.NamespaceUnknown, fmt.Sprint(a.owner, guest.Object)) {
		r.remark(guest.source, "metadata", diagnostic.NamespaceUnknown,
			fmt.Sprintf("the manifest names no namespace: it is taken to be one that %s of %s allows", a.title, a.owner))
	}
	return fits
}

// selectsNamespace holds the labels of a Namespace against the selector. Every namespace has its name as a label (the API server
// sets it); of a Namespace that is not in the input that label alone is known, unless the change under review removes it.
func (r *resolver) selectsNamespace(a admission, namespace string) bool {
	selector, err := metav1.LabelSelectorAsSelector(a.selector)
	if err != nil {
		return false
	}
	if object, found := r.index.namespaces[namespace]; found {
		return selector.Matches(namespaceLabels(namespace, object.Labels))
	}
	if asksOnlyForName(selector) {
		return selector.Matches(namespaceLabels(namespace, nil))
	}
	if left, removed := r.options.Labels[namespace]; removed && r.assume() {
		r.remarkOnNamespace(a, namespace, diagnostic.Info, "the labels that it had before the change are taken to stay")
		return selector.Matches(namespaceLabels(namespace, left))
	}
	outcome := a.kept
	if r.assume() {
		outcome = "its labels are assumed to fit"
	}
	r.remarkOnNamespace(a, namespace, diagnostic.Warning, outcome)
	return r.assume()
}

// namespaceLabels are the labels that the API server knows of a namespace.
func namespaceLabels(namespace string, written map[string]string) labels.Set {
	known := labels.Set{corev1.LabelMetadataName: namespace}
	maps.Copy(known, written)
	return known
}

// remarkOnNamespace says once what becomes of a Namespace whose labels are asked for and that is not in the input.
func (r *resolver) remarkOnNamespace(a admission, namespace string, severity diagnostic.Severity, outcome string) {
	if r.once(diagnostic.NamespaceUnknown, a.owner+" "+a.title+" "+namespace) {
		r.report(a.source, a.field, diagnostic.NamespaceUnknown, severity,
			fmt.Sprintf("%s selects namespaces by label, and Namespace %s is not in the input: %s", a.title, namespace, outcome),
			"add the Namespace to the input")
	}
}

func asksOnlyForName(selector labels.Selector) bool {
	requirements, selectable := selector.Requirements()
	if !selectable {
		return true
	}
	for _, requirement := range requirements {
		if requirement.Key() != corev1.LabelMetadataName {
			return false
		}
	}
	return true
}
