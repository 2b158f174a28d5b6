package krm

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestMarshalReadsBack: whatever the texts of a ConfigMap, they are read back as they were, from YAML and from JSON.
func TestMarshalReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a{}:#|> \n\t"'-]{0,12}`), rapid.StringMatching(`(\{\n|  "a": 1,\n|\}\n| \n){0,4}`))
		configMap := ConfigMap{
			Name: "n", Namespace: "ns", Labels: map[string]string{"a": "y"},
			Data: rapid.MapOf(rapid.SampledFrom([]string{"y", "a.json", "rds.http-80.json", "true", "1.2", "a_b.json"}), text).Draw(t, "data"),
		}
		for name, form := range map[string]struct {
			marshal   func() ([]byte, error)
			unmarshal func([]byte, any) error
		}{"YAML": {configMap.Marshal, yaml.Unmarshal}, "JSON": {configMap.MarshalJSON, json.Unmarshal}} {
			document, err := form.marshal()
			if err != nil {
				t.Fatal(err)
			}
			var back struct {
				Metadata struct {
					Labels map[string]string
				}
				Data map[string]string
			}
			if err := form.unmarshal(document, &back); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, document)
			}
			if len(back.Data) == 0 {
				back.Data = map[string]string{}
			}
			if diff := cmp.Diff(configMap.Data, back.Data) + cmp.Diff(configMap.Labels, back.Metadata.Labels); diff != "" {
				t.Errorf("%s: (-in +out)\n%s\n%s", name, diff, document)
			}
		}
	})
}
