package schematest

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Rule is one thing that a definition says of a field.
type Rule struct {
	// Path of the field: spec.rules[].matches[].path; {} is a value of a map, and "" the object.
	Path string
	// Keyword is the schema's: required, enum, pattern... or one of the names below.
	Keyword string
	// Text says which of several: the name of the required field, the message of the CEL rule.
	Text string
}

// Names of rules that are no keywords of a schema.
const (
	// Unknown: a field that is not in the schema.
	Unknown = "unknown field"
	// Duplicate: an item of a list of type set or map that is there already.
	Duplicate = "duplicate"
	// CEL is a rule in x-kubernetes-validations.
	CEL = "CEL"
)

func (r Rule) String() string {
	return strings.TrimSpace(strings.TrimSpace(r.Path+" "+r.Keyword) + " " + r.Text)
}

// Rules lists the rules of a definition, those of the status and of the metadata apart: a created object has no status (the server
// drops it before it is looked at), and the metadata have no schema.
func (d *Definition) Rules() []Rule {
	var rules []Rule
	walk(d.Schema, "", func(path string, s *apiextensionsv1.JSONSchemaProps) {
		for _, rule := range rulesOf(s) {
			if rule.Path = path; path != "" || rule.Keyword != "type" {
				rules = append(rules, rule)
			}
		}
	})
	return rules
}

// walk visits a schema and all below it.
func walk(s *apiextensionsv1.JSONSchemaProps, path string, visit func(string, *apiextensionsv1.JSONSchemaProps)) {
	visit(path, s)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if path == "" && name != "spec" {
			continue
		}
		property := s.Properties[name]
		walk(&property, strings.TrimPrefix(path+"."+name, "."), visit)
	}
	if s.Items != nil {
		walk(s.Items.Schema, path+"[]", visit)
	}
	if s.AdditionalProperties != nil {
		walk(s.AdditionalProperties.Schema, path+"{}", visit)
	}
}

// rulesOf lists the rules of one node.
func rulesOf(s *apiextensionsv1.JSONSchemaProps) []Rule {
	rules := []Rule{{Keyword: "type"}}
	add := func(is bool, keyword, text string) {
		if is {
			rules = append(rules, Rule{Keyword: keyword, Text: text})
		}
	}
	add(len(s.Properties) > 0, Unknown, "")
	for _, name := range s.Required {
		add(s.Properties[name].Default == nil, "required", name)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		add(s.Properties[name].Default != nil, "default", name)
	}
	add(len(s.Enum) > 0, "enum", "")
	add(s.Pattern != "", "pattern", "")
	add(s.MinLength != nil && *s.MinLength > 0, "minLength", "")
	add(s.MaxLength != nil, "maxLength", "")
	add(s.Minimum != nil, "minimum", "")
	add(s.Maximum != nil, "maximum", "")
	add(s.Format != "", "format", s.Format)
	add(s.MinItems != nil && *s.MinItems > 0, "minItems", "")
	add(s.MaxItems != nil, "maxItems", "")
	add(s.MaxProperties != nil, "maxProperties", "")
	add(s.XListType != nil && *s.XListType != "atomic", Duplicate, "")
	add(len(s.OneOf) > 0, "oneOf", "")
	for _, rule := range s.XValidations {
		add(true, CEL, rule.Message)
	}
	return rules
}

// words are what the server's message has for a keyword; it is empty for those that have a reason of their own.
var words = map[string]string{
	"pattern": "should match", "minLength": "should be at least", "minimum": "greater than or equal to", "maximum": "less than or equal to",
	"minItems": "should have at least", "oneOf": "must validate one and only one schema", "format": "must be of type",
}

// reasons are the server's for a keyword; FieldValueInvalid for others.
var reasons = map[string]string{
	"type": "FieldValueTypeInvalid", "required": "FieldValueRequired", "enum": "FieldValueNotSupported", "maxLength": "FieldValueTooLong",
	"maxItems": "FieldValueTooMany", "maxProperties": "FieldValueTooMany", Duplicate: "FieldValueDuplicate",
}

var indices = regexp.MustCompile(`\[[^\]]*\]`)

// Refused tells whether an answer refuses an object because of this rule.
func (r Rule) Refused(answer Answer) bool {
	if r.Keyword == Unknown {
		field := strings.TrimPrefix(r.Path+".unknownField", ".")
		return strings.Contains(indices.ReplaceAllString(answer.Message, "[]"), `strict decoding error: unknown field "`+field+`"`)
	}
	path := r.Path
	switch r.Keyword {
	case "required":
		path = strings.TrimPrefix(path+"."+r.Text, ".")
	case Duplicate:
		path += "[]"
	}
	reason, own := reasons[r.Keyword]
	if !own {
		reason = "FieldValueInvalid"
	}
	return slices.ContainsFunc(answer.Causes, func(c Cause) bool {
		message := words[r.Keyword]
		if r.Keyword == CEL {
			message = r.Text
		}
		return c.at(path) && c.Reason == reason && strings.Contains(c.Message, message)
	})
}

// at tells whether a cause is about the field of a path. Some causes have no field and name it in their message.
func (c Cause) at(path string) bool {
	field := indices.ReplaceAllString(c.Field, "[]")
	if entry, isEntry := strings.CutSuffix(path, "{}"); isEntry {
		return strings.HasPrefix(field, entry)
	}
	return field == path || c.Field == "<nil>" && strings.Contains(indices.ReplaceAllString(c.Message, "[]"), path)
}
