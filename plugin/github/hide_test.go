package github

import (
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// clean is a comment that says that nothing changes.
func clean(commit string, run int64, when WhenClean) posting {
	c := by(commit, run, "no request changes")
	c.Clean, c.OnlyUpdate, c.WhenClean = true, true, when
	return c
}

// TestWhenClean: what becomes of a comment about changes when there are none any more, and then again some.
func TestWhenClean(t *testing.T) {
	first, second, third := githubtest.Head, githubtest.Commit(2), githubtest.Commit(3)
	for _, test := range []struct {
		when      WhenClean
		action    Action
		minimized string
		comments  int
		again     Action
	}{
		{"", Updated, "", 1, Updated},
		{UpdateClean, Updated, "", 1, Updated},
		{HideClean, Updated, "outdated", 1, Updated},
		{DeleteClean, Removed, "", 0, Created},
	} {
		for _, address := range []string{"GitHub Enterprise Server", "github.com"} {
			t.Run(string(test.when)+" on "+address, func(t *testing.T) {
				server := githubtest.New(t)
				if address == "github.com" {
					server.URL = server.DotCom
				}
				client, _ := connect(t, server)
				if result := upserted(t, client, clean(first, 5, test.when)); result.Action != Skipped {
					t.Errorf("nothing there: %+v", result)
				}
				upserted(t, client, by(first, 10, "2 move"))
				server.Push(second, first)
				if result := upserted(t, client, clean(second, 20, test.when)); result.Action != test.action || result.Warning != nil {
					t.Errorf("clean: %+v", result)
				}
				all := server.Comments()
				if len(all) != test.comments {
					t.Fatalf("comments %+v", all)
				}
				if len(all) > 0 && (all[0].Minimized != test.minimized || !strings.HasPrefix(all[0].Body, "no request changes\n")) {
					t.Errorf("comment %+v", all[0])
				}
				server.Push(third, second)
				if result := upserted(t, client, by(third, 30, "1 moves")); result.Action != test.again || result.Warning != nil {
					t.Errorf("news: %+v", result)
				}
				if all := server.Comments(); len(all) != 1 || all[0].Minimized != "" || !strings.HasPrefix(all[0].Body, "1 moves\n") {
					t.Errorf("comments %+v", all)
				}
			})
		}
	}
}

// TestHiddenByAPerson: what somebody else has folded stays so.
func TestHiddenByAPerson(t *testing.T) {
	server := githubtest.New(t)
	client, _ := connect(t, server)
	upserted(t, client, by(githubtest.Head, 10, "2 move"))
	server.Change(func(s *githubtest.State) { s.Comments[0].Minimized = "resolved" })
	upserted(t, client, by(githubtest.Head, 11, "3 move"))
	if all := server.Comments(); all[0].Minimized != "resolved" {
		t.Errorf("%+v", all)
	}
}

// TestHidingFails: the text is what counts, and a comment that could not be folded is a warning.
func TestHidingFails(t *testing.T) {
	for name, answers := range map[string][]githubtest.Answer{
		"forbidden":    {{Status: 200, Body: `{"data":null,"errors":[{"type":"FORBIDDEN","message":"Resource not accessible by integration"}]}`}},
		"unauthorized": {{Status: 401, Body: `{"message":"Bad credentials"}`}},
		"for ever":     {{Status: 502}, {Status: 502}, {Status: 502}, {Status: 502}},
	} {
		t.Run(name, func(t *testing.T) {
			server := githubtest.New(t)
			client, _ := connect(t, server)
			upserted(t, client, by(githubtest.Head, 10, "2 move"))
			server.Script("POST", answers...)
			if result := upserted(t, client, clean(githubtest.Head, 20, HideClean)); result.Action != Updated || result.Warning == nil ||
				!strings.Contains(result.Warning.Error(), "hiding the comment on acme/gitops#7") {
				t.Errorf("%+v", result)
			}
			requireOnly(t, server, "no request changes")
		})
	}
	t.Run("once", func(t *testing.T) {
		server := githubtest.New(t)
		client, _ := connect(t, server)
		upserted(t, client, by(githubtest.Head, 10, "2 move"))
		server.Script("POST", githubtest.Answer{Status: 502}, githubtest.Answer{Reset: true})
		if result := upserted(t, client, clean(githubtest.Head, 20, HideClean)); result.Warning != nil || server.Comments()[0].Minimized != "outdated" {
			t.Errorf("%+v", result)
		}
	})
	// The update is carried out, and its answer lost: the comment is folded all the same.
	t.Run("after a lost answer", func(t *testing.T) {
		server := githubtest.New(t)
		client, _ := connect(t, server)
		upserted(t, client, by(githubtest.Head, 10, "2 move"))
		server.Script("PATCH", githubtest.Answer{Status: 502, Done: true})
		if result := upserted(t, client, clean(githubtest.Head, 20, HideClean)); result.Action != Updated || server.Comments()[0].Minimized != "outdated" {
			t.Errorf("%+v", result)
		}
	})
}
