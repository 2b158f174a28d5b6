package github

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxEvent bounds a payload. GitHub's own bound for webhooks is 25 MB ("Webhook events and payloads").
const maxEvent = 25 << 20

// Event is what started a workflow run, as far as it says which commits are to be compared. All of it is what GitHub says of what other
// people did: a branch may have any name.
type Event struct {
	// Name is GITHUB_EVENT_NAME.
	Name string
	// PullRequest is nil where the event is about none.
	PullRequest *PullRequest
	// Before and After are the commits of a push, or of a merge queue, as full SHAs; "" where the event has none. Before is NoCommit for a
	// branch that is new, After for one that is gone.
	Before, After string
	// Branch is what Before and After are on.
	Branch string
	// DefaultBranch of the repository.
	DefaultBranch string
}

// NoCommit stands in the event of a push for a branch that is not there.
const NoCommit = "0000000000000000000000000000000000000000"

// FromFork tells whether the event is a pull request from another repository. The token of its run can only read.
func (e Event) FromFork() bool {
	return e.PullRequest != nil && !strings.EqualFold(e.PullRequest.HeadRepository, e.PullRequest.BaseRepository)
}

// Number of the pull request, 0 for none.
func (e Event) Number() int {
	if e.PullRequest == nil {
		return 0
	}
	return e.PullRequest.Number
}

// payload is what is read of the JSON of all events.
type payload struct {
	PullRequest *struct {
		Number  int         `json:"number"`
		State   string      `json:"state"`
		Merge   string      `json:"merge_commit_sha"`
		HTMLURL string      `json:"html_url"`
		Base    payloadSide `json:"base"`
		Head    payloadSide `json:"head"`
	} `json:"pull_request"`
	Number     int    `json:"number"`
	Ref        string `json:"ref"`
	Before     string `json:"before"`
	After      string `json:"after"`
	MergeGroup *struct {
		BaseSHA string `json:"base_sha"`
		HeadSHA string `json:"head_sha"`
		BaseRef string `json:"base_ref"`
	} `json:"merge_group"`
	Repository struct {
		FullName      string `json:"full_name"`
		DefaultBranch string `json:"default_branch"`
	} `json:"repository"`
}

type payloadSide struct {
	Ref  string `json:"ref"`
	SHA  string `json:"sha"`
	Repo *struct {
		FullName string `json:"full_name"`
	} `json:"repo"`
}

func (s payloadSide) repository() string {
	if s.Repo == nil { // a fork that was deleted since
		return ""
	}
	return s.Repo.FullName
}

// readPayload reads the JSON of an event.
func readPayload(name string, file io.Reader, into any) error {
	text, err := io.ReadAll(io.LimitReader(file, maxEvent+1))
	if err == nil && len(text) > maxEvent {
		err = errors.New("it is too large for one")
	}
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fmt.Errorf("reading the event %q: %w", name, err)
	}
	return nil
}

// ReadEvent reads the file that GITHUB_EVENT_PATH names.
func ReadEvent(name string, file io.Reader) (Event, error) {
	var said payload
	if err := readPayload(name, file, &said); err != nil {
		return Event{}, err
	}
	event := Event{Name: name, DefaultBranch: said.Repository.DefaultBranch}
	switch {
	case said.PullRequest != nil:
		event.PullRequest = said.pullRequest()
	case said.MergeGroup != nil:
		event.Before, event.After = said.MergeGroup.BaseSHA, said.MergeGroup.HeadSHA
		event.Branch = strings.TrimPrefix(said.MergeGroup.BaseRef, "refs/heads/")
	default:
		event.Before, event.After = said.Before, said.After
		event.Branch = strings.TrimPrefix(said.Ref, "refs/heads/")
	}
	return event, nil
}

func (p payload) pullRequest() *PullRequest {
	pull := p.PullRequest
	found := &PullRequest{
		Number: pull.Number, Open: pull.State == "open", Merge: pull.Merge, URL: pull.HTMLURL,
		Head: pull.Head.SHA, HeadRef: pull.Head.Ref, HeadRepository: pull.Head.repository(),
		Base: pull.Base.SHA, BaseRef: pull.Base.Ref, BaseRepository: pull.Base.repository(),
	}
	if found.Number == 0 {
		found.Number = p.Number
	}
	if found.BaseRepository == "" {
		found.BaseRepository = p.Repository.FullName
	}
	return found
}
