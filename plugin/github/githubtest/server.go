// Package githubtest is a GitHub for tests: a server in this process that keeps comments, pages through them, knows who
// writes, and can be told to fail.
//
// In come requests of the client under test; out go answers as GitHub gives them. Every request, and every answer of the server
// itself, is checked against GitHub's own description of its API (testdata/LICENSE says where it is from), so that the client is
// not tested against somebody's idea of GitHub.
package githubtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Token is the one that the server takes.
const Token = "ghs_TheTokenOfTheTest"

// WorkflowBot is who writes with the token of a workflow run.
const WorkflowBot = "github-actions[bot]"

// Repository and Number are the pull request that exists.
const (
	Repository = "acme/gitops"
	Number     = 7
)

// Server is a fake GitHub.
type Server struct {
	// URL is what GITHUB_API_URL would hold.
	URL string

	t        testing.TB
	contract *contract

	mu       sync.Mutex
	login    string // who the token writes as
	mayAsk   bool   // whether GET /user is allowed
	comments []Comment
	lastID   int64
	requests []string
	scripted map[string][]Answer
}

// Comment is a comment on the pull request.
type Comment struct {
	ID          int64
	Login, Body string
}

// Answer is given in place of the usual one.
type Answer struct {
	Status int
	Header map[string]string
	Body   string
	// Done: the request is carried out all the same, as when a proxy loses the answer.
	Done bool
	// Before is called before the request is carried out, with the server unlocked: somebody else does something.
	Before func()
}

// New starts a server whose token is that of a workflow run: it writes as WorkflowBot and may not ask for its name.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t, contract: newContract(t), login: WorkflowBot, scripted: map[string][]Answer{}, lastID: 1000}
	server := httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(server.Close)
	s.URL = server.URL + "/api/v3"
	return s
}

// LogIn makes the token one of a person or an app. mayAsk tells whether it may ask for its name; a person may, an app may not.
func (s *Server) LogIn(login string, mayAsk bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.login, s.mayAsk = login, mayAsk
}

// AddComment adds a comment of somebody and returns its ID.
func (s *Server) AddComment(login, body string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(login, body).ID
}

func (s *Server) add(login, body string) Comment {
	s.lastID++
	comment := Comment{ID: s.lastID, Login: login, Body: body}
	s.comments = append(s.comments, comment)
	return comment
}

// RemoveComment removes a comment.
func (s *Server) RemoveComment(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.comments = slices.DeleteFunc(s.comments, func(c Comment) bool { return c.ID == id })
}

// Comments are those that are there, oldest first.
func (s *Server) Comments() []Comment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.comments)
}

// Requests are those that came, as "METHOD path", and forgets them.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests := s.requests
	s.requests = nil
	return requests
}

// Script answers the next requests of a method ("GET", or "GET /user" for that path only) so.
func (s *Server) Script(request string, answers ...Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripted[request] = append(s.scripted[request], answers...)
}

func (s *Server) nextScripted(method, path string) (Answer, bool) {
	for _, key := range []string{method + " " + path, method} {
		if answers := s.scripted[key]; len(answers) > 0 {
			s.scripted[key] = answers[1:]
			return answers[0], true
		}
	}
	return Answer{}, false
}

// serve checks a request, carries it out, and checks the answer.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	r.URL.Path = strings.TrimPrefix(r.URL.Path, "/api/v3")
	checked, err := s.contract.request(r)
	if err != nil {
		s.t.Errorf("a request that GitHub does not know: %s %s: %v", r.Method, r.URL, err)
		http.Error(w, `{"message":"not in the description"}`, http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, r.Method+" "+r.URL.RequestURI())
	scripted, isScripted := s.nextScripted(r.Method, r.URL.Path)
	s.mu.Unlock()
	if scripted.Before != nil {
		scripted.Before()
	}
	a := Answer{Status: scripted.Status, Header: scripted.Header, Body: scripted.Body}
	if !isScripted || scripted.Status == 0 || scripted.Done {
		usual := s.answer(r)
		if err := s.contract.answer(checked, usual); err != nil {
			s.t.Errorf("the fake answers %s %s as GitHub would not: %v", r.Method, r.URL, err)
		}
		if scripted.Status == 0 {
			a = usual
		}
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	for name, value := range a.Header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(a.Status)
	_, _ = w.Write([]byte(a.Body))
}

// answer carries a request out.
func (s *Server) answer(r *http.Request) Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	comments := fmt.Sprintf("/repos/%s/issues/%d/comments", Repository, Number)
	id, isComment := strings.CutPrefix(r.URL.Path, "/repos/"+Repository+"/issues/comments/")
	switch {
	case r.Header.Get("Authorization") != "Bearer "+Token:
		return refusal(http.StatusUnauthorized, "Bad credentials")
	case r.URL.Path == "/user" && !s.mayAsk:
		return refusal(http.StatusForbidden, "Resource not accessible by integration")
	case r.URL.Path == "/user":
		return encoded(http.StatusOK, person(s.login))
	case r.URL.Path == comments && r.Method == http.MethodGet:
		return s.page(r)
	case r.URL.Path == comments && r.Method == http.MethodPost:
		return encoded(http.StatusCreated, commentForm(s.add(s.login, bodyOf(r))))
	case isComment:
		return s.one(r, id)
	}
	return refusal(http.StatusNotFound, "Not Found")
}

// page is one page of the comments, with the Link header that leads to the next.
func (s *Server) page(r *http.Request) Answer {
	number, size := 1, 30
	if n, err := strconv.Atoi(r.URL.Query().Get("page")); err == nil {
		number = max(n, 1)
	}
	if n, err := strconv.Atoi(r.URL.Query().Get("per_page")); err == nil {
		size = min(n, 100)
	}
	start := min((number-1)*size, len(s.comments))
	end := min(start+size, len(s.comments))
	forms := []any{}
	for _, comment := range s.comments[start:end] {
		forms = append(forms, commentForm(comment))
	}
	answer := encoded(http.StatusOK, forms)
	if end < len(s.comments) {
		next := *r.URL
		query := next.Query()
		query.Set("page", strconv.Itoa(number+1))
		next.RawQuery = query.Encode()
		answer.Header = map[string]string{"Link": fmt.Sprintf(`<%s%s>; rel="next"`, s.URL, next.RequestURI())}
	}
	return answer
}

// one reads, changes or removes a comment.
func (s *Server) one(r *http.Request, id string) Answer {
	at := slices.IndexFunc(s.comments, func(c Comment) bool { return strconv.FormatInt(c.ID, 10) == id })
	switch {
	case at < 0:
		return refusal(http.StatusNotFound, "Not Found")
	case r.Method == http.MethodDelete:
		s.comments = slices.Delete(s.comments, at, at+1)
		return Answer{Status: http.StatusNoContent}
	case r.Method == http.MethodPatch:
		s.comments[at].Body = bodyOf(r)
	}
	return encoded(http.StatusOK, commentForm(s.comments[at]))
}

func bodyOf(r *http.Request) string {
	var request struct{ Body string }
	_ = json.NewDecoder(r.Body).Decode(&request) // checked against the description before
	return request.Body
}
