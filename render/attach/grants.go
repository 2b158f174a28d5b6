package attach

import (
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/manifest"
)

// reference is one object that names another.
type reference struct {
	fromKind, fromNamespace string
	toGroup, toKind         string
	toNamespace, toName     string
}

// permitted tells whether a reference may be followed: always within a namespace, else only with a ReferenceGrant in the
// namespace of the object that is named. All who refer are of the Gateway API's own group here.
func permitted(grants map[string][]grant, r reference) bool {
	if r.fromNamespace == r.toNamespace {
		return true
	}
	for _, g := range grants[r.toNamespace] {
		if g.allows(r) {
			return true
		}
	}
	return false
}

// grant is the spec of a ReferenceGrant. Each entry of from is combined with each entry of to.
type grant struct{ gatewayv1.ReferenceGrantSpec }

func (g grant) allows(r reference) bool {
	from := false
	for _, f := range g.From {
		from = from || string(f.Group) == gatewayv1.GroupName && string(f.Kind) == r.fromKind && string(f.Namespace) == r.fromNamespace
	}
	if !from {
		return false
	}
	for _, t := range g.To {
		if string(t.Group) == r.toGroup && string(t.Kind) == r.toKind && (t.Name == nil || *t.Name == "" || string(*t.Name) == r.toName) {
			return true
		}
	}
	return false
}

func grantsByNamespace(objects *manifest.Objects) map[string][]grant {
	grants := map[string][]grant{}
	for _, located := range objects.ReferenceGrants {
		g := located.Object
		grants[g.Namespace] = append(grants[g.Namespace], grant{g.Spec})
	}
	return grants
}
