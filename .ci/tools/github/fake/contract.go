package fake

import (
	"fmt"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/routedelta/routedelta/.ci/tools/github/description"
)

// contract is GitHub's description of its REST API.
type contract struct {
	router  routers.Router
	options *openapi3filter.Options
}

func contracts() (gitHub, enterprise *contract, err error) {
	if gitHub, err = newContract(description.GitHub); err != nil {
		return nil, nil, fmt.Errorf("github.com: %w", err)
	}
	if enterprise, err = newContract(description.EnterpriseServer); err != nil {
		return nil, nil, fmt.Errorf("GitHub Enterprise Server: %w", err)
	}
	return gitHub, enterprise, nil
}

func newContract(text []byte) (*contract, error) {
	document, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, err
	}
	document.Servers = nil // the paths count, not the host
	router, err := gorillamux.NewRouter(document)
	if err != nil {
		return nil, err
	}
	return &contract{router: router, options: &openapi3filter.Options{
		AuthenticationFunc:    openapi3filter.NoopAuthenticationFunc,
		IncludeResponseStatus: true, // an answer that is not described is an error
		MultiError:            true,
	}}, nil
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
func (c *contract) answer(request *openapi3filter.RequestValidationInput, a answer) error {
	if a.status >= 400 && request.Route.Operation.Responses.Status(a.status) == nil {
		return nil
	}
	input := &openapi3filter.ResponseValidationInput{RequestValidationInput: request, Status: a.status,
		Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}}, Options: c.options}
	input.SetBodyBytes(a.text)
	return openapi3filter.ValidateResponse(request.Request.Context(), input)
}
