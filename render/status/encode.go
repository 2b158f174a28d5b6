package status

import (
	"bytes"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Encode writes documents as one YAML stream, with their fields in the order of `kubectl get -o yaml`.
func Encode(documents []Document) ([]byte, error) {
	type metadata struct {
		Generation int64  `yaml:"generation,omitempty"`
		Name       string `yaml:"name"`
		Namespace  string `yaml:"namespace,omitempty"`
	}
	var text bytes.Buffer
	for _, d := range documents {
		text.WriteString("---\n")
		encoder := yaml.NewEncoder(&text)
		encoder.CompactSeqIndent()
		err := encoder.Encode(struct {
			APIVersion string         `yaml:"apiVersion"`
			Kind       string         `yaml:"kind"`
			Metadata   metadata       `yaml:"metadata"`
			Status     map[string]any `yaml:"status"`
		}{d.APIVersion, d.Kind, metadata{d.Generation, d.Name.Name, d.Namespace}, d.Status})
		if err != nil {
			return nil, fmt.Errorf("writing the status of %s %s: %w", d.Kind, d.Name, err)
		}
		if err := encoder.Close(); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}
