package githubtest

import (
	_ "embed"
	"net/http"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

//go:embed testdata/api.github.com.json
var description []byte

// contract is GitHub's description of its API.
type contract struct {
	router  routers.Router
	options *openapi3filter.Options
}

func newContract(t testing.TB) *contract {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(description)
	if err != nil {
		t.Fatalf("GitHub's description: %v", err)
	}
	document.Servers = nil // the paths count, not the host
	router, err := gorillamux.NewRouter(document)
	if err != nil {
		t.Fatalf("GitHub's description: %v", err)
	}
	return &contract{router: router, options: &openapi3filter.Options{
		AuthenticationFunc:    openapi3filter.NoopAuthenticationFunc,
		IncludeResponseStatus: true, // an answer that is not described is an error
		MultiError:            true,
	}}
}

// request checks a request: path, parameters, body.
func (c *contract) request(r *http.Request) (*openapi3filter.RequestValidationInput, error) {
	route, parameters, err := c.router.FindRoute(r)
	if err != nil {
		return nil, err
	}
	input := &openapi3filter.RequestValidationInput{Request: r, PathParams: parameters, Route: route, Options: c.options}
	return input, openapi3filter.ValidateRequest(r.Context(), input)
}

// answer checks an answer: status, members, types. GitHub refuses in more ways than it describes (401 anywhere, 404 for an edit), so
// a refusal is checked where it is described only.
func (c *contract) answer(request *openapi3filter.RequestValidationInput, a Answer) error {
	if a.Status >= 400 && request.Route.Operation.Responses.Status(a.Status) == nil {
		return nil
	}
	input := &openapi3filter.ResponseValidationInput{RequestValidationInput: request, Status: a.Status,
		Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}}, Options: c.options}
	input.SetBodyBytes([]byte(a.Body))
	return openapi3filter.ValidateResponse(request.Request.Context(), input)
}
