// Package schema holds objects against the rules of their API, as the API server does before it stores one: in come typed
// objects, out go the same objects with the defaults of the API filled in, and findings with the server's own words. An object
// with an error is left out, so that one bad object never hides the others.
//
// The rules are those of the CustomResourceDefinitions of Gateway API 1.6 (config/crd/standard: patterns, lengths, enums and
// CEL rules, whose messages are quoted) and of Kubernetes' validation of Services and EndpointSlices. Two differ on
// purpose: a host name that is an IP address is refused, as the field's documentation says, although the pattern lets it pass;
// and a list over its maximum length is a warning, because those maxima bound the cost of validation in a cluster,
// not the meaning of a route.
package schema

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// Check fills in the defaults of the API in place, reports what the API would refuse, and moves objects that it would
// refuse to objects.Invalid. It does so once: asked again about the same objects (to render them in another dialect) it gives the
// same findings.
func Check(objects *manifest.Objects) diagnostic.List {
	if objects.Checked != nil {
		return slices.Clone(*objects.Checked)
	}
	p := pass{objects: objects}
	objects.GatewayClasses = check(&p, "GatewayClass", objects.GatewayClasses, checkGatewayClass)
	objects.Gateways = check(&p, "Gateway", objects.Gateways, checkGateway)
	objects.HTTPRoutes = check(&p, "HTTPRoute", objects.HTTPRoutes, checkHTTPRoute)
	objects.ReferenceGrants = check(&p, "ReferenceGrant", objects.ReferenceGrants, checkReferenceGrant)
	objects.Services = check(&p, "Service", objects.Services, checkService)
	objects.EndpointSlices = check(&p, "EndpointSlice", objects.EndpointSlices, checkEndpointSlice)
	objects.Namespaces = check(&p, "Namespace", objects.Namespaces, checkNamespace)
	objects.Secrets = check(&p, "Secret", objects.Secrets, checkSecret)
	manifest.SortOthers(objects.Invalid)
	found := p.found.Sort()
	objects.Checked = &found
	return slices.Clone(found)
}

// pass is one walk over all objects.
type pass struct {
	objects *manifest.Objects
	found   diagnostic.List
}

// check applies the rules of one kind and gives the objects that keep them.
func check[T metav1.Object](p *pass, kind string, list []manifest.Located[T], rules func(*checker, T)) []manifest.Located[T] {
	valid := make([]manifest.Located[T], 0, len(list))
	for _, located := range list {
		c := checker{
			object: diagnostic.Object{Kind: kind, Namespace: located.Object.GetNamespace(), Name: located.Object.GetName()},
			places: located.Places,
		}
		rules(&c, located.Object)
		p.found = append(p.found, c.found...)
		if c.found.HasErrors() {
			p.objects.Invalid = append(p.objects.Invalid, manifest.Other{Object: c.object, Position: c.places.At("")})
			continue
		}
		valid = append(valid, located)
	}
	return valid
}

// mostFindings of one object are kept: a hostile one could have a million.
const mostFindings = 100

// checker collects what is found in one object.
type checker struct {
	object diagnostic.Object
	places *manifest.Places
	found  diagnostic.List
}

// refuse reports what the API server (or Envoy, where the API is silent) refuses.
func (c *checker) refuse(code diagnostic.Code, at *field.Path, hint, format string, arguments ...any) {
	c.add(diagnostic.Error, code, at, hint, format, arguments...)
}

// warn reports what is let pass, though hardly meant.
func (c *checker) warn(code diagnostic.Code, at *field.Path, hint, format string, arguments ...any) {
	c.add(diagnostic.Warning, code, at, hint, format, arguments...)
}

func (c *checker) add(severity diagnostic.Severity, code diagnostic.Code, at *field.Path, hint, format string, arguments ...any) {
	if len(c.found) == mostFindings {
		c.found[mostFindings-1].Hint = "more findings in this object are not shown: correct these first"
		if severity == diagnostic.Error { // whichever finding is not shown, the object is refused
			c.found[mostFindings-1].Severity = severity
		}
		return
	}
	c.found = append(c.found, diagnostic.Diagnostic{
		Code: code, Severity: severity, Object: c.object, Field: at.String(), Position: c.places.At(at.String()),
		Message: fmt.Sprintf(format, arguments...), Hint: hint,
	})
}
