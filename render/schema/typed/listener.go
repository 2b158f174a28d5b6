package typed

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Gateway finds what the API takes in a Gateway and no proxy can serve. Its defaults are filled in.
func Gateway(gateway *gatewayv1.Gateway) diagnostic.List {
	c := &checker{}
	for i := range gateway.Spec.Listeners {
		listener := &gateway.Spec.Listeners[i]
		c.listener(specPath.Child("listeners").Index(i), listener.Hostname, listener.AllowedRoutes)
	}
	return c.found
}

// ListenerSet does the same for a ListenerSet.
func ListenerSet(set *gatewayv1.ListenerSet) diagnostic.List {
	c := &checker{}
	for i := range set.Spec.Listeners {
		listener := &set.Spec.Listeners[i]
		c.listener(specPath.Child("listeners").Index(i), listener.Hostname, listener.AllowedRoutes)
	}
	return c.found
}

func (c *checker) listener(at *field.Path, hostname *gatewayv1.Hostname, allowed *gatewayv1.AllowedRoutes) {
	if hostname != nil {
		c.noAddress(at.Child("hostname"), string(*hostname))
	}
	if allowed == nil || allowed.Namespaces == nil {
		return
	}
	selector := at.Child("allowedRoutes", "namespaces", "selector")
	switch {
	case allowed.Namespaces.Selector != nil:
		c.selector(selector, allowed.Namespaces.Selector)
	case is(allowed.Namespaces.From, gatewayv1.NamespacesFromSelector):
		c.warn(diagnostic.MissingValue, selector, "write a selector, or from: All",
			"required value when from is Selector: no namespace is allowed without it")
	}
}

// selector refuses what is no label selector: the definition has its types only.
func (c *checker) selector(at *field.Path, selector *metav1.LabelSelector) {
	for i, expression := range selector.MatchExpressions {
		item := at.Child("matchExpressions").Index(i)
		if !oneOf(c, item.Child("operator"), expression.Operator, metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn,
			metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist) {
			continue
		}
		wantsValues := expression.Operator == metav1.LabelSelectorOpIn || expression.Operator == metav1.LabelSelectorOpNotIn
		switch {
		case wantsValues && len(expression.Values) == 0:
			c.refuse(diagnostic.MissingValue, item.Child("values"), "", "must be specified when operator is In or NotIn")
		case !wantsValues && len(expression.Values) > 0:
			c.refuse(diagnostic.BadCombine, item.Child("values"), "", "may not be specified when operator is Exists or DoesNotExist")
		}
	}
}
