package github

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v60/github"
)

// Comments are folded by the GraphQL API only. The classifier makes GitHub say "This comment was marked as outdated".
const (
	minimizeComment   = `mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) { clientMutationId } }`
	unminimizeComment = `mutation($id: ID!) { unminimizeComment(input: {subjectId: $id}) { clientMutationId } }`
)

// fold hides a comment that has nothing to say any more, and shows one again that we hid and that has news. The marker says which
// one we hid: what a person has hidden is left to that person.
func (u *upsert) fold(ctx context.Context, written *github.IssueComment) error {
	switch {
	case u.hides():
		return u.mutate(ctx, "hiding the comment on", minimizeComment, written)
	case u.wasHidden:
		return u.mutate(ctx, "showing the comment again on", unminimizeComment, written)
	}
	return nil
}

func (u *upsert) mutate(ctx context.Context, doing, mutation string, comment *github.IssueComment) error {
	err := u.client.graphQL(ctx, mutation, map[string]any{"id": comment.GetNodeID()})
	if err != nil {
		return u.client.failed(ctx, u.place.operation(doing), err)
	}
	return nil
}

// graphQL carries out a mutation that ends the same however often it is done.
func (c *Client) graphQL(ctx context.Context, query string, variables map[string]any) error {
	var answer struct {
		Errors []struct{ Type, Message string }
	}
	return c.untilDone(ctx, "asking the GraphQL API", func(ctx context.Context) error {
		request, err := c.api.NewRequest(http.MethodPost, c.graphQLURL(), map[string]any{"query": query, "variables": variables})
		if err != nil {
			return err
		}
		if _, err := c.api.Do(ctx, request, &answer); err != nil {
			return unsure(c.failed(ctx, "asking the GraphQL API", err))
		}
		if len(answer.Errors) == 0 {
			return nil
		}
		return &Error{Operation: "asking the GraphQL API", Kind: graphQLKind(answer.Errors[0].Type), Status: http.StatusOK,
			Message: c.told(answer.Errors[0].Message)}
	})
}

// graphQLKind sorts errors that come with status 200.
func graphQLKind(errorType string) Kind {
	switch errorType {
	case "FORBIDDEN", "INSUFFICIENT_SCOPES":
		return Forbidden
	case "NOT_FOUND":
		return NotFound
	}
	return Invalid
}

// graphQLURL is beside the REST API: https://api.github.com/graphql, https://HOST/api/graphql on a GitHub Enterprise Server.
func (c *Client) graphQLURL() string {
	base := strings.TrimSuffix(c.api.BaseURL.String(), "/")
	return fmt.Sprintf("%s/graphql", strings.TrimSuffix(base, "/v3"))
}
