package attach

import (
	"fmt"

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
// sets it); of a Namespace that is not in the input that label alone is known.
func (r *resolver) selectsNamespace(a admission, namespace string) bool {
	selector, err := metav1.LabelSelectorAsSelector(a.selector)
	if err != nil {
		return false
	}
	known := labels.Set{corev1.LabelMetadataName: namespace}
	object, found := r.index.namespaces[namespace]
	if found {
		for name, value := range object.Labels {
			known[name] = value
		}
		return selector.Matches(known)
	}
	if asksOnlyForName(selector) {
		return selector.Matches(known)
	}
	if r.once(diagnostic.NamespaceUnknown, a.owner+" "+a.title+" "+namespace) {
		outcome := a.kept
		if r.assume() {
			outcome = "its labels are assumed to fit"
		}
		r.warn(a.source, a.field, diagnostic.NamespaceUnknown,
			fmt.Sprintf("%s selects namespaces by label, and Namespace %s is not in the input: %s", a.title, namespace, outcome),
			"add the Namespace to the input")
	}
	return r.assume()
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
