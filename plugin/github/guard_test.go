package github

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// by is a comment of a run that compared a commit.
func by(commit string, run int64, text string) posting {
	c := comment(text)
	c.Run = Run{Head: commit, ID: run, Attempt: 1}
	return c
}

// written is what a comment of a run looks like.
func written(t *testing.T, commit string, run int64, text string) string {
	t.Helper()
	body, err := signed(text, marker{instance: "default", run: Run{Head: commit, ID: run, Attempt: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// TestOlderRuns: which of two runs is right, however late it finishes. The commits of the pull request are
//
//	main ── 1 ── 2 ── 3      as it is now at 3, or
//	     └─ 4 ── 5           after a rebase, at 5
func TestOlderRuns(t *testing.T) {
	commit := githubtest.Commit
	for name, test := range map[string]struct {
		now    int   // the commit that the pull request is at
		there  int   // the commit that the comment is about, 0 without a comment
		run    int64 // of the comment
		ours   posting
		action Action
	}{
		"the newest commit, no comment":                {3, 0, 0, by(commit(3), 30, "ours"), Created},
		"the newest commit, an older one's comment":    {3, 1, 10, by(commit(3), 30, "ours"), Updated},
		"an older commit, the newest one's comment":    {3, 3, 30, by(commit(1), 10, "ours"), Outdated},
		"an older commit, no comment":                  {3, 0, 0, by(commit(1), 10, "ours"), Outdated},
		"an older commit, a descendant's comment":      {3, 2, 20, by(commit(1), 10, "ours"), Outdated},
		"a commit between, an ancestor's comment":      {3, 1, 10, by(commit(2), 20, "ours"), Updated},
		"between, an ancestor's comment by a late run": {3, 1, 99, by(commit(2), 20, "ours"), Updated},
		"before a rebase, after which is a comment":    {5, 4, 40, by(commit(3), 30, "ours"), Outdated},
		"after a rebase, before which is a comment":    {5, 3, 30, by(commit(5), 50, "ours"), Updated},
		"after a rebase, an earlier one after it":      {5, 3, 30, by(commit(4), 40, "ours"), Updated},
		"a commit that was pushed away":                {3, 9, 30, by(commit(2), 20, "ours"), Outdated},
		"the same commit, an earlier run":              {3, 3, 20, by(commit(3), 30, "ours"), Updated},
		"the same commit, a later run":                 {3, 3, 40, by(commit(3), 30, "ours"), Outdated},
		"the same older commit, an earlier run":        {3, 2, 20, by(commit(2), 30, "ours"), Updated},
		"a comment of a version that does not say":     {3, 0, -1, by(commit(2), 20, "ours"), Updated},
	} {
		t.Run(name, func(t *testing.T) {
			server := githubtest.New(t)
			server.Change(func(s *githubtest.State) {
				for child, parent := range map[int]int{2: 1, 3: 2, 4: 0, 5: 4} {
					s.Commits[commit(child)] = []string{commit(parent)}
				}
				s.PullRequests[0].Head = commit(test.now)
			})
			switch {
			case test.there > 0:
				server.AddComment(githubtest.WorkflowBot, written(t, commit(test.there), test.run, "theirs"))
			case test.run < 0:
				server.AddComment(githubtest.WorkflowBot, signedBy("theirs", "default"))
			}
			client, _ := connect(t, server)
			result := upserted(t, client, test.ours)
			if result.Action != test.action {
				t.Errorf("%+v, want %s", result, test.action)
			}
			all := server.Comments()
			switch {
			case test.action != Outdated && (len(all) != 1 || !strings.HasPrefix(all[0].Body, "ours\n")):
				t.Errorf("comments %+v", all)
			case test.action == Outdated && len(all) > 0 && !strings.HasPrefix(all[0].Body, "theirs\n"):
				t.Errorf("overwritten: %+v", all)
			}
		})
	}
}

// TestTwoRunsAtOnce: while one run waits for GitHub, a commit is pushed and its run comments.
func TestTwoRunsAtOnce(t *testing.T) {
	first, second := githubtest.Head, githubtest.Commit(2)
	newer := func(t *testing.T, server *githubtest.Server) func() {
		return func() {
			server.Push(second, first)
			client, _ := connect(t, server)
			if result, err := post(t.Context(), client, by(second, 20, "of the newer commit")); err != nil || result.Action == Outdated {
				t.Errorf("the newer run: %+v, %v", result, err)
			}
		}
	}
	// The request that waits is refused, or its answer is lost: what the other run wrote stands.
	for name, last := range map[string]githubtest.Answer{
		"limited":     {Status: 429, Header: map[string]string{"Retry-After": "7"}},
		"bad gateway": {Status: 502},
		"reset":       {Reset: true},
	} {
		t.Run("update, "+name, func(t *testing.T) {
			server := githubtest.New(t)
			server.AddComment(githubtest.WorkflowBot, written(t, first, 5, "before"))
			last.Before = newer(t, server)
			server.Script("PATCH", last)
			client, _ := connect(t, server)
			if result := upserted(t, client, by(first, 10, "of the older commit")); result.Action != Outdated {
				t.Errorf("%+v", result)
			}
			requireOnly(t, server, "of the newer commit")
		})
		t.Run("create, "+name, func(t *testing.T) {
			server := githubtest.New(t)
			last.Before = newer(t, server)
			server.Script("POST", last)
			client, _ := connect(t, server)
			if result := upserted(t, client, by(first, 10, "of the older commit")); result.Action != Outdated {
				t.Errorf("%+v", result)
			}
			requireOnly(t, server, "of the newer commit")
		})
	}
	t.Run("both create", func(t *testing.T) {
		server := githubtest.New(t)
		server.Script("POST", githubtest.Answer{Before: newer(t, server)})
		client, _ := connect(t, server)
		if result := upserted(t, client, by(first, 10, "of the older commit")); result.Action != Outdated {
			t.Errorf("%+v", result)
		}
		requireOnly(t, server, "of the newer commit")
	})
	t.Run("both create, the older run's first", func(t *testing.T) {
		server := githubtest.New(t)
		server.Script("POST", githubtest.Answer{}) // the older run's, as usual
		client, _ := connect(t, server)
		server.Script("GET "+strings.TrimPrefix(strings.Split(list(1), "?")[0], "GET "), githubtest.Answer{}, githubtest.Answer{Before: newer(t, server)})
		if result := upserted(t, client, by(first, 10, "of the older commit")); result.Action != Created {
			t.Errorf("%+v", result)
		}
		requireOnly(t, server, "of the newer commit")
	})
}

// TestManyRunsAtOnce: however many runs for however many commits comment at the same time, one comment is left. It is not that of a run
// whose commit was left behind before any of them began.
func TestManyRunsAtOnce(t *testing.T) {
	server := githubtest.New(t)
	server.Push(githubtest.Commit(2), githubtest.Head)
	var runs sync.WaitGroup
	for i := range 24 {
		client, _ := connect(t, server)
		runs.Go(func() {
			commit := githubtest.Commit(2 - i%2) // the newest, and the one before
			if _, err := post(t.Context(), client, by(commit, int64(100+i), fmt.Sprintf("run %d of %s", i, commit))); err != nil {
				t.Error(err)
			}
		})
	}
	runs.Wait()
	all := server.Comments()
	if len(all) != 1 || !strings.Contains(strings.SplitN(all[0].Body, "\n", 2)[0], githubtest.Commit(2)) {
		t.Errorf("comments %+v", all)
	}
}

func requireOnly(t *testing.T, server *githubtest.Server, text string) {
	t.Helper()
	if all := server.Comments(); len(all) != 1 || !strings.HasPrefix(all[0].Body, text+"\n") {
		t.Errorf("comments %+v, want %q alone", all, text)
	}
}

// TestSameCommitAgain: a run that is started again for the same commit and finds the same writes nothing.
func TestSameCommitAgain(t *testing.T) {
	server := githubtest.New(t)
	client, _ := connect(t, server)
	upserted(t, client, by(githubtest.Head, 10, "ours"))
	server.Requests()
	if result := upserted(t, client, by(githubtest.Head, 11, "ours")); result.Action != Unchanged || server.Writes() != 0 {
		t.Errorf("%+v", result)
	}
	server.Push(githubtest.Commit(2), githubtest.Head)
	if result := upserted(t, client, by(githubtest.Commit(2), 12, "ours")); result.Action != Updated {
		t.Errorf("a new commit with the same text is not noted in the marker: %+v", result)
	}
}

func TestMarkers(t *testing.T) {
	for _, m := range []marker{
		{instance: "default"},
		{instance: "prod/eu-1", run: Run{Head: githubtest.Head}},
		{instance: "a", run: Run{Head: strings.Repeat("f", 64), ID: 12345678901, Attempt: 3}, hidden: true},
		{instance: strings.Repeat("n", 63), run: Run{Head: strings.Repeat("f", 64), ID: 1 << 59, Attempt: 999999999}, hidden: true},
	} {
		body, err := signed("text", m)
		if err != nil {
			t.Fatal(err)
		}
		if got, text := split(body); got != m || text != "text" {
			t.Errorf("%q is read as %+v, %q", body, got, text)
		}
		if n := len("\n\n" + m.String()); n > markerRoom {
			t.Errorf("%d characters, more than %d", n, markerRoom)
		}
	}
	for _, other := range []string{"", "x", "<!-- routedelta instance=a --> x", "<!-- routedelta instance=a head=XYZ -->", "<!-- routedelta instance= -->",
		fmt.Sprintf("<!-- routedelta instance=a run=%s.1 -->", strings.Repeat("9", 30))} {
		if m, _ := split("text\n\n" + other); m.instance != "" {
			t.Errorf("%q is read as a marker: %+v", other, m)
		}
	}
}
