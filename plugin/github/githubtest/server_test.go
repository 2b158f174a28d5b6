package githubtest

import (
	"net/http"
	"strings"
	"testing"
)

// recorder is a testing.TB that notes errors instead of failing.
type recorder struct {
	testing.TB
	errors int
}

func (r *recorder) Errorf(string, ...any) { r.errors++ }
func (r *recorder) Helper()               {}

// TestContractIsChecked: the fake is worth something only if it complains.
func TestContractIsChecked(t *testing.T) {
	for name, test := range map[string]struct {
		method, path, body string
		errors             int
	}{
		"good":            {http.MethodPost, "/repos/acme/gitops/issues/7/comments", `{"body":"x"}`, 0},
		"without a body":  {http.MethodPost, "/repos/acme/gitops/issues/7/comments", `{}`, 1},
		"a wrong type":    {http.MethodPost, "/repos/acme/gitops/issues/7/comments", `{"body":7}`, 1},
		"no such path":    {http.MethodGet, "/repos/acme/gitops/comments", ``, 1},
		"no number":       {http.MethodGet, "/repos/acme/gitops/issues/x/comments", ``, 1},
		"no such method":  {http.MethodPut, "/repos/acme/gitops/issues/7/comments", `{"body":"x"}`, 1},
		"a bad parameter": {http.MethodGet, "/repos/acme/gitops/issues/7/comments?page=x", ``, 1},
	} {
		t.Run(name, func(t *testing.T) {
			seen := &recorder{TB: t}
			s := New(seen)
			request, err := http.NewRequestWithContext(t.Context(), test.method, s.URL+test.path, strings.NewReader(test.body))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Authorization", "Bearer "+Token)
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if seen.errors != test.errors || (test.errors == 0) != (answer.StatusCode < 300) {
				t.Errorf("%d complaints and status %d, want %d complaints", seen.errors, answer.StatusCode, test.errors)
			}
		})
	}
}

// TestOwnAnswersAreChecked: an answer that lacks what GitHub's has is found.
func TestOwnAnswersAreChecked(t *testing.T) {
	c := newContract(t)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/repos/acme/gitops/issues/7/comments", nil)
	if err != nil {
		t.Fatal(err)
	}
	checked, err := c.request(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.answer(checked, encoded(200, []any{form{"id": 1, "body": "x"}})); err == nil {
		t.Error("a comment without node_id and user passes")
	}
	if err := c.answer(checked, encoded(200, []any{commentForm(Comment{ID: 1, Login: "a", Body: "x"})})); err != nil {
		t.Errorf("a full comment: %v", err)
	}
	if err := c.answer(checked, Answer{Status: 204}); err == nil {
		t.Error("a status that is not described passes")
	}
}
