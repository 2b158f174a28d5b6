package schematest

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// Cause is one of status.details.causes in the answer of the API server.
type Cause struct {
	Field   string `json:"field"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Answer is what the API server says to a probe.
type Answer struct {
	// Probe is its name, and Digest that of the object it had.
	Probe, Digest string
	// Code is the HTTP status: 201 if the object is accepted.
	Code int
	// Message and Causes say why it is not; the message of an answer with causes is made of them, and left out. Causes are sorted.
	Message string  `json:",omitempty"`
	Causes  []Cause `json:",omitempty"`
	// Stored is the accepted object as the server gives it back, without what it gives to every object (see Clean).
	Stored map[string]any `json:",omitempty"`
	// Warnings are those of an accepted object.
	Warnings []string `json:",omitempty"`
}

// Accepted tells whether the object was taken.
func (a Answer) Accepted() bool { return a.Code == 201 }

// Answers are those to all probes, with what was asked.
type Answers struct {
	// Kubernetes is the server's version.
	Kubernetes string
	List       []Answer `json:"-"`
}

// Digest names the content of an object.
func Digest(object map[string]any) string {
	data, _ := json.Marshal(object) // decoded from YAML, it marshals
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Clean takes from an object what the server gives to every object that it creates.
func Clean(object map[string]any) {
	metadata, _ := object["metadata"].(map[string]any)
	for _, name := range []string{"uid", "creationTimestamp", "generation", "managedFields", "resourceVersion"} {
		delete(metadata, name)
	}
}

// SortCauses gives causes an order: the server finds some of them in the order of Go's maps.
func SortCauses(causes []Cause) {
	slices.SortStableFunc(causes, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Message, b.Message))
	})
}

// Marshal writes answers: a compressed stream of lines of JSON, the first about all of them.
func (a Answers) Marshal() ([]byte, error) {
	var data bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&data, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	encoder := json.NewEncoder(compressed)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(a); err != nil {
		return nil, err
	}
	for _, answer := range a.List {
		if err := encoder.Encode(answer); err != nil {
			return nil, fmt.Errorf("writing the answer to %q: %w", answer.Probe, err)
		}
	}
	if err := compressed.Close(); err != nil {
		return nil, err
	}
	return data.Bytes(), nil
}

// ReadAnswers reads what Marshal wrote.
func ReadAnswers(data []byte) (Answers, error) {
	plain, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return Answers{}, fmt.Errorf("reading answers: %w", err)
	}
	lines := bufio.NewScanner(plain)
	lines.Buffer(nil, 16<<20)
	var answers Answers
	for first := true; lines.Scan(); first = false {
		if first {
			err = json.Unmarshal(lines.Bytes(), &answers)
		} else {
			var answer Answer
			err = unmarshalWhole(lines.Bytes(), &answer)
			answers.List = append(answers.List, answer)
		}
		if err != nil {
			return Answers{}, fmt.Errorf("reading answers: %w", err)
		}
	}
	return answers, lines.Err()
}

// unmarshalWhole decodes with whole numbers as int64.
func unmarshalWhole(line []byte, answer *Answer) error {
	if err := json.Unmarshal(line, answer); err != nil {
		return err
	}
	if answer.Stored != nil {
		whole(answer.Stored)
	}
	return nil
}
