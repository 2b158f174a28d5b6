package review

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// SuppressAnnotation lists the codes that are not to be said of an object: "RD3001, RD3004".
const SuppressAnnotation = "routedelta.dev/suppress"

// suppression takes findings of one code out of the list.
type suppression struct {
	code   string
	object string // "" for any
	// said is how a message names the suppression, at is where it stands.
	said string
	at   diagnostic.Diagnostic
	// over: its last day has passed.
	over bool
	// used counts findings that it speaks of; error: one of them is an error.
	used  int
	error bool
}

// annotated are the suppressions that objects carry themselves.
func annotated(objects *manifest.Objects) []*suppression {
	if objects == nil {
		return nil
	}
	return slices.Concat(
		annotatedOf("GatewayClass", objects.GatewayClasses),
		annotatedOf("Gateway", objects.Gateways),
		annotatedOf("HTTPRoute", objects.HTTPRoutes),
		annotatedOf("GRPCRoute", objects.GRPCRoutes),
		annotatedOf("TLSRoute", objects.TLSRoutes),
		annotatedOf("TCPRoute", objects.TCPRoutes),
		annotatedOf("UDPRoute", objects.UDPRoutes),
		annotatedOf("ListenerSet", objects.ListenerSets),
		annotatedOf("BackendTLSPolicy", objects.BackendTLSPolicies),
		annotatedOf("ReferenceGrant", objects.ReferenceGrants),
		annotatedOf("Service", objects.Services),
	)
}

// object is what all kinds have in common.
type object interface {
	GetNamespace() string
	GetName() string
	GetAnnotations() map[string]string
}

func annotatedOf[T object](kind string, objects []manifest.Located[T]) []*suppression {
	var list []*suppression
	for _, o := range objects {
		object := diagnostic.Object{Kind: kind, Namespace: o.Object.GetNamespace(), Name: o.Object.GetName()}
		for code := range strings.SplitSeq(o.Object.GetAnnotations()[SuppressAnnotation], ",") {
			if code = strings.TrimSpace(code); code != "" {
				list = append(list, &suppression{
					code: code, object: object.String(), said: "the annotation " + SuppressAnnotation,
					at: diagnostic.Diagnostic{Object: object, Position: lineOnly(o.Places.Document)},
				})
			}
		}
	}
	return list
}

// suppress takes findings out that a suppression speaks of, counts them, and adds a finding for each suppression without effect.
func suppress(c *report.Check, configured []config.Suppression, byObject []*suppression, today time.Time) {
	all := newSuppressions(configured, today)
	all.takeOut(c, byObject)
	c.Findings = append(c.Findings, all.idle()...)
}

// suppressions are those of the configuration and of all objects that were looked at. An object that several targets share is one.
type suppressions struct{ list []*suppression }

func newSuppressions(configured []config.Suppression, today time.Time) *suppressions {
	all := new(suppressions)
	for _, s := range configured {
		all.list = append(all.list, &suppression{
			code: s.Code, object: s.Object, said: "spec.check.suppress of the configuration",
			over: s.Until != "" && s.Until < today.Format(time.DateOnly),
		})
	}
	return all
}

// add adds the suppressions of objects.
func (all *suppressions) add(byObject []*suppression) {
	for _, s := range byObject {
		same := func(o *suppression) bool { return o.code == s.code && o.object == s.object && o.at == s.at }
		if !slices.ContainsFunc(all.list, same) {
			all.list = append(all.list, s)
		}
	}
}

// takeOut takes the findings out that a suppression speaks of, and counts them. Errors cannot be suppressed: nothing is rendered with one.
func (all *suppressions) takeOut(c *report.Check, byObject []*suppression) {
	all.add(byObject)
	c.Findings = slices.DeleteFunc(c.Findings, func(d diagnostic.Diagnostic) bool {
		out := false
		for _, s := range all.list {
			out = s.takes(d) || out
		}
		if out {
			c.Suppressed++
		}
		return out
	})
}

// takes tells whether a finding is suppressed, and notes that it was there.
func (s *suppression) takes(d diagnostic.Diagnostic) bool {
	switch {
	case s.code != string(d.Code) || s.object != "" && s.object != d.Object.String():
		return false
	case d.Severity == diagnostic.Error:
		s.error = true
		return false
	}
	s.used++
	return !s.over
}

// idle is a finding for each suppression without effect.
func (all *suppressions) idle() (found diagnostic.List) {
	for _, s := range all.list {
		if d, idle := s.idle(); idle {
			found = append(found, d)
		}
	}
	return found
}

// idle says that a suppression has no effect.
func (s *suppression) idle() (diagnostic.Diagnostic, bool) {
	d := s.at
	d.Code, d.Severity = diagnostic.UnusedSuppression, diagnostic.Warning
	of := s.code
	if s.object != "" {
		of += " of " + s.object
	}
	switch {
	case s.over:
		d.Message = fmt.Sprintf("%s no longer suppresses %s: its last day has passed", s.said, diagnostic.Clip(of))
	case s.used == 0 && s.error:
		d.Message = fmt.Sprintf("%s does not suppress %s: it is an error", s.said, diagnostic.Clip(of))
	case s.used == 0:
		d.Message = fmt.Sprintf("%s suppresses nothing: there is no %s", s.said, diagnostic.Clip(of))
	default:
		return d, false
	}
	return d, true
}
