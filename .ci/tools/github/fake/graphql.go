package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"github.com/routedelta/routedelta/.ci/tools/github/description"
)

// graph is GitHub's schema of its GraphQL API.
type graph struct{ schema *ast.Schema }

func newGraph() (*graph, error) {
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: "graphql.graphqls", Input: description.GraphQL})
	if err != nil {
		return nil, fmt.Errorf("GraphQL schema: %w", err)
	}
	return &graph{schema}, nil
}

// graphQL folds a comment, or unfolds it. Refusals come with status 200, as GitHub's do.
func (c *call) graphQL() answer {
	var sent struct {
		Query     string
		Variables map[string]any
	}
	if err := json.Unmarshal(c.body, &sent); err != nil || c.request.Method != http.MethodPost {
		c.world.violated(fmt.Sprintf("a request that is no GraphQL: %s %.200s", c.request.Method, c.body))
		return refusal(http.StatusBadRequest, "Problems parsing JSON")
	}
	query, problems := gqlparser.LoadQuery(c.graph.schema, sent.Query)
	if problems != nil {
		c.world.violated(fmt.Sprintf("a query that GitHub does not describe: %s: %v", sent.Query, problems))
		return graphError("", problems.Error())
	}
	operation := query.Operations[0]
	variables, err := validator.VariableValues(c.graph.schema, operation, sent.Variables)
	if err != nil {
		c.world.violated(fmt.Sprintf("variables that GitHub does not describe: %v: %v", sent.Variables, err))
		return graphError("", err.Error())
	}
	c.world.mu.Lock()
	defer c.world.mu.Unlock()
	if refused, ok := c.authorize(); !ok {
		if refused.status == http.StatusForbidden {
			return graphError("FORBIDDEN", "Resource not accessible by integration")
		}
		return refused
	}
	return c.mutate(operation.SelectionSet[0].(*ast.Field), variables)
}

// mutate carries out one mutation.
func (c *call) mutate(field *ast.Field, variables map[string]any) answer {
	input, err := field.Arguments.ForName("input").Value.Value(variables)
	if err != nil {
		return graphError("", err.Error())
	}
	wanted := input.(map[string]any)
	for i := range c.world.state.Comments {
		comment := &c.world.state.Comments[i]
		if nodeID(comment.ID) != wanted["subjectId"] {
			continue
		}
		comment.Minimized = ""
		if field.Name == "minimizeComment" {
			comment.Minimized = strings.ToLower(fmt.Sprint(wanted["classifier"]))
		}
		return answer{status: http.StatusOK, form: form{"data": form{field.Alias: form{"clientMutationId": nil}}}}
	}
	return graphError("NOT_FOUND", fmt.Sprintf("Could not resolve to a node with the global id of '%v'.", wanted["subjectId"]))
}

func graphError(kind, message string) answer {
	return answer{status: http.StatusOK, form: form{"data": nil, "errors": []any{form{"type": kind, "message": message}}}}
}
