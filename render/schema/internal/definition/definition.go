// Package definition cuts the schemas of CustomResourceDefinitions down to what decides about objects.
package definition

import apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

// DropDescriptions drops, in place and all the way down, what is said to people: three quarters of a definition.
func DropDescriptions(s *apiextensionsv1.JSONSchemaProps) {
	s.Description = ""
	for name, property := range s.Properties {
		DropDescriptions(&property)
		s.Properties[name] = property
	}
	if s.Items != nil && s.Items.Schema != nil {
		DropDescriptions(s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		DropDescriptions(s.AdditionalProperties.Schema)
	}
}
