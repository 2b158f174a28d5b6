package fake

import (
	"slices"
	"sync"
)

// State is what one world consists of, as the control API reads and writes it.
type State struct {
	// Repository is the one that exists, OWNER/NAME.
	Repository string `json:"repository"`
	// Tokens are those that the server takes.
	Tokens       map[string]Account `json:"tokens"`
	PullRequests []PullRequest      `json:"pullRequests"`
	Comments     []Comment          `json:"comments"`
	// Commits are those that the server has, each with its parents.
	Commits   map[string][]string `json:"commits"`
	CheckRuns []CheckRun          `json:"checkRuns"`
	// CommentLimit is how many characters a comment may have; 0 is GitHub's 65,536.
	CommentLimit int `json:"commentLimit"`
	// LastID is the number that the last new thing got.
	LastID int64 `json:"lastID"`
}

// Account is who a token belongs to.
type Account struct {
	Login string `json:"login"`
	// MayAsk: the token may ask for its own name. A person's may, that of a workflow run may not.
	MayAsk bool `json:"mayAsk"`
	// ReadOnly: all that writes is forbidden, as in the workflow runs of pull requests from forks.
	ReadOnly bool `json:"readOnly"`
}

// PullRequest is one of the repository.
type PullRequest struct {
	Number         int      `json:"number"`
	Closed         bool     `json:"closed"`
	HeadRepository string   `json:"headRepository"` // the repository itself if ""
	HeadRef        string   `json:"headRef"`
	Head           string   `json:"head"`
	BaseRef        string   `json:"baseRef"`
	Base           string   `json:"base"`
	Merge          string   `json:"merge"`
	Labels         []string `json:"labels"`
}

// Comment on a pull request.
type Comment struct {
	ID     int64  `json:"id"`
	Number int    `json:"number"`
	Login  string `json:"login"`
	Body   string `json:"body"`
	// Minimized is why the comment is folded, "" if it is not.
	Minimized string `json:"minimized"`
}

// CheckRun on a commit.
type CheckRun struct {
	ID          int64        `json:"id"`
	Name        string       `json:"name"`
	Head        string       `json:"head"`
	ExternalID  string       `json:"externalID"`
	DetailsURL  string       `json:"detailsURL"`
	Status      string       `json:"status"`
	Conclusion  string       `json:"conclusion"`
	Title       string       `json:"title"`
	Summary     string       `json:"summary"`
	Annotations []Annotation `json:"annotations"`
}

// Annotation of a check run, in GitHub's form.
type Annotation struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Level     string `json:"annotation_level"`
	Title     string `json:"title"`
	Message   string `json:"message"`
}

// world is a State with what happens in it.
type world struct {
	mu         sync.Mutex
	state      State
	requests   []string
	violations []string
	faults     map[string][]Fault
	holds      map[string]hold
}

func newWorld(state State) *world {
	return &world{state: state, faults: map[string][]Fault{}, holds: map[string]hold{}}
}

func (w *world) violated(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.violations = append(w.violations, what)
}

func (s *State) nextID() int64 {
	s.LastID++
	return s.LastID
}

func (s *State) pullRequest(number int) *PullRequest {
	i := slices.IndexFunc(s.PullRequests, func(p PullRequest) bool { return p.Number == number })
	if i < 0 {
		return nil
	}
	return &s.PullRequests[i]
}

func (s *State) headRepository(p PullRequest) string {
	if p.HeadRepository == "" {
		return s.Repository
	}
	return p.HeadRepository
}
