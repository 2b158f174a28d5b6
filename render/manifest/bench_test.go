package manifest

import (
	"testing"

	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

// Compare the two: reading into objects against only parsing the same text into nodes, on one processor (-cpu 1) or on all.
// BenchmarkRender in package render prints such a ratio for the whole rendering.

func BenchmarkParse(b *testing.B) {
	text := manifesttest.Routes(1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if documents, err := manifesttest.Parse(text); documents != 1000 || err != nil {
			b.Fatal(documents, err)
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
