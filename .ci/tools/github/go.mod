// A GitHub for tests: a server that keeps what a client of the API writes, and checks both sides against GitHub's own descriptions.
// Built by `make fake-github`.
module github.com/routedelta/routedelta/.ci/tools/github

go 1.26.0

require (
	github.com/getkin/kin-openapi v0.153.0
	github.com/vektah/gqlparser/v2 v2.5.64
)

require (
	github.com/agnivade/levenshtein v1.2.2 // indirect
	github.com/go-openapi/jsonpointer v0.22.5 // indirect
	github.com/go-openapi/swag/jsonname v0.25.5 // indirect
	github.com/gorilla/mux v1.8.0 // indirect
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // indirect
	go.yaml.in/yaml/v4 v4.0.0 // indirect
	golang.org/x/text v0.14.0 // indirect
)
