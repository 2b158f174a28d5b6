package schema

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// decode reads one object as the API server does.
func decode(t testing.TB, text string) (schema.GroupVersionKind, map[string]any) {
	t.Helper()
	data, err := yaml.ToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	apiVersion, _ := value["apiVersion"].(string)
	kind, _ := value["kind"].(string)
	return schema.FromAPIVersionAndKind(apiVersion, kind), value
}

func TestApply(t *testing.T) {
	const route = "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r, namespace: ns}\nspec: "
	for name, test := range map[string]struct {
		text string
		want []Cause
	}{
		"good": {route + "{rules: [{matches: [{path: {value: /a}}], backendRefs: [{name: s, port: 80}]}]}", nil},
		"unknown field": {route + "{hostname: a}", []Cause{
			{Field: "spec.hostname", Message: `strict decoding error: unknown field "spec.hostname"`}}},
		"a rule": {route + "{rules: [{matches: [{path: {value: //a}}]}]}", []Cause{
			{Field: "spec.rules[0].matches[0].path", Reason: "FieldValueInvalid", Message: "Invalid value: must not contain '//' when type one of ['Exact', 'PathPrefix']"}}},
		"a pattern": {route + "{hostnames: [A]}", []Cause{
			{Field: "spec.hostnames[0]", Reason: "FieldValueInvalid", Message: `Invalid value: "A": spec.hostnames[0] in body should match '^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$'`}}},
		"a type": {route + "{hostnames: a}", []Cause{
			{Field: "spec.hostnames", Reason: "FieldValueTypeInvalid", Message: `Invalid value: "string": spec.hostnames in body must be of type array: "string"`},
			{Field: "<nil>", Reason: "FieldValueInvalid", Message: "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"}}},
	} {
		t.Run(name, func(t *testing.T) {
			gvk, value := decode(t, test.text)
			result, err := New("").Apply(t.Context(), gvk, value)
			if err != nil {
				t.Fatal(err)
			}
			if len(result.Causes) != len(test.want) {
				t.Fatalf("%q", result.Causes)
			}
			for i, got := range result.Causes {
				if got.Value = nil; got != test.want[i] {
					t.Errorf("got  %q\nwant %q", got, test.want[i])
				}
			}
		})
	}
}
