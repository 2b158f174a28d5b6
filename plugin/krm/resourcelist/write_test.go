package resourcelist

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// object is an item to add.
type object string

func (o object) Marshal() ([]byte, error) {
	return []byte("kind: Added\nmetadata:\n  name: " + string(o) + "\ndata: |\n  a\n\n  b\n"), nil
}
func (o object) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"kind": "Added", "name": string(o)})
}

type note struct {
	Message string `yaml:"message" json:"message"`
}

func written(t *testing.T, list *List, edit Edit) string {
	t.Helper()
	var out bytes.Buffer
	if err := list.Write(&out, edit); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func mustParse(t *testing.T, text string) *List {
	t.Helper()
	list, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestNothingChanges: without an edit the text goes out as it came, to the byte, but for a line break at its end. Only a list that was
// parsed as a whole is written anew.
func TestNothingChanges(t *testing.T) {
	for name, text := range samples {
		t.Run(name, func(t *testing.T) {
			list, err := Parse([]byte(text))
			if err != nil {
				return
			}
			out := written(t, list, Edit{})
			if _, isTree := list.form.(*tree); isTree {
				checkAgainstWhole(t, []byte(out))
				return
			}
			want := text
			switch {
			case name == "items are missing":
				want += "items: []\n"
			case name == "JSON without items":
				want = strings.TrimSuffix(text, "}") + `,"items":[]}`
			case !strings.HasPrefix(text, "{") && !strings.HasSuffix(text, "\n"):
				want += "\n"
			}
			if diff := cmp.Diff(want, out); diff != "" {
				t.Errorf("(-in +out)\n%s", diff)
			}
		})
	}
}

// TestEditBlock: what is changed stands where it should, and all else as it stood.
func TestEditBlock(t *testing.T) {
	const text = `# of the list
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
  - kind: A   # stays
  # of B
  - kind: B
    text: "x"

  # of C
  - kind: C
results:
  - {message: earlier, tags: {by: other}}
functionConfig: {a: b}
`
	const want = `# of the list
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
  - kind: A   # stays
  # of B
  - kind: Added
    metadata:
      name: new
    data: |
      a

      b

  # of C
  - kind: Added
    metadata:
      name: last
    data: |
      a

      b
results:
- {message: earlier, tags: {by: other}}
- message: now
functionConfig: {a: b}
`
	list := mustParse(t, text)
	if len(list.Results) != 1 || list.Results[0].Tags["by"] != "other" {
		t.Fatal(list.Results)
	}
	edit := Edit{
		Replaced: map[int]Object{1: object("new"), 2: nil}, Added: []Object{object("last")},
		Results: []any{list.Results[0], note{"now"}},
	}
	if diff := cmp.Diff(want, written(t, list, edit)); diff != "" {
		t.Errorf("(-want +out)\n%s", diff)
	}
}

// TestEditJSON is TestEditBlock for a list in JSON.
func TestEditJSON(t *testing.T) {
	const text = `{"apiVersion": "config.kubernetes.io/v1", "results": [{"message": "earlier", "tags": {"by": "other"}}],
 "items": [
  {"kind": "A" },
  {"kind": "B"},
  {"kind": "C"}
 ], "kind": "ResourceList"}
`
	const want = `{"apiVersion": "config.kubernetes.io/v1", "results": [{"message":"earlier","tags":{"by":"other"}},{"message":"now"}],
 "items": [
  {"kind": "A" },
  {"kind":"Added","name":"new"},
  {"kind":"Added","name":"last"}
 ], "kind": "ResourceList"}
`
	list := mustParse(t, text)
	edit := Edit{
		Replaced: map[int]Object{1: object("new"), 2: nil}, Added: []Object{object("last")},
		Results: []any{list.Results[0], note{"now"}},
	}
	if diff := cmp.Diff(want, written(t, list, edit)); diff != "" {
		t.Errorf("(-want +out)\n%s", diff)
	}
}

// TestEditAnyForm: an edit means the same however the list is written.
func TestEditAnyForm(t *testing.T) {
	for name, text := range samples {
		t.Run(name, func(t *testing.T) {
			list, err := Parse([]byte(text))
			if err != nil {
				return
			}
			items := list.Len()
			edit := Edit{Replaced: map[int]Object{}, Added: []Object{object("last")}, Results: []any{note{"now"}}}
			if items > 0 {
				edit.Replaced[items-1] = nil
			}
			if items > 1 && !strings.Contains(name, "anchors") {
				edit.Replaced[0] = object("first")
			}
			out := written(t, list, edit)
			again, err := ParseWhole(yamlOf([]byte(out)))
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if have, want := again.Len(), max(items, 1); have != want || len(again.Results) != 1 {
				t.Errorf("%d items and %d results, want %d and 1\n%s", have, len(again.Results), want, out)
			}
			emptied := Edit{Replaced: map[int]Object{}, Results: []any{}}
			for i := range items {
				emptied.Replaced[i] = nil
			}
			out = written(t, list, emptied)
			if again, err = ParseWhole(yamlOf([]byte(out))); err != nil || again.Len() != 0 || again.Results != nil || !strings.Contains(out, "items") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
