package fake

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

type form = map[string]any

// encoded is the answer with its text.
func (a answer) encoded() answer {
	if a.form == nil {
		return a
	}
	text, err := json.Marshal(a.form)
	if err != nil {
		panic(err) // a form of this package
	}
	a.text = text
	return a
}

func refusal(status int, message string) answer {
	return answer{status: status, form: form{"message": message, "documentation_url": "https://docs.github.com/rest"}}
}

func notFound() answer { return refusal(http.StatusNotFound, "Not Found") }

// invalid is how GitHub refuses a member of a request that it does not take.
func invalid(resource, field, message string) answer {
	a := refusal(http.StatusUnprocessableEntity, "Validation Failed")
	a.form.(form)["errors"] = []any{form{"resource": resource, "code": "unprocessable", "field": field, "message": message}}
	return a
}

// routes are the operations below the repository, the first that fits.
var routes = []struct {
	pattern *regexp.Regexp
	do      func(c *call, parts []string) answer
}{
	{regexp.MustCompile(`^/issues/(\d+)/comments$`), (*call).comments},
	{regexp.MustCompile(`^/issues/comments/(\d+)$`), (*call).comment},
	{regexp.MustCompile(`^/issues/(\d+)/labels$`), (*call).labels},
	{regexp.MustCompile(`^/issues/(\d+)/labels/(.+)$`), (*call).label},
	{regexp.MustCompile(`^/pulls$`), (*call).pullRequests},
	{regexp.MustCompile(`^/pulls/(\d+)$`), (*call).pullRequest},
	{regexp.MustCompile(`^/compare/([^/]+)\.\.\.([^/]+)$`), (*call).compare},
	{regexp.MustCompile(`^/check-runs$`), (*call).createCheckRun},
	{regexp.MustCompile(`^/check-runs/(\d+)$`), (*call).checkRun},
	{regexp.MustCompile(`^/check-runs/(\d+)/annotations$`), (*call).annotations},
	{regexp.MustCompile(`^/commits/([^/]+)/check-runs$`), (*call).checkRuns},
}

// answer carries a request out.
func (c *call) answer() answer {
	c.world.mu.Lock()
	defer c.world.mu.Unlock()
	if refused, ok := c.authorize(); !ok {
		return refused
	}
	if c.request.URL.Path == "/user" {
		return c.user()
	}
	path, ok := strings.CutPrefix(c.request.URL.Path, "/repos/"+c.world.state.Repository)
	if !ok {
		return notFound()
	}
	for _, route := range routes {
		if parts := route.pattern.FindStringSubmatch(path); parts != nil {
			return route.do(c, parts[1:])
		}
	}
	return notFound()
}

// authorize finds whose token it is, and what it may do.
func (c *call) authorize() (answer, bool) {
	token, _ := strings.CutPrefix(c.request.Header.Get("Authorization"), "Bearer ")
	account, known := c.world.state.Tokens[token]
	c.account = account
	switch {
	case !known:
		return refusal(http.StatusUnauthorized, "Bad credentials"), false
	case account.ReadOnly && c.request.Method != http.MethodGet:
		return refusal(http.StatusForbidden, "Resource not accessible by integration"), false
	}
	return answer{}, true
}

func (c *call) user() answer {
	if !c.account.MayAsk {
		return refusal(http.StatusForbidden, "Resource not accessible by integration")
	}
	return answer{status: http.StatusOK, form: form{"login": c.account.Login, "user_view_type": "private", "type": "User"}}
}

// decode reads the body, which was checked against the description before.
func (c *call) decode(into any) { _ = json.Unmarshal(c.body, into) }

func number(text string) int {
	n, _ := strconv.Atoi(text) // digits; one that is too large is no number of a thing that exists
	return n
}
