package review

import (
	"cmp"
	"reflect"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// edited is an object of one kind that an edit may be about: what it says and where.
type edited struct {
	object diagnostic.Object
	// what of it, where that is not the object.
	what     string
	spec     any
	position diagnostic.Position
}

// backend names the object behind a backend that is reached otherwise: a policy for its TLS, the certificates that this refers to, the
// Service, its endpoints, or the Gateway, whose certificate backends are shown. The first that differs stands for all.
func (r resolver) backend(cause *report.Cause, gateway string) {
	if r.earlier.objects == nil || r.later.objects == nil || cause.Kind != "Service" {
		return
	}
	name := model.Name{Namespace: cause.Namespace, Name: cause.Name}
	for _, of := range []func(*manifest.Objects) []edited{
		func(o *manifest.Objects) []edited { return policiesFor(o, name) },
		func(o *manifest.Objects) []edited { return authoritiesOf(o, policiesFor(o, name)) },
		func(o *manifest.Objects) []edited { return services(o, name) },
		func(o *manifest.Objects) []edited { return slicesOf(o, name) },
		func(o *manifest.Objects) []edited { return clientCertificates(o, gateway) },
	} {
		if nameEdit(cause, of(r.earlier.objects), of(r.later.objects)) {
			return
		}
	}
}

// policiesFor are the policies that name a Service.
func policiesFor(o *manifest.Objects, service model.Name) []edited {
	var found []edited
	for _, policy := range o.BackendTLSPolicies {
		if policy.Object.Namespace != service.Namespace {
			continue
		}
		for _, target := range policy.Object.Spec.TargetRefs {
			if target.Group == "" && target.Kind == "Service" && string(target.Name) == service.Name {
				found = append(found, edited{
					diagnostic.Object{Kind: "BackendTLSPolicy", Namespace: policy.Object.Namespace, Name: policy.Object.Name}, "",
					policy.Object.Spec, lineOnly(policy.Places.At("spec.validation")),
				})
				break
			}
		}
	}
	return found
}

// authoritiesOf are the ConfigMaps that policies have their CA certificates from.
func authoritiesOf(o *manifest.Objects, policies []edited) []edited {
	var found []edited
	for _, policy := range o.BackendTLSPolicies {
		of := diagnostic.Object{Kind: "BackendTLSPolicy", Namespace: policy.Object.Namespace, Name: policy.Object.Name}
		if !containsObject(policies, of) {
			continue
		}
		for _, ref := range policy.Object.Spec.Validation.CACertificateRefs {
			found = append(found, configMaps(o, model.Name{Namespace: policy.Object.Namespace, Name: string(ref.Name)})...)
		}
	}
	return found
}

func configMaps(o *manifest.Objects, name model.Name) []edited {
	config := called(o.ConfigMaps, name)
	if config == nil {
		return nil
	}
	return []edited{{diagnostic.Object{Kind: "ConfigMap", Namespace: name.Namespace, Name: name.Name}, "", config.Object.Data, lineOnly(config.Places.At("data"))}}
}

func services(o *manifest.Objects, name model.Name) []edited {
	service := called(o.Services, name)
	if service == nil {
		return nil
	}
	return []edited{{diagnostic.Object{Kind: "Service", Namespace: name.Namespace, Name: name.Name}, "", service.Object.Spec, lineOnly(service.Places.At("spec.ports"))}}
}

// called is the object of that name, or nil: a list has each name once.
func called[T interface {
	GetNamespace() string
	GetName() string
}](list []manifest.Located[T], name model.Name) *manifest.Located[T] {
	for i := range list {
		if list[i].Object.GetNamespace() == name.Namespace && list[i].Object.GetName() == name.Name {
			return &list[i]
		}
	}
	return nil
}

// slicesOf are the endpoints of a Service.
func slicesOf(o *manifest.Objects, service model.Name) []edited {
	var found []edited
	for _, slice := range o.EndpointSlices {
		if slice.Object.Namespace == service.Namespace && slice.Object.Labels["kubernetes.io/service-name"] == service.Name {
			object := diagnostic.Object{Kind: "EndpointSlice", Namespace: service.Namespace, Name: slice.Object.Name}
			said := []any{slice.Object.AddressType, slice.Object.Endpoints, slice.Object.Ports}
			found = append(found, edited{object, "", said, lineOnly(slice.Places.At("endpoints"))})
		}
	}
	return found
}

// clientCertificates is what a Gateway shows to backends.
func clientCertificates(o *manifest.Objects, gateway string) []edited {
	var found []edited
	for _, g := range o.Gateways {
		if g.Object.Namespace+"/"+g.Object.Name != gateway || g.Object.Spec.TLS == nil || g.Object.Spec.TLS.Backend == nil {
			continue
		}
		object := diagnostic.Object{Kind: "Gateway", Namespace: g.Object.Namespace, Name: g.Object.Name}
		found = append(found, edited{object, "client certificate", g.Object.Spec.TLS.Backend, lineOnly(g.Places.At("spec.tls.backend"))})
	}
	return found
}

func containsObject(list []edited, object diagnostic.Object) bool { return find(list, object) != nil }

func find(list []edited, object diagnostic.Object) *edited {
	for i := range list {
		if list[i].object == object {
			return &list[i]
		}
	}
	return nil
}

// nameEdit fills a cause with the first object that one side has and the other has not, or says otherwise.
func nameEdit(cause *report.Cause, before, after []edited) bool {
	for _, is := range after {
		switch was := find(before, is.object); {
		case was == nil:
			*cause = is.cause("added", diff.After)
		case !reflect.DeepEqual(was.spec, is.spec):
			*cause = is.cause("changed", diff.After)
		default:
			continue
		}
		return true
	}
	for _, was := range before {
		if find(after, was.object) == nil {
			*cause = was.cause("removed", diff.Before)
			return true
		}
	}
	return false
}

func (e edited) cause(verb string, side diff.Side) report.Cause {
	name := model.Name{Namespace: e.object.Namespace, Name: e.object.Name}
	return report.Cause{
		Edit: cmp.Or(e.what, e.object.Kind) + " " + verb, Kind: e.object.Kind, Namespace: e.object.Namespace, Name: e.object.Name,
		Position: e.position, Side: string(side), Detail: name.String(),
	}
}
