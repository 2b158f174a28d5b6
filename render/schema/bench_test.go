package schema

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

// BenchmarkApply holds a route of four rules against its definition; Cold reads and compiles the definition first, as a run does once.
func BenchmarkApply(b *testing.B) {
	of, value := decode(b, strings.TrimPrefix(string(manifesttest.Routes(1)), "---\n"))
	apply := func(b *testing.B, v *Validator) {
		result, err := v.Apply(b.Context(), of, runtime.DeepCopyJSON(value))
		if err != nil || len(result.Causes) > 0 {
			b.Fatal(result.Causes, err)
		}
	}
	b.Run("Warm", func(b *testing.B) {
		b.ReportAllocs()
		v := New(Experimental)
		for b.Loop() {
			apply(b, v)
		}
	})
	b.Run("Cold", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			apply(b, New(Experimental))
		}
	})
}
