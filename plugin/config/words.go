package config

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
)

var (
	unknownField = regexp.MustCompile(`line (\d+): field (\S+) not found in type (\S+)`)
	wrongType    = regexp.MustCompile("line (\\d+): cannot unmarshal !!(\\S+) (`[^`]*` )?into (\\S+)")
	syntax       = regexp.MustCompile(`(?:yaml: )?line (\d+): `)
)

// readable turns the decoder's words, which name Go types, into file:line: and the field.
func readable(name string, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: unmarshal errors:\n")
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if unknown := unknownField.FindStringSubmatch(line); unknown != nil {
			line = fmt.Sprintf("%s:%s: unknown field %q%s", name, unknown[1], unknown[2], didYouMean(unknown[2], fieldsOf(unknown[3])))
		}
		line = wrongType.ReplaceAllString(line, name+`:$1: a value of type $2 ${3}where $4 is wanted`)
		line = syntax.ReplaceAllString(line, name+`:$1: `)
		lines[i] = line
	}
	return errors.New(strings.Join(lines, "\n"))
}

// didYouMean is what to say of a word after which none of a list is named, "" if it is like none.
func didYouMean(word string, words []string) string {
	if near := diagnostic.Nearest(word, words); near != "" {
		return fmt.Sprintf(", did you mean %q?", near)
	}
	return ""
}

// fieldsOf are the fields of a type of the document by their names in it, found by its name in Go, which the decoder says.
func fieldsOf(typeName string) []string { return fieldsBelow(reflect.TypeFor[Config](), typeName) }

func fieldsBelow(t reflect.Type, typeName string) []string {
	switch t.Kind() {
	case reflect.Slice:
		return fieldsBelow(t.Elem(), typeName)
	case reflect.Struct:
	default:
		return nil
	}
	var fields []string
	for i := range t.NumField() {
		if found := fieldsBelow(t.Field(i).Type, typeName); found != nil {
			return found
		}
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ","); name != "" {
			fields = append(fields, name)
		}
	}
	if t.String() != typeName {
		return nil
	}
	return fields
}
