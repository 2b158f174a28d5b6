package krm

import (
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// codeTag is on every result of this function, so that a second run takes those of the first away.
const codeTag = "routedelta.dev/code"

// result is a result of the KRM functions specification (config.kubernetes.io/v1, ResourceList.results). Severity is always written:
// the specification's default is error.
type result struct {
	Message     string            `yaml:"message" json:"message"`
	Severity    string            `yaml:"severity" json:"severity"`
	ResourceRef *resourceRef      `yaml:"resourceRef,omitempty" json:"resourceRef,omitempty"`
	Field       *field            `yaml:"field,omitempty" json:"field,omitempty"`
	File        *file             `yaml:"file,omitempty" json:"file,omitempty"`
	Tags        map[string]string `yaml:"tags" json:"tags"`
}

type resourceRef struct {
	APIVersion string `yaml:"apiVersion" json:"apiVersion"`
	Kind       string `yaml:"kind" json:"kind"`
	Namespace  string `yaml:"namespace,omitempty" json:"namespace,omitempty"`
	Name       string `yaml:"name" json:"name"`
}

type field struct {
	Path string `yaml:"path" json:"path"`
}

// file is where an object stands: Index counts the documents of the file.
type file struct {
	Path  string `yaml:"path" json:"path"`
	Index int    `yaml:"index,omitempty" json:"index,omitempty"`
}

// results are those of other functions, and behind them the diagnostics in the words of the specification. Nil is: nothing changes.
func (f *function) results() []any {
	ours := len(f.found)
	list := []any{}
	for _, earlier := range f.list.Results {
		if _, is := earlier.Tags[codeTag]; is {
			ours++
			continue
		}
		list = append(list, earlier)
	}
	if ours == 0 {
		return nil
	}
	objects := f.byObject()
	for _, d := range f.found {
		list = append(list, newResult(d, objects))
	}
	return list
}

// byObject finds items as diagnostics name them: what has no namespace is in "default".
func (f *function) byObject() map[diagnostic.Object]item {
	objects := map[diagnostic.Object]item{}
	for _, one := range f.items {
		object := diagnostic.Object{Kind: one.Kind, Namespace: one.Namespace, Name: one.Name}
		objects[object] = one
		if one.Namespace == "" {
			object.Namespace = "default"
			if _, taken := objects[object]; !taken {
				objects[object] = one
			}
		}
	}
	return objects
}

func newResult(d diagnostic.Diagnostic, objects map[diagnostic.Object]item) result {
	r := result{Message: string(d.Code) + ": " + d.Message, Severity: string(d.Severity), Tags: map[string]string{codeTag: string(d.Code)}}
	if d.Hint != "" {
		r.Message += " (" + d.Hint + ")"
	}
	of, known := objects[d.Object]
	switch {
	case known:
		r.ResourceRef = &resourceRef{APIVersion: of.APIVersion, Kind: of.Kind, Namespace: of.Namespace, Name: of.Name}
	case d.Object.Name != "":
		r.ResourceRef = &resourceRef{
			APIVersion: apiVersion(d.Object.Kind), Kind: d.Object.Kind, Namespace: d.Object.Namespace, Name: d.Object.Name,
		}
	}
	if d.Field != "" && r.ResourceRef != nil { // a field is one of an object
		r.Field = &field{Path: d.Field}
	}
	if d.Position.File != "" {
		r.File = &file{Path: d.Position.File, Index: of.index()}
	}
	return r
}

// index counts the documents of the file that an item came from. Under kustomize it counts something else, the whole stream, but there
// is no path either.
func (i item) index() int {
	if i.Annotations[kioutil.PathAnnotation] == "" {
		return 0
	}
	index, err := strconv.Atoi(i.Annotations[kioutil.IndexAnnotation])
	if err != nil || index < 0 {
		return 0
	}
	return index
}

// apiVersion of the kinds that a diagnostic can be about without an item of the list being it; the specification wants one.
func apiVersion(kind string) string {
	switch kind {
	case "Service", "Secret", "Namespace", "ConfigMap":
		return "v1"
	case "EndpointSlice":
		return "discovery.k8s.io/v1"
	}
	return "gateway.networking.k8s.io/v1"
}
