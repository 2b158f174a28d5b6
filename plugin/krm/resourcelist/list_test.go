package resourcelist

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"

// samples are lists in block style in the ways that YAML offers, kind ones and hostile ones.
var samples = map[string]string{
	"as kustomize writes": head + `- apiVersion: v1
  kind: Service
  metadata:
    annotations:
      config.kubernetes.io/index: '0'
      kustomize.config.k8s.io/id: |
        kind: Service
        name: web
    name: web
  spec:
    ports:
    - port: 80
- apiVersion: example.com/v1
  kind: Zebra
  metadata: {name: z}
functionConfig:
  apiVersion: v1
  kind: ConfigMap
  data: {a: b}
`,
	"comments and blank lines": `# of the list
---
# of the version
apiVersion: config.kubernetes.io/v1beta1 # behind

kind: "ResourceList"
items: # of the items
# of the first
- apiVersion: example.com/v1 # behind

  # of the kind
  kind: "Zebra"
  metadata:
    name: a
# of the second

# again
- kind: Zebra
  apiVersion: example.com/v1
  metadata:
    name: 'it''s' # not a name
# at the end
results:
- message: earlier
  severity: info
  tags: {by: other}
`,
	"items further in": strings.ReplaceAll(head, "v1", "v1alpha1") + `    -   apiVersion: example.com/v1
        kind: Zebra
        spec:
        - - a
          - b: c
            d: {}
        - []
        - "text: text" # why
        - -5
        - http://example.com/a#b
    # between
    - metadata: {name: b}
      apiVersion: example.com/v1
      kind: Zebra
`,
	"texts": head + `- apiVersion: example.com/v1
  kind: Zebra
  spec:
    literal: |
      - first
      kind: HTTPRoute

        "indented
    kept: |+
      first

    folded: >-
      some words
      "more words

      # no comment
    args:
    - |
     - a
     - "b
    - last
- apiVersion: example.com/v1
  kind: Zebra
  spec:
    long: words that go
      on "here
    quoted: "and these
      too"
    explicit: |2
        begins with blanks
    flow: {a: [b,
      c], "d": 'e
      f'}
    ? complex
    : value
    tagged: !!str 5
    "escaped \" key": "\" # no comment"
`,
	"quote over two items":      head + "- kind: Zebra\n  a: \"open\n- kind: Zebra\n  b: \"\n",
	"quote over the list":       "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig: {a: \"open\nitems:\n- a: b\nresults: \"}\n",
	"flow over two items":       head + "- kind: Zebra\n  a: [b,\n- c]\n- kind: Zebra\n",
	"kind with escapes":         head + "- apiVersion: gateway.networking.k8s.io/v1\n  kind: \"HTTP\\u0052oute\"\n  metadata: {name: a}\n",
	"key with escapes":          head + "- apiVersion: gateway.networking.k8s.io/v1\n  \"kin\\u0064\": HTTPRoute\n  metadata: {name: a}\n",
	"two kinds":                 head + "- apiVersion: v1\n  kind: Zebra\n  kind: HTTPRoute\n",
	"anchors over items":        head + "- apiVersion: v1\n  kind: A\n  metadata: {labels: &l {x: y}}\n- apiVersion: v1\n  kind: B\n  metadata: {labels: *l}\n",
	"anchors within":            head + "- apiVersion: v1\n  kind: A\n  metadata: {labels: &l {x: y}, annotations: *l}\n",
	"kept line breaks":          head + "- kind: A\n  b: |+\n    text\n\n\n# comment\n\n- kind: B\n  b: |+\n    text\n\n",
	"other line breaks":         head + "- kind: A\n  b: |\n    text\r- kind: HTTPRoute\n",
	"line breaks of Unicode":    head + "- kind: A\n  b: |\n    text\u2028- kind: HTTPRoute\u0085  b: c\n",
	"mark alone":                head + "-\n  apiVersion: v1\n  kind: A\n- kind: B\n",
	"carriage returns":          strings.ReplaceAll(head+"- apiVersion: v1\n  kind: A\n  metadata: {name: a}\n- kind: B\n", "\n", "\r\n"),
	"tabs":                      head + "- apiVersion: v1\n  kind: A\t# tab\n  text: |\n    a\tb\n",
	"no items":                  "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\nfunctionConfig: {a: b}\n",
	"null items":                "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\nfunctionConfig: {a: b}\n",
	"items are missing":         "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n",
	"no line break at the end":  head + "- kind: A\n- kind: B",
	"flow style":                "{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: [{kind: A}, {kind: B}]}\n",
	"items in flow style":       "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: [{kind: A}, {kind: B}]\n",
	"JSON":                      `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[{"kind":"A","a":"\ud83d\ude00\/"},{"kind":"B","metadata":{"name":"b"}}],"functionConfig":{"a":"b"},"results":[{"message":"earlier","tags":{"by":"other"}}]}`,
	"JSON over lines":           "{\n  \"kind\": \"ResourceList\",\n  \"items\": [\n    {\"kind\": \"A\"},\n    {\"kind\": \"B\"}\n  ],\n  \"apiVersion\": \"config.kubernetes.io/v1\"\n}\n",
	"JSON without items":        `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList"}`,
	"JSON with null items":      `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":null}`,
	"byte order mark":           "\ufeff" + head + "- kind: A\n",
	"top keys in another order": "kind: ResourceList\nfunctionConfig:\n  kind: B\nitems:\n- kind: A\n\nresults: []\napiVersion: config.kubernetes.io/v1\n",
}

