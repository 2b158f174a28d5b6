package resourcelist

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/routedelta/routedelta/render/manifest"
)

// jsonForm is a list that is written as JSON.
type jsonForm struct {
	text  []byte
	items []span
	// list and results are the values of these keys; end is the brace that closes the list.
	list, results span
	end           int
}

// parseJSON cuts a list that is one JSON object. It gives errOtherForm for a text that is none.
func parseJSON(text []byte) (*List, error) {
	if start := bytes.TrimLeft(text, " \t\r\n"); len(start) == 0 || start[0] != '{' {
		return nil, errOtherForm
	}
	j := &jsonForm{text: text}
	values, err := j.cut()
	if err != nil {
		return nil, errOtherForm // a flow mapping of YAML, perhaps
	}
	var apiVersion, kind string
	if json.Unmarshal(values["apiVersion"], &apiVersion) != nil || json.Unmarshal(values["kind"], &kind) != nil || !isList(apiVersion, kind) {
		return nil, ErrNoList
	}
	list := &List{form: j}
	if value := values["functionConfig"]; len(value) > mostParsed {
		return nil, fmt.Errorf("%w: functionConfig has %d bytes, the limit is %d", ErrTooLarge, len(value), mostParsed)
	} else if len(value) > 0 {
		if list.FunctionConfig, err = parse(manifest.YAMLEscapes(value)); err != nil {
			return nil, fmt.Errorf("functionConfig: %w", err)
		}
	}
	var results []json.RawMessage
	if value := values["results"]; len(value) > 0 && json.Unmarshal(value, &results) != nil {
		return nil, fmt.Errorf("results: want an array")
	}
	for _, entry := range results {
		var head struct {
			Tags map[string]string `json:"tags"`
		}
		_ = json.Unmarshal(entry, &head) // one with other tags is not ours
		list.Results = append(list.Results, Result{Tags: head.Tags, value: entry})
	}
	return list, nil
}

var errNotJSON = errors.New("no JSON object with keys that stand once")

// cut finds the values of the list and the items, and gives the other values.
func (j *jsonForm) cut() (map[string]json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(j.text))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	values := map[string]json.RawMessage{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string)
		if _, twice := values[key]; twice {
			return nil, errNotJSON
		}
		values[key] = nil
		if key == "items" {
			err = j.cutItems(decoder)
		} else {
			var at span
			values[key], at, err = rawValue(decoder)
			if key == "results" {
				j.results = at
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	j.end = int(decoder.InputOffset()) - 1
	if rest := bytes.TrimSpace(j.text[j.end+1:]); len(rest) > 0 {
		return nil, errNotJSON
	}
	return values, nil
}

// cutItems finds the items of the array that comes next.
func (j *jsonForm) cutItems(decoder *json.Decoder) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	if token != json.Delim('[') {
		return errNotJSON
	}
	j.list.begin = int(decoder.InputOffset()) - 1
	for decoder.More() {
		_, at, err := rawValue(decoder)
		if err != nil {
			return err
		}
		j.items = append(j.items, at)
	}
	_, err = decoder.Token()
	j.list.end = int(decoder.InputOffset())
	return err
}

// rawValue is the value that comes next, and where it stands.
func rawValue(decoder *json.Decoder) (json.RawMessage, span, error) {
	var value json.RawMessage
	err := decoder.Decode(&value)
	end := int(decoder.InputOffset())
	return value, span{end - len(value), end}, err
}

func (j *jsonForm) Len() int { return len(j.items) }

// Read parses an item, or its head alone.
func (j *jsonForm) Read(index int, whole func(apiVersion, kind string) bool) (Item, error) {
	text := j.text[j.items[index].begin:j.items[index].end]
	var head struct {
		APIVersion json.RawMessage `json:"apiVersion"`
		Kind       json.RawMessage `json:"kind"`
		Metadata   json.RawMessage `json:"metadata"`
	}
	if json.Unmarshal(text, &head) != nil {
		return Item{}, fmt.Errorf("items[%d] is no object", index)
	}
	headText, err := json.Marshal(head)
	if err != nil {
		return Item{}, fmt.Errorf("items[%d]: %w", index, err)
	}
	node, err := parse(manifest.YAMLEscapes(headText))
	if err != nil {
		return Item{}, fmt.Errorf("items[%d]: %w", index, err)
	}
	if item := newItem(node); !whole(item.APIVersion, item.Kind) {
		return item, nil
	}
	if node, err = parse(manifest.YAMLEscapes(text)); err != nil {
		return Item{}, fmt.Errorf("items[%d]: %w", index, err)
	}
	return asItem(index, node)
}

// pieces are the text with the changed items and results between what stays.
func (j *jsonForm) pieces(edit Edit) ([][]byte, error) {
	list, err := j.editedItems(edit)
	if err != nil {
		return nil, err
	}
	changes := []change{{j.list, list}}
	if j.list.end == 0 {
		changes = []change{{span{j.end, j.end}, append([]byte(`,"items":`), list...)}}
	}
	if edit.Results != nil {
		results, err := json.Marshal(edit.Results)
		if err != nil {
			return nil, fmt.Errorf("results: %w", err)
		}
		switch {
		case j.results.end > 0:
			changes = append(changes, change{j.results, results})
		case len(edit.Results) > 0:
			changes = append(changes, change{span{j.end, j.end}, append([]byte(`,"results":`), results...)})
		}
	}
	return j.changed(changes), nil
}

// change is a part of the text with what is to stand there.
type change struct {
	span
	text []byte
}

func (j *jsonForm) changed(changes []change) [][]byte {
	slices.SortStableFunc(changes, func(a, b change) int { return a.begin - b.begin })
	var pieces [][]byte
	written := 0
	for _, c := range changes {
		pieces = append(pieces, j.text[written:c.begin], c.text)
		written = c.end
	}
	return append(pieces, j.text[written:])
}

// editedItems is the array of the items. What stands between two of them stays between two.
func (j *jsonForm) editedItems(edit Edit) ([]byte, error) {
	if len(edit.Replaced)+len(edit.Added) == 0 && j.list.end > 0 {
		return j.text[j.list.begin:j.list.end], nil
	}
	before, between, after := []byte("["), []byte(","), []byte("]")
	if n := len(j.items); n > 0 {
		before, after = j.text[j.list.begin:j.items[0].begin], j.text[j.items[n-1].end:j.list.end]
		if n > 1 {
			between = j.text[j.items[0].end:j.items[1].begin]
		}
	}
	objects := make([]json.Marshaler, 0, len(j.items)+len(edit.Added))
	for i, s := range j.items {
		if object, replaced := edit.Replaced[i]; !replaced {
			objects = append(objects, json.RawMessage(j.text[s.begin:s.end]))
		} else if object != nil {
			objects = append(objects, object)
		}
	}
	for _, object := range edit.Added {
		objects = append(objects, object)
	}
	text, mark := bytes.Clone(before), []byte(nil)
	for _, object := range objects {
		one, err := object.MarshalJSON()
		if err != nil {
			return nil, err
		}
		text = append(append(text, mark...), one...)
		mark = between
	}
	return append(text, after...), nil
}
