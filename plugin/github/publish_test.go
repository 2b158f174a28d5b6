package github

import (
	"errors"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

func publicationOf(text string) Publication {
	place := by(githubtest.Head, 10, text)
	check := checkOf(text, remarks(1, 3)...)
	return Publication{Place: place.Place, Comment: &place.Comment, CheckRun: &check, Labels: &Labels{Add: []string{"routes"}}}
}

func TestPublish(t *testing.T) {
	server := githubtest.New(t)
	client, _ := connect(t, server)
	published := Publish(t.Context(), client, publicationOf("x"))
	if published.Err() != nil || published.Comment.Action != Created || published.CheckRun.Action != Created || published.Labels.Action != Updated {
		t.Errorf("%+v", published)
	}
	published = Publish(t.Context(), client, publicationOf("x"))
	if published.Err() != nil || published.Comment.Action != Unchanged || published.CheckRun.Action != Unchanged || published.Labels.Action != Unchanged {
		t.Errorf("again: %+v", published)
	}
}

// TestPublishOutside: a run that is about no pull request has a check run alone.
func TestPublishOutside(t *testing.T) {
	server := githubtest.New(t)
	client, _ := connect(t, server)
	publication := publicationOf("x")
	publication.Place.Number = 0
	published := Publish(t.Context(), client, publication)
	if published.Err() != nil || published.Comment != (Outcome{}) || published.CheckRun.Action != Created || published.Labels != (Outcome{}) {
		t.Errorf("%+v", published)
	}
}

// TestPublishOfAFork: with a token that can only read, nothing is written, and the caller is told so, to do something else.
func TestPublishOfAFork(t *testing.T) {
	server := githubtest.New(t)
	client, err := NewClient(githubtest.ForkToken, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	published := Publish(t.Context(), client, publicationOf("x"))
	if !published.Forbidden() || published.Err() == nil || !IsKind(published.Labels.Err, Forbidden) {
		t.Errorf("%+v", published)
	}
	if strings.Contains(published.Err().Error(), githubtest.ForkToken) {
		t.Error("the token is in the error")
	}
	if state := server.State(); len(state.Comments)+len(state.CheckRuns) != 0 {
		t.Errorf("%+v", state)
	}
}

// TestPublishInPart: one part that fails keeps no other from being published.
func TestPublishInPart(t *testing.T) {
	server := githubtest.New(t)
	server.Script("POST /repos/acme/gitops/issues/7/comments", githubtest.Answer{Status: 403, Body: `{"message":"Resource not accessible by integration"}`})
	server.Script("POST /repos/acme/gitops/issues/7/labels", githubtest.Answer{Status: 404, Body: `{"message":"Not Found"}`})
	client, _ := connect(t, server)
	published := Publish(t.Context(), client, publicationOf("x"))
	if !published.Forbidden() || published.CheckRun.Action != Created || !IsKind(published.Labels.Err, NotFound) {
		t.Errorf("%+v", published)
	}
	server.Script("GET /user", githubtest.Answer{Status: 401, Body: `{"message":"Bad credentials"}`})
	if published := Publish(t.Context(), client, publicationOf("x")); published.Forbidden() || !IsKind(published.Err(), Unauthorized) {
		t.Errorf("%+v", published)
	}
}

// TestNamesLeadNowhere: what would lead to another address of the API is refused before it is sent.
func TestNamesLeadNowhere(t *testing.T) {
	server := githubtest.New(t)
	client, _ := connect(t, server)
	for _, change := range []func(*Place){
		func(p *Place) { p.Owner = ".." }, func(p *Place) { p.Repository = "gitops/../other" }, func(p *Place) { p.Repository = "a?b" },
		func(p *Place) { p.Owner = "" }, func(p *Place) { p.Run.Head = "main" }, func(p *Place) { p.Run.Head = "../../../user" },
	} {
		publication := publicationOf("x")
		change(&publication.Place)
		published := Publish(t.Context(), client, publication)
		if published.Comment.Err == nil || published.CheckRun.Err == nil || published.Labels.Err == nil {
			t.Errorf("%+v: %+v", publication.Place, published)
		}
		var failure *Error
		if errors.As(published.Err(), &failure) {
			t.Errorf("it was sent: %v", failure)
		}
	}
	requireRequests(t, server)
}
