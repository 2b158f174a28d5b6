// Package description holds the parts of GitHub's own descriptions of its API that are used here; LICENSE says where they are from.
package description

import _ "embed"

// Descriptions of the REST API: of github.com, and of a GitHub Enterprise Server.
var (
	//go:embed api.github.com.json
	GitHub []byte
	//go:embed ghes-3.19.json
	EnterpriseServer []byte
)

// GraphQL is the schema of the GraphQL API.
//
//go:embed graphql.graphqls
var GraphQL string
