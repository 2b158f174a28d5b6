package render_test

import (
	"context"
	"testing"

	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

// BenchmarkRender reads, renders and encodes 1,000 routes of four rules; BenchmarkRead in render/manifest measures the same
// text read alone.
func BenchmarkRender(b *testing.B) {
	text := []byte(edge + string(manifesttest.Routes(1000)))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		objects, _ := manifest.Read(context.Background(), []manifest.Source{{Name: "routes.yaml", Data: text}}, manifest.Limits{})
		rendering, err := render.Render(context.Background(), objects, render.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, gateway := range rendering.Gateways {
			if _, err := files.Encode(gateway.Files, files.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
