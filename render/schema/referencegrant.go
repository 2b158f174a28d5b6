package schema

import (
	gatewayv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"
)

// checkReferenceGrant applies the rules of ReferenceGrant.
func checkReferenceGrant(c *checker, grant *gatewayv1beta1.ReferenceGrant) {
	c.subdomain(metadataName, grant.Name)
	from, to := specPath.Child("from"), specPath.Child("to")
	if len(grant.Spec.From) == 0 {
		c.missing(from)
	}
	if len(grant.Spec.To) == 0 {
		c.missing(to)
	}
	c.atMost(from, len(grant.Spec.From), 16)
	c.atMost(to, len(grant.Spec.To), 16)
	for i, item := range grant.Spec.From {
		c.group(from.Index(i).Child("group"), string(item.Group))
		c.kindOf(from.Index(i).Child("kind"), string(item.Kind))
		c.label(from.Index(i).Child("namespace"), string(item.Namespace))
	}
	for i, item := range grant.Spec.To {
		c.group(to.Index(i).Child("group"), string(item.Group))
		c.kindOf(to.Index(i).Child("kind"), string(item.Kind))
		if item.Name != nil {
			c.objectName(to.Index(i).Child("name"), string(*item.Name))
		}
	}
}
