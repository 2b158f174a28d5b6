package fake

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

const head = "1111111111111111111111111111111111111111"

// loaded is the server, whose descriptions take a while to be read.
var loaded = sync.OnceValues(New)

// start makes a server with one world, and gives the address of the world and that of its controls.
func start(t *testing.T) (world, control string) {
	t.Helper()
	handler, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	state, err := json.Marshal(State{Repository: "acme/gitops", Tokens: map[string]Account{"t": {Login: "mona"}, "p": {Login: "mona", MayAsk: true}, "r": {ReadOnly: true}},
		PullRequests: []PullRequest{{Number: 7, HeadRef: "feature", Head: head, BaseRef: "main", Base: head}},
		Commits:      map[string][]string{head: nil, "2222222222222222222222222222222222222222": {head}}})
	if err != nil {
		t.Fatal(err)
	}
	_, name := send(t, "POST", server.URL+"/control/worlds", "", string(state))
	name = strings.Trim(name, "\"\n")
	return server.URL + "/worlds/" + name, server.URL + "/control/worlds/" + name
}

func send(t *testing.T, method, address, token, body string) (status int, text string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(read)
}

// TestContract: every operation is carried out as GitHub describes it, at both addresses, and what a client gets wrong is noticed.
func TestContract(t *testing.T) {
	check := `{"name":"c","head_sha":"` + head + `","conclusion":"success","output":{"title":"t","summary":"s","annotations":[{"path":"a","start_line":1,"end_line":1,"annotation_level":"notice","message":"m"}]}}`
	for name, test := range map[string]struct {
		method, path, body string
		status             int
		violates           bool
	}{
		"user":                     {"GET", "/user", "", 403, false},
		"list":                     {"GET", "/repos/acme/gitops/issues/7/comments?per_page=100&page=1", "", 200, false},
		"post":                     {"POST", "/repos/acme/gitops/issues/7/comments", `{"body":"x"}`, 201, false},
		"post nothing":             {"POST", "/repos/acme/gitops/issues/7/comments", `{"body":" "}`, 422, false},
		"post too much":            {"POST", "/repos/acme/gitops/issues/7/comments", `{"body":"` + strings.Repeat("ü", commentLimit+1) + `"}`, 422, false},
		"post without a body":      {"POST", "/repos/acme/gitops/issues/7/comments", `{}`, 400, true},
		"post a wrong type":        {"POST", "/repos/acme/gitops/issues/7/comments", `{"body":7}`, 400, true},
		"no such pull request":     {"POST", "/repos/acme/gitops/issues/8/comments", `{"body":"x"}`, 404, false},
		"no such comment":          {"PATCH", "/repos/acme/gitops/issues/comments/5", `{"body":"x"}`, 404, false},
		"no such path":             {"GET", "/repos/acme/gitops/comments", "", 400, true},
		"no number":                {"GET", "/repos/acme/gitops/issues/x/comments", "", 400, true},
		"no such method":           {"PUT", "/repos/acme/gitops/issues/7/comments", `{"body":"x"}`, 400, true},
		"a bad parameter":          {"GET", "/repos/acme/gitops/issues/7/comments?page=x", "", 400, true},
		"pull request":             {"GET", "/repos/acme/gitops/pulls/7", "", 200, false},
		"pull requests":            {"GET", "/repos/acme/gitops/pulls?head=acme:feature&state=open", "", 200, false},
		"compare":                  {"GET", "/repos/acme/gitops/compare/" + head + "..." + strings.Repeat("2", 40), "", 200, false},
		"compare what is not":      {"GET", "/repos/acme/gitops/compare/" + head + "..." + strings.Repeat("3", 40), "", 404, false},
		"labels":                   {"POST", "/repos/acme/gitops/issues/7/labels", `{"labels":["a/b"]}`, 200, false},
		"list labels":              {"GET", "/repos/acme/gitops/issues/7/labels", "", 200, false},
		"no such label":            {"DELETE", "/repos/acme/gitops/issues/7/labels/x", "", 404, false},
		"check":                    {"POST", "/repos/acme/gitops/check-runs", check, 201, false},
		"check with a bogus end":   {"POST", "/repos/acme/gitops/check-runs", strings.Replace(check, "success", "bogus", 1), 400, true},
		"check without a commit":   {"POST", "/repos/acme/gitops/check-runs", `{"name":"c"}`, 400, true},
		"check of no commit":       {"POST", "/repos/acme/gitops/check-runs", strings.Replace(check, head, strings.Repeat("3", 40), 1), 422, false},
		"checks":                   {"GET", "/repos/acme/gitops/commits/" + head + "/check-runs?filter=latest", "", 200, false},
		"fold, unknown comment":    {"POST", "/graphql", `{"query":"mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) { clientMutationId } }","variables":{"id":"x"}}`, 200, false},
		"fold, unknown classifier": {"POST", "/graphql", `{"query":"mutation { minimizeComment(input: {subjectId: \"x\", classifier: OLD}) { clientMutationId } }"}`, 200, true},
		"fold, no variable":        {"POST", "/graphql", `{"query":"mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) { clientMutationId } }"}`, 200, true},
	} {
		t.Run(name, func(t *testing.T) {
			for _, root := range []string{"", "/api/v3"} {
				world, control := start(t)
				if test.path == "/graphql" && root != "" {
					root = "/api"
				}
				status, text := send(t, test.method, world+root+test.path, "t", test.body)
				_, violations := send(t, "GET", control+"/violations", "", "")
				if status != test.status || (violations != "[]") != test.violates {
					t.Errorf("%s: status %d, want %d; violations %s\n%.500s", root, status, test.status, violations, text)
				}
			}
		})
	}
}