// TestItemsAreThoseOfTheWhole: whatever the text, its parts are those that the YAML parser finds in the whole.
func TestItemsAreThoseOfTheWhole(t *testing.T) {
	for name, text := range samples {
		t.Run(name, func(t *testing.T) { checkAgainstWhole(t, []byte(text)) })
	}
}

// checkAgainstWhole compares each item of a list with that of the tree of the whole text.
func checkAgainstWhole(t *testing.T, text []byte) {
	t.Helper()
	list, err := Parse(text)
	if err != nil {
		return
	}
	items, err := readAll(list)
	if errors.Is(err, ErrEntangled) {
		return // who calls then reads the whole
	}
	whole, wholeErr := ParseWhole(yamlOf(text))
	if wholeErr != nil {
		return // an item that is not parsed is broken, and goes out as broken as it came
	}
	want, wholeErr := readAll(whole)
	if (err == nil) != (wholeErr == nil) {
		t.Errorf("error is %v, that of the whole %v", err, wholeErr)
	}
	if diff := cmp.Diff(want, items); diff != "" && err == nil {
		t.Errorf("(-whole +cut)\n%s", diff)
	}
	if diff := cmp.Diff(plain(whole.FunctionConfig), plain(list.FunctionConfig)); diff != "" {
		t.Errorf("functionConfig (-whole +cut)\n%s", diff)
	}
}

// yamlOf writes what JSON has and YAML does not.
func yamlOf(text []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(text, []byte(`\ud83d\ude00`), []byte(`\U0001F600`)), []byte(`\/`), []byte("/"))
}

// readAll reads all items twice: head and, where it is asked for, body. Kinds that are none of the house are asked for their heads.
func readAll(list *List) ([]string, error) {
	var items []string
	for i := range list.Len() {
		item, err := list.Read(i, func(_, kind string) bool { return kind != "Zebra" })
		if err != nil {
			return nil, err
		}
		body := "head only"
		if item.Kind != "Zebra" {
			body = plain(item.Node)
		}
		item.Node = nil
		items = append(items, fmt.Sprintf("%+v\n%s", item, body))
		all, err := list.Read(i, func(string, string) bool { return true })
		if err != nil {
			return nil, err
		}
		items = append(items, plain(all.Node))
	}
	return items, nil
}

// plain is a node without comments, styles and places.
func plain(node *yaml.Node) string {
	if node == nil {
		return ""
	}
	var b strings.Builder
	writePlain(&b, node, 0)
	return b.String()
}

func writePlain(b *strings.Builder, node *yaml.Node, depth int) {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if depth > 100 || b.Len() > 1<<16 {
		return
	}
	fmt.Fprintf(b, "%s%d %s %q\n", strings.Repeat(" ", depth), node.Kind, node.Tag, node.Value)
	for _, child := range node.Content {
		writePlain(b, child, depth+1)
	}
}

// FuzzParse: a text is cut where the YAML parser sees the ends of its items, or not at all.
func FuzzParse(f *testing.F) {
	for _, text := range samples {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkAgainstWhole(t, text) })
}

// TestForeignTextIsNoList: what is no ResourceList is not taken for an empty one.
func TestForeignTextIsNoList(t *testing.T) {
	for _, text := range []string{
		"", "a: b\n", "apiVersion: v1\nkind: List\nitems: []\n", "kind: ResourceList\nitems: []\n", "[]", "{}", `{"kind":"ResourceList","items":[]}`, "# nothing\n",
		"apiVersion: config.kubernetes.io/v2\nkind: ResourceList\nitems: []\n",
	} {
		if _, err := Parse([]byte(text)); !errors.Is(err, ErrNoList) {
			t.Errorf("%q: error is %v", text, err)
		}
	}
}

// TestLargeInOnePiece: what can only be parsed as a whole is refused where that would take too much memory.
func TestLargeInOnePiece(t *testing.T) {
	filler := strings.Repeat("{kind: A}, ", mostParsed/10)
	for name, text := range map[string]string{
		"flow style":    "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: [" + filler + "{kind: A}]\n",
		"configuration": head + "- kind: A\nfunctionConfig: [" + filler + "{kind: A}]\n",
		"JSON":          `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[],"functionConfig":"` + filler + `"}`,
	} {
		if _, err := Parse([]byte(text)); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}

// TestUsualTextIsCut: what kustomize and kpt write is not parsed but for heads, nor is what people write in plain ways.
func TestUsualTextIsCut(t *testing.T) {
	for name, want := range map[string][]bool{
		"as kustomize writes":      {true, true},
		"comments and blank lines": {true, true},
		"items further in":         {true, true},
		"texts":                    {true, false},
		"quote over two items":     {false, false},
		"kind with escapes":        {true},
		"anchors over items":       {false, false},
		"mark alone":               {false, true},
	} {
		cut, is := mustParse(t, samples[name]).form.(*block)
		if !is {
			t.Errorf("%s: the list is not cut", name)
			continue
		}
		for i := range cut.items {
			if closed := skim(cut.read(i)).closed; closed != want[i] {
				t.Errorf("%s: item %d: closed is %v", name, i, closed)
			}
		}
	}
}
