// Package typed holds objects against rules that no CustomResourceDefinition has: in comes a typed object, out go findings, with field
// paths but without places; defaults of Kubernetes' own kinds are filled in on the way.
//
// They are of two sorts. Services, EndpointSlices, Namespaces, Secrets and ConfigMaps have no definition: their rules are those of
// Kubernetes' validation that bear on routing. And the API server takes what Envoy, or the documentation of a field, refuses: a
// regular expression that RE2 does not know, a host name that is an IP address, a header name twice in different case.
package typed

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// checker collects what is found in one object.
type checker struct{ found diagnostic.List }

// refuse reports what stops an object.
func (c *checker) refuse(code diagnostic.Code, at *field.Path, hint, format string, arguments ...any) {
	c.add(diagnostic.Error, code, at, hint, format, arguments...)
}

// warn reports what is let pass, though hardly meant.
func (c *checker) warn(code diagnostic.Code, at *field.Path, hint, format string, arguments ...any) {
	c.add(diagnostic.Warning, code, at, hint, format, arguments...)
}

func (c *checker) add(severity diagnostic.Severity, code diagnostic.Code, at *field.Path, hint, format string, arguments ...any) {
	c.found = append(c.found, diagnostic.Diagnostic{
		Code: code, Severity: severity, Field: at.String(), Message: fmt.Sprintf(format, arguments...), Hint: hint,
	})
}

var (
	specPath     = field.NewPath("spec")
	metadataName = field.NewPath("metadata", "name")
)