// TestOwnAnswersAreChecked: an answer that lacks what GitHub's has is found.
func TestOwnAnswersAreChecked(t *testing.T) {
	c, _, err := contracts()
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/repos/acme/gitops/issues/7/comments", nil)
	if err != nil {
		t.Fatal(err)
	}
	input, err := c.request(request)
	if err != nil {
		t.Fatal(err)
	}
	lacking := answer{status: 200, form: []any{form{"id": 1, "body": "x"}}}.encoded()
	if err := c.answer(input, lacking); err == nil {
		t.Error("a comment without node_id and user passes")
	}
	wrong := answer{status: 200, form: []any{form{"id": "one", "body": "x"}}}
	c.fill(input, &wrong)
	if err := c.answer(input, wrong.encoded()); err == nil {
		t.Error("a comment whose id is a text passes, filled up")
	}
	if err := c.answer(input, answer{status: 204}); err == nil {
		t.Error("a status that is not described passes")
	}
}

// TestUser: a person's token may ask whose it is.
func TestUser(t *testing.T) {
	for _, root := range []string{"", "/api/v3"} {
		world, control := start(t)
		status, text := send(t, "GET", world+root+"/user", "p", "")
		if _, violations := send(t, "GET", control+"/violations", "", ""); status != 200 || !strings.Contains(text, `"login":"mona"`) || violations != "[]" {
			t.Errorf("%d %s %s", status, text, violations)
		}
	}
}

// TestReadOnly: the token of a fork's run reads, and does nothing else.
func TestReadOnly(t *testing.T) {
	world, _ := start(t)
	if status, _ := send(t, "GET", world+"/repos/acme/gitops/pulls/7", "r", ""); status != 200 {
		t.Errorf("reading: %d", status)
	}
	if status, text := send(t, "POST", world+"/repos/acme/gitops/issues/7/comments", "r", `{"body":"x"}`); status != 403 || !strings.Contains(text, "not accessible by integration") {
		t.Errorf("writing: %d %s", status, text)
	}
	if status, _ := send(t, "GET", world+"/repos/acme/gitops/pulls/7", "other", ""); status != 401 {
		t.Errorf("an unknown token: %d", status)
	}
}

// TestFaults: each comes once, in order, and the usual after them.
func TestFaults(t *testing.T) {
	world, control := start(t)
	comments := world + "/repos/acme/gitops/issues/7/comments"
	send(t, "POST", control+"/faults", "", `[{"request":"POST","status":502,"body":"x"},{"request":"POST","status":429,"header":{"Retry-After":"7"},"done":true},{"request":"GET","reset":true},{"request":"GET","truncate":true}]`)
	if status, text := send(t, "POST", comments, "t", `{"body":"not done"}`); status != 502 || text != "x" {
		t.Errorf("%d %s", status, text)
	}
	if status, _ := send(t, "POST", comments, "t", `{"body":"done"}`); status != 429 {
		t.Errorf("%d", status)
	}
	// On a connection that was used before, net/http would send it again by itself.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for _, want := range []string{"reset", "unexpected EOF"} {
		answer, err := client.Get(comments)
		if err == nil {
			_, err = io.ReadAll(answer.Body)
			answer.Body.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if status, text := send(t, "GET", comments, "t", ""); status != 200 || strings.Contains(text, "not done") || !strings.Contains(text, `"done"`) {
		t.Errorf("%d %s", status, text)
	}
}
