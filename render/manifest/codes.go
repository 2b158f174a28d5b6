package manifest

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/schema"
)

// codeOf names the kind of a cause.
func codeOf(cause schema.Cause) diagnostic.Code {
	switch cause.Reason {
	case "":
		if strings.Contains(cause.Message, "unknown field") {
			return diagnostic.UnknownField
		}
		return diagnostic.WrongType
	case metav1.CauseTypeTypeInvalid:
		return diagnostic.WrongType
	case metav1.CauseTypeFieldValueRequired:
		return diagnostic.MissingValue
	case metav1.CauseTypeFieldValueDuplicate:
		return diagnostic.DuplicateItem
	case metav1.CauseTypeTooMany:
		return diagnostic.TooManyItems
	case metav1.CauseTypeFieldValueInvalid:
		return codeOfInvalid(cause)
	}
	return diagnostic.BadValue
}

// codeOfInvalid names the kind of an invalid value by its field.
func codeOfInvalid(cause schema.Cause) diagnostic.Code {
	if strings.Contains(cause.Message, "should be at least 1 chars long") || strings.Contains(cause.Message, "should have at least 1 items") {
		return diagnostic.MissingValue
	}
	switch field := fieldName(cause.Field); field {
	case "hostname", "hostnames":
		return diagnostic.BadHostname
	case "path", "replaceFullPath", "replacePrefixMatch":
		return diagnostic.BadPath
	case "name", "sectionName", "group", "kind", "namespace", "controllerName", "protocol":
		return diagnostic.BadName
	}
	switch {
	case strings.Contains(cause.Message, "unique"):
		return diagnostic.DuplicateItem
	case strings.HasPrefix(cause.Message, "Invalid value: \"") || strings.Contains(cause.Message, " in body "):
		return diagnostic.BadValue
	}
	return diagnostic.BadCombine // a rule over several fields
}

// fieldName is the last name in a path: "hostnames" of spec.hostnames[0].
func fieldName(path string) string {
	for strings.HasSuffix(path, "]") {
		path = path[:strings.LastIndexByte(path, '[')]
	}
	return path[strings.LastIndexByte(path, '.')+1:]
}
