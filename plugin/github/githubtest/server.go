package githubtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// Token is the one that the server takes; ForkToken is one that can only read.
const (
	Token     = "ghs_TheTokenOfTheTest"
	ForkToken = "ghs_TheTokenOfAFork"
)

// WorkflowBot is who writes with the token of a workflow run.
const WorkflowBot = "github-actions[bot]"

// Repository and Number are the pull request that exists. Its branch is one commit ahead of main.
const (
	Repository = "acme/gitops"
	Number     = 7
)

// Main and Head are the commits that the repository begins with.
var (
	Main = Commit(0)
	Head = Commit(1)
)

// Commit is the SHA of a commit by a number.
func Commit(n int) string { return fmt.Sprintf("%07x%033x", 0xc000000+n, n) }

// Server is a world of the fake GitHub.
type Server struct {
	// URL is what GITHUB_API_URL would hold on a GitHub Enterprise Server, DotCom what it would hold on github.com.
	URL, DotCom string

	t       testing.TB
	control string
	holds   int
}

// Answer is given in place of the usual one.
type Answer struct {
	Status int
	Header map[string]string
	Body   string
	// Done: the request is carried out all the same, as when a proxy loses the answer.
	Done bool
	// Reset: the connection is reset in place of an answer. Truncate: the answer breaks off in its middle.
	Reset, Truncate bool
	Delay           time.Duration
	// Before is called before the request is carried out: somebody else does something.
	Before func()
}

// New makes a world whose token is that of a workflow run: it writes as WorkflowBot and may not ask for its name.
func New(t testing.TB) *Server {
	t.Helper()
	return NewWith(t, State{
		Repository:   Repository,
		Tokens:       map[string]Account{Token: {Login: WorkflowBot}, ForkToken: {Login: WorkflowBot, ReadOnly: true}},
		PullRequests: []PullRequest{{Number: Number, HeadRef: "feature", Head: Head, BaseRef: "main", Base: Main}},
		Commits:      map[string][]string{Main: nil, Head: {Main}},
		LastID:       1000,
	})
}

// NewWith makes a world of a state.
func NewWith(t testing.TB, state State) *Server {
	t.Helper()
	process, err := started()
	if err != nil {
		t.Fatal(err)
	}
	root := process.address
	s := &Server{t: t}
	var name string
	s.call(http.MethodPost, root+"/control/worlds", state, &name)
	s.control, s.DotCom = root+"/control/worlds/"+name, root+"/worlds/"+name
	s.URL = s.DotCom + "/api/v3"
	t.Cleanup(func() {
		var found []string
		s.call(http.MethodGet, s.control+"/violations", nil, &found)
		for _, violation := range found {
			t.Error(violation)
		}
	})
	return s
}

// call asks the control API.
func (s *Server) call(method, address string, sent, answer any) {
	s.t.Helper()
	body, err := json.Marshal(sent)
	if err != nil {
		s.t.Fatal(err)
	}
	request, err := http.NewRequest(method, address, bytes.NewReader(body)) //nolint:noctx // also after the end of the test
	if err != nil {
		s.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Errorf("the fake GitHub: %v", err)
		return
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		s.t.Errorf("the fake GitHub: %s %s: %s", method, address, response.Status)
	}
	if answer != nil {
		if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
			s.t.Errorf("the fake GitHub: %s %s: %v", method, address, err)
		}
	}
}

// State is what the world consists of now.
func (s *Server) State() State {
	s.t.Helper()
	var state State
	s.call(http.MethodGet, s.control, nil, &state)
	return state
}

// Change changes the state. No request may be under way, or one that is may be lost.
func (s *Server) Change(change func(*State)) {
	s.t.Helper()
	state := s.State()
	change(&state)
	s.call(http.MethodPut, s.control, state, nil)
}

// LogIn makes the token one of a person or an app. mayAsk tells whether it may ask for its name; a person may, an app may not.
func (s *Server) LogIn(login string, mayAsk bool) {
	s.t.Helper()
	s.Change(func(state *State) { state.Tokens[Token] = Account{Login: login, MayAsk: mayAsk} })
}

// AddComment adds a comment of somebody and returns its ID.
func (s *Server) AddComment(login, body string) int64 {
	s.t.Helper()
	return s.AddComments(Comment{Login: login, Body: body})
}

// AddComments adds comments to the pull request and returns the ID of the last one.
func (s *Server) AddComments(comments ...Comment) (id int64) {
	s.t.Helper()
	s.Change(func(state *State) {
		for _, comment := range comments {
			state.LastID++
			comment.ID, comment.Number = state.LastID, Number
			state.Comments = append(state.Comments, comment)
		}
		id = state.LastID
	})
	return id
}

// RemoveComment removes a comment.
func (s *Server) RemoveComment(id int64) {
	s.t.Helper()
	s.Change(func(state *State) {
		state.Comments = slices.DeleteFunc(state.Comments, func(c Comment) bool { return c.ID == id })
	})
}

// Push makes a commit, with its parents, the newest of the pull request.
func (s *Server) Push(commit string, parents ...string) {
	s.t.Helper()
	s.Change(func(state *State) {
		state.Commits[commit] = parents
		for i := range state.PullRequests {
			if state.PullRequests[i].Number == Number {
				state.PullRequests[i].Head = commit
			}
		}
	})
}

// Comments are those that are there, oldest first.
func (s *Server) Comments() []Comment {
	s.t.Helper()
	return s.State().Comments
}

// Requests are those that came, as "METHOD path", and forgets them.
func (s *Server) Requests() []string {
	s.t.Helper()
	var requests []string
	s.call(http.MethodDelete, s.control+"/requests", nil, &requests)
	if len(requests) == 0 {
		return nil
	}
	return requests
}

// Writes counts the requests that write, and forgets all.
func (s *Server) Writes() int {
	s.t.Helper()
	return len(slices.DeleteFunc(s.Requests(), func(r string) bool { return strings.HasPrefix(r, "GET ") }))
}

// Script answers the next requests of a method ("GET", or "GET /user" for that path only) so.
func (s *Server) Script(request string, answers ...Answer) {
	s.t.Helper()
	faults := make([]fault, len(answers))
	for i, a := range answers {
		faults[i] = fault{Request: request, Status: a.Status, Header: a.Header, Body: a.Body, Done: a.Done, Reset: a.Reset, Truncate: a.Truncate,
			Delay: int(a.Delay.Milliseconds())}
		if a.Before != nil {
			faults[i].Hold = s.before(a.Before)
		}
	}
	s.call(http.MethodPost, s.control+"/faults", faults, nil)
}

// before calls a function while a request is held by the name that is returned.
func (s *Server) before(do func()) string {
	s.holds++
	name := fmt.Sprint(s.holds)
	ctx := s.t.Context()
	go func() {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.control+"/held/"+name, nil)
		if err != nil {
			return
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return // the test ended before the request came
		}
		response.Body.Close()
		do()
		s.call(http.MethodPost, s.control+"/release/"+name, nil, nil)
	}()
	return name
}
