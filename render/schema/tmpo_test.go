package schema

import (
	"testing"
	"time"
	"fmt"
	"k8s.io/apimachinery/pkg/runtime"
	"github.com/routedelta/routedelta/render/schema/schematest"
)

func TestTmpO(t *testing.T) {
	ds, _ := schematest.ReadModule(t.Context())
	probes, err := schematest.AllProbes(ds)
	if err != nil { t.Fatal(err) }
	ex, err := schematest.Examples(t.Context(), ds)
	if err != nil { t.Fatal(err) }
	probes = append(probes, ex...)
	v := New("")
	for _, acc := range []func(*version, map[string]any) bool{(*version).accepts, askLibrary} {
	start := time.Now()
	n, causes := 0, 0
	for _, p := range probes {
		s := time.Now()
		r, err := v.apply(t.Context(), p.Definition.GroupVersionKind, runtime.DeepCopyJSON(p.Object), acc)
		if err != nil { t.Fatal(err) }
		if d := time.Since(s); d > 500*time.Millisecond { fmt.Println("slow", p.Name, d) }
		ok := len(r.Causes) == 0
		if ok { n++ }
		causes += len(r.Causes)
		if p.Side == schematest.Accepted && !ok { t.Errorf("%s refused: %v", p.Name, r.Causes) }
		if p.Side == schematest.Refused {
			a := schematest.Answer{Code: 422}
			for _, c := range r.Causes {
				if c.Reason == "" { a.Message += c.Message } else {
				a.Causes = append(a.Causes, schematest.Cause{c.Field, string(c.Reason), c.Message}) }
			}
			if ok || (p.Rule != schematest.Rule{} && !p.Rule.Refused(a)) { t.Errorf("%s not refused for its rule: %v", p.Name, r.Causes) }
		}
	}
	fmt.Println(len(probes), n, causes, time.Since(start))
	}
}
