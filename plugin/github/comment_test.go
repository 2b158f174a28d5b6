package github

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

const (
	listURL = "/repos/acme/gitops/issues/7/comments?page=%d&per_page=100"
	postURL = "POST /repos/acme/gitops/issues/7/comments"
	oneURL  = "/repos/acme/gitops/issues/comments/%d"
)

func list(page int) string    { return "GET " + fmt.Sprintf(listURL, page) }
func edit(id int64) string    { return "PATCH " + fmt.Sprintf(oneURL, id) }
func removal(id int64) string { return "DELETE " + fmt.Sprintf(oneURL, id) }
func signedBy(text, instance string) string {
	return text + "\n\n<!-- routedelta instance=" + instance + " -->"
}

// connect makes a client of the fake that notes its pauses instead of making them.
func connect(t *testing.T, server *githubtest.Server) (*Client, *[]time.Duration) {
	t.Helper()
	client, err := NewClient(githubtest.Token, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	var pauses []time.Duration
	client.retry.wait = func(ctx context.Context, pause time.Duration) error {
		pauses = append(pauses, pause)
		return ctx.Err()
	}
	return client, &pauses
}

// posting is what an Upsert is asked for.
type posting struct {
	Place
	Comment
}

func comment(body string) posting {
	return posting{Place{Owner: "acme", Repository: "gitops", Number: githubtest.Number}, Comment{Text: func(int) string { return body }}}
}

func post(ctx context.Context, client *Client, c posting) (Result, error) {
	return Upsert(ctx, client, c.Place, c.Comment)
}

func upserted(t *testing.T, client *Client, c posting) Result {
	t.Helper()
	result, err := post(t.Context(), client, c)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// bodies are the comments that are there: "login: body".
func bodies(server *githubtest.Server) []string {
	var all []string
	for _, c := range server.Comments() {
		all = append(all, c.Login+": "+c.Body)
	}
	return all
}

func requireRequests(t *testing.T, server *githubtest.Server, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, server.Requests()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestCreatedUpdatedUntouched(t *testing.T) {
	server := githubtest.New(t)
	client, _ := connect(t, server)

	result := upserted(t, client, comment("one"))
	if result.Action != Created || result.URL != "https://github.com/acme/gitops/pull/7#issuecomment-1001" {
		t.Errorf("first: %+v", result)
	}
	requireRequests(t, server, "GET /user", list(1), postURL, list(1))

	if result = upserted(t, client, comment("two")); result.Action != Updated || !strings.HasSuffix(result.URL, "-1001") {
		t.Errorf("second: %+v", result)
	}
	requireRequests(t, server, "GET /user", list(1), edit(1001))

	if result = upserted(t, client, comment("two\n\n")); result.Action != Unchanged || !strings.HasSuffix(result.URL, "-1001") {
		t.Errorf("third: %+v", result)
	}
	requireRequests(t, server, "GET /user", list(1))

	want := []string{"github-actions[bot]: " + signedBy("two", "default")}
	if diff := cmp.Diff(want, bodies(server)); diff != "" {
		t.Errorf("comments (-want +got):\n%s", diff)
	}
}

func TestUntouchedWhenAnEditorChangedLineEnds(t *testing.T) {
	server := githubtest.New(t)
	server.AddComment(githubtest.WorkflowBot, strings.ReplaceAll(signedBy("a\nb", "default"), "\n", "\r\n")+"\r\n")
	client, _ := connect(t, server)
	if result := upserted(t, client, comment("a\nb")); result.Action != Unchanged {
		t.Errorf("%+v", result)
	}
}

func TestFoundAmongManyOverPages(t *testing.T) {
	for _, position := range []int{0, 99, 100, 199, 250} {
		t.Run(fmt.Sprint(position), func(t *testing.T) {
			server := githubtest.New(t)
			all := make([]githubtest.Comment, 251)
			for i := range all {
				all[i] = githubtest.Comment{Login: fmt.Sprintf("person-%d", i%9), Body: fmt.Sprintf("comment %d", i)}
			}
			all[position] = githubtest.Comment{Login: githubtest.WorkflowBot, Body: signedBy("old", "default")}
			ours := server.AddComments(all...) - int64(len(all)-1-position)
			client, _ := connect(t, server)
			if result := upserted(t, client, comment("new")); result.Action != Updated {
				t.Errorf("%+v", result)
			}
			requireRequests(t, server, "GET /user", list(1), list(2), list(3), edit(ours))
			if all := server.Comments(); len(all) != 251 || all[position].Body != signedBy("new", "default") {
				t.Errorf("%d comments, ours is %q", len(all), all[position].Body)
			}
		})
	}
}

// TestABusyPullRequest: 400 comments, of which three pages are of other instances of ours, and ours the last but one.
func TestABusyPullRequest(t *testing.T) {
	server := githubtest.New(t)
	var all []githubtest.Comment
	for i := range 400 {
		c := githubtest.Comment{Login: "mona", Body: fmt.Sprintf("comment %d", i)}
		if i >= 50 && i < 350 {
			c = githubtest.Comment{Login: githubtest.WorkflowBot, Body: signedBy("old", fmt.Sprintf("cluster-%d", i))}
		}
		all = append(all, c)
	}
	all[398] = githubtest.Comment{Login: githubtest.WorkflowBot, Body: signedBy("old", "cluster")}
	server.AddComments(all...)
	client, _ := connect(t, server)
	ours := comment("new")
	ours.Instance = "cluster"
	if result := upserted(t, client, ours); result.Action != Updated {
		t.Errorf("%+v", result)
	}
	if n := server.Writes(); n != 1 {
		t.Errorf("%d writes", n)
	}
	all[398].Body = signedBy("new", "cluster")
	for i, c := range server.Comments() {
		if c.Body != all[i].Body {
			t.Errorf("comment %d is %q, want %q", i, c.Body, all[i].Body)
		}
	}
	ours.Instance = "clus"
	if result := upserted(t, client, ours); result.Action != Created || len(server.Comments()) != 401 {
		t.Errorf("%+v", result)
	}
}

func TestCommentsOfOthersAreNotTouched(t *testing.T) {
	others := []string{
		"person: " + signedBy("a copy of the marker", "default"),
		"github-actions: " + signedBy("a person with the bot's name", "default"),
		"other-app[bot]: " + signedBy("another bot", "default"),
		"github-actions[bot]: " + signedBy("another instance", "staging"),
		"github-actions[bot]: <!-- routedelta instance=default -->\n\nthe marker is quoted, not at the end",
		"github-actions[bot]: of another tool",
	}
	server := githubtest.New(t)
	for _, other := range others {
		login, body, _ := strings.Cut(other, ": ")
		server.AddComment(login, body)
	}
	client, _ := connect(t, server)
	if result := upserted(t, client, comment("ours")); result.Action != Created {
		t.Errorf("%+v", result)
	}
	if result := upserted(t, client, comment("ours, again")); result.Action != Updated {
		t.Errorf("%+v", result)
	}
	want := append(others, "github-actions[bot]: "+signedBy("ours, again", "default"))
	if diff := cmp.Diff(want, bodies(server)); diff != "" {
		t.Errorf("comments (-want +got):\n%s", diff)
	}
}

func TestInstancesHaveACommentEach(t *testing.T) {
	server := githubtest.New(t)
	client, _ := connect(t, server)
	for _, instance := range []string{"prod", "staging", "prod"} {
		c := comment("of " + instance)
		c.Instance = instance
		upserted(t, client, c)
	}
	if n := len(server.Comments()); n != 2 {
		t.Errorf("%d comments, want 2", n)
	}
}

func TestOnlyUpdate(t *testing.T) {
	server := githubtest.New(t)
	client, _ := connect(t, server)
	nothing := comment("no request changes")
	nothing.OnlyUpdate = true
	if result := upserted(t, client, nothing); result.Action != Skipped || len(server.Comments()) != 0 {
		t.Errorf("without a comment: %+v", result)
	}
	upserted(t, client, comment("3 kinds of requests move"))
	if result := upserted(t, client, nothing); result.Action != Updated {
		t.Errorf("with a comment: %+v", result)
	}
}

func TestAuthors(t *testing.T) {
	for name, test := range map[string]struct {
		login  string
		mayAsk bool
		author string
	}{
		"a workflow's token": {githubtest.WorkflowBot, false, ""},
		"a person's token":   {"mona", true, ""},
		"an app, named":      {"our-app[bot]", false, "our-app[bot]"},
		"an app, not named":  {"our-app[bot]", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			server := githubtest.New(t)
			server.LogIn(test.login, test.mayAsk)
			client, _ := connect(t, server)
			for i := range 3 {
				c := comment(fmt.Sprint("run ", i))
				c.Author = test.author
				upserted(t, client, c)
			}
			want := []string{test.login + ": " + signedBy("run 2", "default")}
			if diff := cmp.Diff(want, bodies(server)); diff != "" {
				t.Errorf("comments (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRaces(t *testing.T) {
	theirs := signedBy("of a run that was faster", "default")
	t.Run("both create", func(t *testing.T) {
		server := githubtest.New(t)
		server.Script("POST", githubtest.Answer{Before: func() { server.AddComment(githubtest.WorkflowBot, theirs) }})
		client, _ := connect(t, server)
		if result := upserted(t, client, comment("ours")); result.Action != Updated || !strings.HasSuffix(result.URL, "-1001") {
			t.Errorf("%+v", result)
		}
		requireRequests(t, server, "GET /user", list(1), postURL, list(1), removal(1002), list(1), edit(1001))
	})
	t.Run("both create, ours is older", func(t *testing.T) {
		server := githubtest.New(t)
		server.Script("GET", githubtest.Answer{}, githubtest.Answer{}, githubtest.Answer{Before: func() { server.AddComment(githubtest.WorkflowBot, theirs) }})
		client, _ := connect(t, server)
		if result := upserted(t, client, comment("ours")); result.Action != Created {
			t.Errorf("%+v", result)
		}
		if n := len(server.Comments()); n != 2 {
			t.Errorf("%d comments: the run that made the second one removes it, not we", n)
		}
	})
	t.Run("duplicates of the past", func(t *testing.T) {
		server := githubtest.New(t)
		server.AddComment(githubtest.WorkflowBot, theirs)
		server.AddComment("person", theirs)
		server.AddComment(githubtest.WorkflowBot, theirs)
		client, _ := connect(t, server)
		upserted(t, client, comment("ours"))
		want := []string{"github-actions[bot]: " + signedBy("ours", "default"), "person: " + theirs}
		if diff := cmp.Diff(want, bodies(server)); diff != "" {
			t.Errorf("comments (-want +got):\n%s", diff)
		}
	})
	t.Run("removed while we looked", func(t *testing.T) {
		server := githubtest.New(t)
		id := server.AddComment(githubtest.WorkflowBot, theirs)
		server.Script("PATCH", githubtest.Answer{Before: func() { server.RemoveComment(id) }})
		client, _ := connect(t, server)
		if result := upserted(t, client, comment("ours")); result.Action != Created {
			t.Errorf("%+v", result)
		}
	})
	t.Run("a duplicate that is gone already", func(t *testing.T) {
		server := githubtest.New(t)
		server.AddComment(githubtest.WorkflowBot, theirs)
		id := server.AddComment(githubtest.WorkflowBot, theirs)
		server.Script("DELETE", githubtest.Answer{Before: func() { server.RemoveComment(id) }})
		client, _ := connect(t, server)
		if result := upserted(t, client, comment("ours")); result.Action != Updated {
			t.Errorf("%+v", result)
		}
	})
}

func TestRefusedBeforeItIsSent(t *testing.T) {
	server := githubtest.New(t)
	client, _ := connect(t, server)
	long := comment(strings.Repeat("ü", BodyLimit+1000))
	hostile := comment("x")
	hostile.Instance = "x --> <script>"
	for name, c := range map[string]posting{"too long": long, "a hostile instance": hostile} {
		if _, err := post(t.Context(), client, c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	requireRequests(t, server)
	upserted(t, client, comment(strings.Repeat("ü", BodyLimit))) // 131,000 bytes: runes are what counts
}

func TestCancelled(t *testing.T) {
	server := githubtest.New(t)
	client, _ := connect(t, server)
	ctx, cancel := context.WithCancel(t.Context())
	server.Script("GET", githubtest.Answer{Status: 502, Before: cancel})
	if _, err := post(ctx, client, comment("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("Upsert = %v, want context.Canceled", err)
	}
}
