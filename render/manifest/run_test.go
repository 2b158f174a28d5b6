package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// piecesOfStreams are documents that a stream may have, good ones and others.
var piecesOfStreams = []string{
	"---\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports: [{port: 80}]\n",
	"---\napiVersion: v1\nkind: Service\nmetadata: {name: db, labels: {a: b, a: c}}\n",
	"--- {apiVersion: v1, kind: Namespace, metadata: {name: shop}} # on the line of the marker\n",
	"---\n# a comment before\n\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: team\n# and behind\n",
	"---\nspec: &anchor {a: 1}\nother: *anchor\n",
	"---\nspec: *anchor\n",
	"---\nbroken: [\n",
	"---\n{a: 1} b: 2\n",
	"---\ntext: |\n  --- of a block\n  {{ not a template }}\n",
	"---\n- a\n- b\n",
	"---\nnull\n",
	"...\n",
	"---\n# nothing\n",
	"%YAML 1.1\n---\nyes: no\n",
	"{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"json\"}}\n",
	"\n\n",
}

// TestRunsAreReadAsTheirDocuments: whatever stands in a stream, one parser for several documents reads what one for each does, with the same
// places and complaints.
func TestRunsAreReadAsTheirDocuments(t *testing.T) {
	joined := 0
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(piecesOfStreams), 0, 8).Draw(t, "pieces"), "")
		documents, _ := splitAll([]Source{{Name: "a.yaml", Data: []byte(text), Named: true}}, Limits{}.withDefaults())
		var want, got []item
		for _, d := range documents {
			want = append(want, Reader{}.begin(t.Context()).document(d)...)
		}
		for _, run := range runs(documents) {
			if parseRun(run) != nil {
				joined++
			}
			got = append(got, Reader{}.begin(t.Context()).run(run)...)
		}
		same := cmp.Options{cmp.AllowUnexported(item{}, Places{}, place{}, variable{}), cmpopts.IgnoreTypes(store(nil))}
		if difference := cmp.Diff(want, got, same); difference != "" {
			t.Fatalf("%s\n(-one by one +joined):\n%s", text, difference)
		}
	})
	if joined == 0 {
		t.Error("no run was read by one parser")
	}
}

// TestRunsAreBounded: a run has no more text than one parser shall hold the nodes of.
func TestRunsAreBounded(t *testing.T) {
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: n%d}\n", i)
	}
	documents, _ := splitAll([]Source{{Name: "a.yaml", Data: []byte(text.String())}}, Limits{}.withDefaults())
	list := runs(documents)
	count := 0
	for _, run := range list {
		size := 0
		for _, d := range run {
			size += len(d.text)
		}
		if count += len(run); size > longestRun {
			t.Errorf("a run has %d bytes", size)
		}
	}
	if count != 2000 || len(list) < 4 || len(list) > 20 {
		t.Errorf("%d documents in %d runs", count, len(list))
	}
}
