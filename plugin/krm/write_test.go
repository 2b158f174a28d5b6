package krm

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestWriteListAsKioDoes: written item by item, a ResourceList is byte for byte what kio writes of the whole.
func TestWriteListAsKioDoes(t *testing.T) {
	const header = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
	const tail = "functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  data: {a: b}\n"
	for name, text := range map[string]string{
		"texts": header + `- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a, annotations: {config.kubernetes.io/path: a.yaml}}
  data:
    literal: |
      first

        indented
    kept: |+
      first

    indented: |2
        begins with blanks
    stripped: |-
      first
      --- no document
    folded: >
      some words
      more words

      another paragraph
    quoted: "a\nb\tc"
    long: ` + strings.Repeat("word ", 60) + `
- apiVersion: v1
  kind: Secret
  metadata: {name: b}
` + tail,
		"comments": header + `# of the first
- apiVersion: v1 # behind
  kind: ConfigMap
  # of the metadata
  metadata:
    name: a
# of the second
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: b}
`,
		"aliases": header + `- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a, labels: &labels {x: y}}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: b, labels: *labels}
`,
		"no items": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n" + tail,
	} {
		t.Run(name, func(t *testing.T) {
			want, wantItems := readList(t, text)
			var whole bytes.Buffer
			want.Writer = &whole
			if err := want.Write(wantItems); err != nil {
				t.Fatal(err)
			}
			list, items := readList(t, text)
			var written bytes.Buffer
			if err := writeList(&written, list, items); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(whole.String(), written.String()); diff != "" {
				t.Errorf("(-kio +ours)\n%s", diff)
			}
		})
	}
}

func readList(t *testing.T, text string) (*kio.ByteReadWriter, []*yaml.RNode) {
	t.Helper()
	list := &kio.ByteReadWriter{Reader: strings.NewReader(text), KeepReaderAnnotations: true}
	items, err := list.Read()
	if err != nil {
		t.Fatal(err)
	}
	return list, items
}
