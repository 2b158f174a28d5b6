package github

import (
	"slices"
	"testing"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

func TestLabels(t *testing.T) {
	server := githubtest.New(t)
	server.Change(func(s *githubtest.State) { s.PullRequests[0].Labels = []string{"area/edge", "Routes: none", "a/b ?#%"} })
	client, _ := connect(t, server)
	place := by(githubtest.Head, 10, "").Place
	set := func(want Action, add, remove []string) {
		t.Helper()
		result, err := SetLabels(t.Context(), client, place, Labels{Add: add, Remove: remove})
		if err != nil || result.Action != want {
			t.Errorf("%+v, %v, want %s", result, err, want)
		}
	}
	set(Updated, []string{"routes: lost"}, []string{"routes: none", "a/b ?#%", "never there"})
	if labels := server.State().PullRequests[0].Labels; !slices.Equal(labels, []string{"area/edge", "routes: lost"}) {
		t.Errorf("labels %q", labels)
	}
	server.Requests()
	set(Unchanged, []string{"Routes: Lost"}, []string{"routes: none"})
	if n := server.Writes(); n != 0 {
		t.Errorf("%d writes", n)
	}
	server.Script("POST", githubtest.Answer{Status: 502, Done: true})
	set(Unchanged, []string{"routes: moves"}, nil) // the answer was lost, the label is there
	server.Script("DELETE", githubtest.Answer{Status: 502, Done: true})
	set(Updated, nil, []string{"routes: moves"})
	server.Push(githubtest.Commit(2), githubtest.Head)
	set(Outdated, nil, []string{"routes: lost"})
	if labels := server.State().PullRequests[0].Labels; !slices.Equal(labels, []string{"area/edge", "routes: lost"}) {
		t.Errorf("labels %q", labels)
	}
	for _, name := range []string{"", " ", ".", ".."} {
		if _, err := SetLabels(t.Context(), client, place, Labels{Remove: []string{name}}); err == nil {
			t.Errorf("the label %q is taken", name)
		}
	}
}
