package githubtest

// State is what a world consists of; .ci/tools/github/fake/world.go explains it.
type State struct {
	Repository   string              `json:"repository"`
	Tokens       map[string]Account  `json:"tokens"`
	PullRequests []PullRequest       `json:"pullRequests"`
	Comments     []Comment           `json:"comments"`
	Commits      map[string][]string `json:"commits"`
	CheckRuns    []CheckRun          `json:"checkRuns"`
	CommentLimit int                 `json:"commentLimit"`
	LastID       int64               `json:"lastID"`
}

// Account is who a token belongs to.
type Account struct {
	Login    string `json:"login"`
	MayAsk   bool   `json:"mayAsk"`
	ReadOnly bool   `json:"readOnly"`
}

// PullRequest is one of the repository.
type PullRequest struct {
	Number         int      `json:"number"`
	Closed         bool     `json:"closed"`
	HeadRepository string   `json:"headRepository"`
	HeadRef        string   `json:"headRef"`
	Head           string   `json:"head"`
	BaseRef        string   `json:"baseRef"`
	Base           string   `json:"base"`
	Merge          string   `json:"merge"`
	Labels         []string `json:"labels"`
}

// Comment is a comment on a pull request.
type Comment struct {
	ID        int64  `json:"id"`
	Number    int    `json:"number"`
	Login     string `json:"login"`
	Body      string `json:"body"`
	Minimized string `json:"minimized"`
}

// CheckRun is one of a commit.
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

// Annotation of a check run.
type Annotation struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Level     string `json:"annotation_level"`
	Title     string `json:"title"`
	Message   string `json:"message"`
}

// fault is what happens to one request; .ci/tools/github/fake/fault.go explains it.
type fault struct {
	Request  string            `json:"request"`
	Status   int               `json:"status"`
	Header   map[string]string `json:"header"`
	Body     string            `json:"body"`
	Done     bool              `json:"done"`
	Reset    bool              `json:"reset"`
	Truncate bool              `json:"truncate"`
	Delay    int               `json:"delay"`
	Hold     string            `json:"hold"`
}
