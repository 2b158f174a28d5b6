package schema

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/render/schema/schematest"
)

// library is the library of the API server alone, as it is meant to be used: one validator of rules for a whole schema.
type library struct {
	*version
	rules *schemacel.Validator
}

func newLibrary(t *testing.T, v *Validator, of schema.GroupVersionKind) library {
	t.Helper()
	version, err := v.version(of)
	if err != nil {
		t.Fatal(err)
	}
	return library{version, schemacel.NewValidator(version.structural, true, celconfig.PerCallLimit)}
}

// apply gives the messages of the library, sorted, the value with its defaults, and what its rules have cost.
func (l library) apply(t *testing.T, value map[string]any) (messages []string, defaulted map[string]any, cost int64) {
	t.Helper()
	unknown := pruning.PruneWithOptions(value, l.structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	defaulting.PruneNonNullableNullsWithoutDefaults(value, l.structural)
	defaulting.Default(value, l.structural)
	delete(value, "status")
	validator, err := l.validator()
	if err != nil {
		t.Fatal(err)
	}
	errs := validation.ValidateCustomResource(nil, value, validator)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, l.structural, value)...)
	if !blocksRules(errs) && l.rules != nil {
		found, left := l.rules.Validate(context.Background(), nil, nil, value, nil, celconfig.RuntimeCELCostBudget)
		errs, cost = append(errs, found...), celconfig.RuntimeCELCostBudget-left
	}
	for _, path := range unknown {
		messages = append(messages, path+": unknown")
	}
	for _, err := range errs {
		messages = append(messages, err.Error())
	}
	slices.Sort(messages)
	return messages, value, cost
}

// examples are the right objects in the examples of the Gateway API's module.
func examples(t *testing.T) map[schema.GroupVersionKind][]map[string]any {
	t.Helper()
	definitions, err := schematest.ReadModule(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	probes, err := schematest.Examples(t.Context(), definitions)
	if err != nil {
		t.Fatal(err)
	}
	found := map[schema.GroupVersionKind][]map[string]any{}
	for _, probe := range probes {
		if of := probe.Definition.GroupVersionKind; probe.Side == schematest.Accepted {
			found[of] = append(found[of], probe.Object)
		}
	}
	if len(found) < 6 {
		t.Fatal(len(found))
	}
	return found
}

// TestAgainstLibrary: examples, and what becomes of them when a part is taken away or changed, get the same messages and the
// same defaults as from the library alone; what is right is seen to be right without it.
func TestAgainstLibrary(t *testing.T) {
	v := New("")
	for of, objects := range examples(t) {
		t.Run(of.Kind+" "+of.Version, func(t *testing.T) {
			t.Parallel()
			library := newLibrary(t, v, of)
			for _, object := range objects {
				compare(t, library, object, true)
			}
			m := mutator{done: map[string]bool{}}
			for _, object := range objects {
				spec := func(value any) {
					changed := runtime.DeepCopyJSON(object)
					changed["spec"] = runtime.DeepCopyJSONValue(value)
					compare(t, library, changed, false)
				}
				m.mutate("", object["spec"], spec)
			}
		})
	}
}

// compare applies both to an object.
func compare(t *testing.T, l library, object map[string]any, right bool) {
	t.Helper()
	want, defaulted, cost := l.apply(t, runtime.DeepCopyJSON(object))
	got := runtime.DeepCopyJSON(object)
	look := acceptance{budget: celconfig.RuntimeCELCostBudget}
	_, quick := look.object(l.root, got, true)
	if bound := celconfig.RuntimeCELCostBudget - look.budget; quick && bound < cost {
		t.Errorf("rules cost %d, which is taken for at most %d:\n%v", cost, bound, object)
	}
	if quick && len(want) > 0 {
		t.Fatalf("accepts takes what the library refuses:\n%v\n%s", object, want)
	}
	if spec, _ := object["spec"].(map[string]any); !quick && right && spec["addresses"] == nil { // those have a schema of several parts
		t.Errorf("accepts does not take %v: %s", object, want)
	}
	var messages []string
	if !quick {
		for _, cause := range l.judge(context.Background(), got, nil) {
			switch {
			case cause.Reason == "":
				messages = append(messages, cause.Field+": unknown")
			case !cause.NotChecked():
				messages = append(messages, cause.Field+": "+cause.Message)
			}
		}
	}
	delete(got, "status")
	slices.Sort(messages)
	if diff := cmp.Diff(want, messages); diff != "" {
		t.Errorf("%v: %s", object, diff)
	}
	if diff := cmp.Diff(defaulted, got); diff != "" {
		t.Errorf("defaults of %v: %s", object, diff)
	}
}

// odd are values that stand for each value of an object in turn.
var odd = []any{nil, "", "a//b", "Exact", "HTTPS", int64(0), int64(80), int64(1 << 40), 1.5,
	[]any{}, map[string]any{}, []any{"a", "a"}, map[string]any{"no": "field"}}

// mutator changes objects: each part of each field taken away, doubled, or made another value, once for all objects.
type mutator struct{ done map[string]bool }

// mutate gives each change of a value to a function that puts it into its place.
func (m mutator) mutate(path string, value any, replace func(any)) {
	once := func(what string, changed any) {
		if key := path + " " + what; !m.done[key] {
			m.done[key] = true
			replace(changed)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			without := maps.Clone(value)
			delete(without, name)
			once("without "+name, without)
			m.mutate(path+"."+name, value[name], func(item any) {
				changed := maps.Clone(value)
				changed[name] = item
				replace(changed)
			})
		}
	case []any:
		for i := range value {
			once("double", slices.Concat(value, value[i:i+1]))
			m.mutate(path+"[]", value[i], func(item any) { replace(slices.Concat(value[:i], []any{item}, value[i+1:])) })
		}
	}
	for _, item := range odd {
		once(fmt.Sprintf("%T %v", item, item), item)
	}
}
