package github

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

func checkOf(summary string, annotations ...Annotation) CheckRun {
	return CheckRun{Conclusion: Failure, Title: "1 kind of request loses its backend", Summary: func(int) string { return summary }, Annotations: annotations}
}

// remarks are annotations on lines from, from+1, ...
func remarks(from, n int) []Annotation {
	var all []Annotation
	for i := range n {
		all = append(all, Annotation{Path: "routes/shop.yaml", StartLine: from + i, EndLine: from + i, Level: LevelWarning, Title: "moves", Message: fmt.Sprintf("line %d", from+i)})
	}
	return all
}

func checked(t *testing.T, client *Client, check CheckRun) Result {
	t.Helper()
	result, err := UpsertCheckRun(t.Context(), client, by(githubtest.Head, 10, "").Place, check)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// lines are the lines of the annotations that a check run shows.
func lines(run githubtest.CheckRun) []int {
	var all []int
	for _, a := range run.Annotations {
		all = append(all, a.StartLine)
	}
	slices.Sort(all)
	return all
}

func upTo(from, n int) []int {
	var all []int
	for i := range n {
		all = append(all, from+i)
	}
	return all
}

func TestCheckRun(t *testing.T) {
	server := githubtest.New(t)
	client, _ := connect(t, server)
	if result := checked(t, client, checkOf("one", remarks(1, 120)...)); result.Action != Created || !strings.HasPrefix(result.URL, "https://") {
		t.Errorf("%+v", result)
	}
	if n := server.Writes(); n != 3 {
		t.Errorf("%d requests for 120 annotations, 50 at once", n)
	}
	want := githubtest.CheckRun{ID: 1001, Name: "routedelta", Head: githubtest.Head, ExternalID: "routedelta:default", Status: "completed", Conclusion: "failure",
		Title: "1 kind of request loses its backend", Summary: "one"}
	shown := server.State().CheckRuns
	if len(shown) != 1 || !slices.Equal(lines(shown[0]), upTo(1, 120)) {
		t.Fatalf("%+v", shown)
	}
	shown[0].Annotations = nil
	if diff := cmp.Diff(want, shown[0]); diff != "" {
		t.Error(diff)
	}

	// Again for the same commit.
	if result := checked(t, client, checkOf("one", remarks(1, 120)...)); result.Action != Unchanged || server.Writes() != 0 {
		t.Errorf("the same: %+v", result)
	}
	mended := checkOf("two", remarks(1, 130)...)
	mended.Conclusion = Success
	if result := checked(t, client, mended); result.Action != Updated || server.Writes() != 1 {
		t.Errorf("more: %+v", result)
	}
	if shown := server.State().CheckRuns; len(shown) != 1 || !slices.Equal(lines(shown[0]), upTo(1, 130)) || shown[0].Conclusion != "success" || shown[0].Summary != "two" {
		t.Errorf("%+v", shown)
	}
	// GitHub cannot take annotations away: a new check run of the same name takes the place.
	if result := checked(t, client, checkOf("three", remarks(5, 3)...)); result.Action != Created {
		t.Errorf("fewer: %+v", result)
	}
	if shown := server.State().CheckRuns; len(shown) != 2 || !slices.Equal(lines(shown[1]), upTo(5, 3)) {
		t.Errorf("%+v", shown)
	}
	server.Requests()
	if result := checked(t, client, checkOf("three", remarks(5, 3)...)); result.Action != Unchanged || server.Writes() != 0 {
		t.Errorf("the newest one is not looked at: %+v", result)
	}
}

// TestCheckRunSurvives: no annotation is lost, and none doubled, whatever request fails.
func TestCheckRunSurvives(t *testing.T) {
	for name, lost := range map[string]githubtest.Answer{
		"502": {Status: 502}, "502, but done": {Status: 502, Done: true}, "reset": {Reset: true}, "reset, but done": {Reset: true, Done: true},
		"broken off": {Truncate: true}, "429": {Status: 429, Header: map[string]string{"Retry-After": "1"}},
	} {
		for _, request := range []string{"POST", "PATCH"} {
			t.Run(request+" "+name, func(t *testing.T) {
				server := githubtest.New(t)
				client, _ := connect(t, server)
				server.Script(request, lost)
				if result := checked(t, client, checkOf("x", remarks(1, 120)...)); result.Action != Created {
					t.Errorf("%+v", result)
				}
				if shown := server.State().CheckRuns; len(shown) != 1 || !slices.Equal(lines(shown[0]), upTo(1, 120)) {
					t.Errorf("%d check runs; lines %v", len(shown), lines(shown[0]))
				}
			})
		}
	}
}

func TestCheckRunsOfInstances(t *testing.T) {
	server := githubtest.New(t)
	client, _ := connect(t, server)
	place := by(githubtest.Head, 10, "").Place
	for _, instance := range []string{"prod", "staging", "prod"} {
		place.Instance = instance
		if _, err := UpsertCheckRun(t.Context(), client, place, checkOf("x")); err != nil {
			t.Fatal(err)
		}
	}
	shown := server.State().CheckRuns
	if len(shown) != 2 || shown[0].Name != "routedelta (prod)" || shown[1].Name != "routedelta (staging)" {
		t.Errorf("%+v", shown)
	}
}

func TestCheckRunRefused(t *testing.T) {
	server := githubtest.New(t)
	client, _ := connect(t, server)
	if _, err := UpsertCheckRun(t.Context(), client, comment("").Place, checkOf("x")); err == nil {
		t.Error("without a commit")
	}
	_, err := UpsertCheckRun(t.Context(), client, by(githubtest.Commit(8), 1, "").Place, checkOf("x"))
	requireKind(t, err, Invalid, "No commit found")

	// GitHub counts otherwise than it says at times.
	server.Script("POST", githubtest.Answer{Status: 422, Body: `{"message":"Validation Failed","errors":[{"field":"summary","message":"Summary is too long"}]}`})
	tiers := checkOf("")
	tiers.Summary = func(limit int) string { return strings.Repeat("x", limit) }
	if result := checked(t, client, tiers); result.Action != Created {
		t.Errorf("%+v", result)
	}
	if n := len(server.State().CheckRuns[0].Summary); n != SummaryLimit/2 {
		t.Errorf("a summary of %d", n)
	}
}
