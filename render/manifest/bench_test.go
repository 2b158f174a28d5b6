package manifest

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

// Compare the two: reading into objects against only parsing the same text into nodes, by the fastest library in use, on one
// processor (-cpu 1) or on all. Goal for the whole rendering: three times the parsing.

func BenchmarkParseOnly(b *testing.B) {
	text := manifesttest.Routes(1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		decoder := yaml.NewDecoder(bytes.NewReader(text))
		for {
			var node yaml.Node
			if err := decoder.Decode(&node); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkRead(b *testing.B) {
	text := manifesttest.Routes(1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		objects, found := Read(b.Context(), []Source{{Name: "routes.yaml", Data: text}}, Limits{})
		if len(objects.HTTPRoutes) != 1000 || len(found) != 0 {
			b.Fatal(len(objects.HTTPRoutes), found)
		}
	}
}
