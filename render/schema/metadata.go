package schema

import (
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// metadata of an object, which no schema describes.
type metadata struct {
	metav1.ObjectMeta
	// plain metadata is understood as it is written.
	plain bool
}

// readMetadata reads the metadata of an object. Without metadata that can be read there are causes only.
func readMetadata(value map[string]any, namespaced bool) (*metadata, []Cause) {
	if m := readPlain(value["metadata"]); m != nil && namespaced {
		return m, nil
	}
	read, _, unknown, err := objectmeta.GetObjectMetaWithOptions(value, objectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		return nil, []Cause{{Field: "metadata", Message: err.Error()}}
	}
	m := &metadata{}
	if read != nil {
		m.ObjectMeta = *read
	}
	if !namespaced {
		m.Namespace = ""
	}
	return m, unknownFields(unknown)
}

// readPlain reads metadata of names, labels and annotations only, which is most, as the library would; nil is any other.
func readPlain(value any) *metadata {
	fields, is := value.(map[string]any)
	if !is {
		return nil
	}
	m := &metadata{plain: true}
	for name, value := range fields {
		understood := false
		switch name {
		case "name":
			m.Name, understood = value.(string)
		case "namespace":
			m.Namespace, understood = value.(string)
		case "labels":
			m.Labels, understood = texts(value)
		case "annotations":
			m.Annotations, understood = texts(value)
		}
		if !understood {
			return nil
		}
	}
	return m
}

// texts gives a map of strings, which has at least one.
func texts(value any) (map[string]string, bool) {
	fields, is := value.(map[string]any)
	if !is || len(fields) == 0 {
		return nil, false
	}
	read := make(map[string]string, len(fields))
	for name, value := range fields {
		text, is := value.(string)
		if !is {
			return nil, false
		}
		read[name] = text
	}
	return read, true
}

// unknownFields gives the paths of unknown fields as causes. The server gives one message for all of an object.
func unknownFields(paths []string) []Cause {
	list := make([]Cause, 0, len(paths))
	for _, path := range paths {
		list = append(list, Cause{Field: path, Message: `strict decoding error: unknown field "` + path + `"`})
	}
	return list
}

// validate holds metadata against the rules for the metadata of custom resources.
func (m *metadata) validate(namespaced bool) field.ErrorList {
	checked := m.ObjectMeta
	if checked.Name == "" && checked.GenerateName != "" {
		// The server makes a name before it looks at it: five letters behind the prefix (apiserver, names.SimpleNameGenerator).
		checked.Name = checked.GenerateName[:min(len(checked.GenerateName), 58)] + "xxxxx"
	}
	return validation.ValidateObjectMeta(&checked, namespaced, validation.NameIsDNSSubdomain, field.NewPath("metadata"))
}

// write puts metadata back, as what was understood of it.
func (m *metadata) write(value map[string]any) error {
	if m.plain {
		return nil
	}
	if err := objectmeta.SetObjectMeta(value, &m.ObjectMeta); err != nil {
		return fmt.Errorf("writing metadata: %w", err)
	}
	if written, is := value["metadata"].(map[string]any); is && written["creationTimestamp"] == nil {
		delete(written, "creationTimestamp")
	}
	return nil
}
