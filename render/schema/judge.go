package schema

import (
	"context"
	"maps"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// judge does with an object what the server does, by its own library and in its order (apiextensions-apiserver, schemaCoercer.apply
// and customResourceStrategy.Validate).
func (d *version) judge(ctx context.Context, value map[string]any, errs field.ErrorList) []Cause {
	unknown := pruning.PruneWithOptions(value, d.structural, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	defaulting.PruneNonNullableNullsWithoutDefaults(value, d.structural)
	defaulting.Default(value, d.structural)
	if d.Status {
		delete(value, "status")
	}
	validator, err := d.validator()
	if err != nil {
		return append(unknownFields(unknown), causes(append(errs, field.InternalError(nil, err)))...)
	}
	errs = append(errs, validation.ValidateCustomResource(nil, value, validator)...)
	errs = append(errs, objectmeta.Validate(nil, value, d.structural, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, d.structural, value)...)
	found := unknownFields(unknown)
	if d.root.ruled && blocksRules(errs) {
		return append(append(found, causes(errs)...), causes(field.ErrorList{field.Invalid(nil, nil, notChecked)})...)
	}
	return append(found, causes(append(errs, d.root.judgeRules(ctx, value)...))...)
}

// blocksRules tells whether the server leaves the rules of an object unasked (customResourceStrategy, hasBlockingErr).
func blocksRules(errs field.ErrorList) bool {
	return slices.ContainsFunc(errs, func(err *field.Error) bool {
		switch err.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return true
		}
		return false
	})
}

// judgeRules asks the rules of an object. Most hold, which is quickly seen; the library says why one does not. If they can
// cost more than an object may, the library is asked all, in the order of the object, until it has had enough.
func (n *node) judgeRules(ctx context.Context, value map[string]any) field.ErrorList {
	look := &ruling{ctx: ctx, quick: true, budget: celconfig.RuntimeCELCostBudget}
	look.value(n, nil, value)
	if look.budget >= 0 {
		return look.errs
	}
	look = &ruling{ctx: ctx, budget: celconfig.RuntimeCELCostBudget}
	look.value(n, nil, value)
	return look.errs
}

// ruling asks the rules of one object.
type ruling struct {
	ctx context.Context
	// quick leaves out the library where rules are seen to hold.
	quick  bool
	budget int64
	errs   field.ErrorList
}

// value asks the rules of a value and of those in it.
func (r *ruling) value(n *node, path *field.Path, value any) {
	if n == nil || !n.ruled || value == nil || r.budget < 0 {
		return
	}
	r.own(n, path, value)
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if inner, known := n.properties[name]; known {
				r.value(inner, path.Child(name), value[name])
			} else {
				r.value(n.values, path.Key(name), value[name])
			}
		}
	case []any:
		for i, item := range value {
			r.value(n.items, path.Index(i), item)
		}
	}
}

// own asks the rules of a value.
func (r *ruling) own(n *node, path *field.Path, value any) {
	if n.rules == nil {
		return
	}
	if r.quick {
		cost, hold := n.rules.hold(value, measure(value), new([]byte))
		if r.budget -= cost; hold || r.budget < 0 {
			return
		}
		errs, left := n.rules.validator().Validate(r.ctx, path, nil, value, nil, celconfig.RuntimeCELCostBudget)
		r.errs = append(r.errs, errs...)
		if r.budget -= celconfig.RuntimeCELCostBudget - left; left < 0 {
			r.budget = -1
		}
		return
	}
	errs, left := n.rules.validator().Validate(r.ctx, path, nil, value, nil, r.budget)
	r.errs, r.budget = append(r.errs, errs...), left
}

// measure is how large a value is.
func measure(value any) extent {
	var size extent
	switch value := value.(type) {
	case map[string]any:
		size.longestList = len(value)
		for name, item := range value {
			size.include(extent{longestText: len(name)})
			size.include(measure(item))
		}
	case []any:
		size.longestList = len(value)
		for _, item := range value {
			size.include(measure(item))
		}
	case string:
		size.longestText = len(value)
	}
	return size
}
