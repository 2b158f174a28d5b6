package review

import (
	"cmp"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// clientValidation names what decides which certificates clients of a Gateway are asked for: its own field, or else the CA certificates
// that this refers to. It is false where neither differs.
func (r resolver) clientValidation(cause *report.Cause, gateway model.Name) bool {
	if r.earlier.objects == nil || r.later.objects == nil {
		return false
	}
	was, oldAuthorities := frontend(r.earlier.objects, gateway)
	is, authorities := frontend(r.later.objects, gateway)
	return nameEdit(cause, was, is) || nameEdit(cause, oldAuthorities, authorities)
}

// frontend is what a Gateway asks clients for, none or one, and the ConfigMaps that it refers to.
func frontend(o *manifest.Objects, gateway model.Name) (asked, authorities []edited) {
	g := called(o.Gateways, gateway)
	if g == nil || g.Object.Spec.TLS == nil || g.Object.Spec.TLS.Frontend == nil {
		return nil, nil
	}
	spec := g.Object.Spec.TLS.Frontend
	object := diagnostic.Object{Kind: "Gateway", Namespace: gateway.Namespace, Name: gateway.Name}
	asked = []edited{{object, "client validation", spec, lineOnly(g.Places.At("spec.tls.frontend"))}}
	configs := list(spec.Default)
	for _, port := range spec.PerPort {
		configs = append(configs, port.TLS)
	}
	for _, config := range configs {
		if config.Validation == nil {
			continue
		}
		for _, ref := range config.Validation.CACertificateRefs {
			name := model.Name{Namespace: cmp.Or(text(ref.Namespace), gateway.Namespace), Name: string(ref.Name)}
			authorities = append(authorities, configMaps(o, name)...)
		}
	}
	return asked, authorities
}

// list is a list of a type that this package does not name.
func list[T any](items ...T) []T { return items }
