package table

// OutcomeKind is what happens with a request in the end.
type OutcomeKind string

const (
	// ToBackends: forwarded to one of Backends.
	ToBackends OutcomeKind = "backend"
	// Redirected: answered with a location.
	Redirected OutcomeKind = "redirect"
	// Answered: answered by Envoy itself with Status.
	Answered OutcomeKind = "answer"
	// NoRoute: no virtual host or no rule took the request, 404.
	NoRoute OutcomeKind = "none"
	// Mixed: the number that Envoy draws decides between Parts, of which not all are ToBackends.
	Mixed OutcomeKind = "mixed"
)

// Outcome is what Envoy does with a request that a rule wins, with everything inherited from virtual host and route
// configuration folded in. Two outcomes are the same exactly when their Key is.
type Outcome struct {
	Kind OutcomeKind `json:"kind"`
	// Backends are the shares, merged where backend and treatment are equal, largest first, then by name; weights are reduced
	// by their common divisor and sum to Total. Zero weights are left out.
	Backends []Share `json:"backends,omitempty"`
	Total    uint64  `json:"total,omitempty"`
	// Draw is how Envoy finds the share: it takes the number that it draws for the request modulo the sum of these weights, and
	// counts through them. They are in the order of the file, with the weights of the file. That decides nothing by itself, only
	// together with a Chance that looks at the same number, so it is in no key of an outcome. Nil where it is as Backends is.
	Draw []Share `json:"-"`
	// Status of a redirect or an answer.
	Status uint32 `json:"status,omitempty"`
	// Location is a redirect as a readable template: "https://{host}/new{rest}".
	Location string `json:"location,omitempty"`
	// Treatment is everything that does not choose the backend: rewrite, headers, timeouts...; sorted by Name.
	Treatment []Treatment `json:"treatment,omitempty"`
	// Parts of a Mixed outcome, largest first, none of them Mixed. Their weights are reduced and sum to Total.
	Parts []Part `json:"parts,omitempty"`
}

// Part is one of several outcomes between which chance decides.
type Part struct {
	Outcome Outcome `json:"outcome"`
	Weight  uint64  `json:"weight"`
}

// Share is the part of the requests that one backend gets.
type Share struct {
	Backend Backend `json:"backend"`
	Weight  uint64  `json:"weight"`
	// Treatment is what happens on the way to this backend alone.
	Treatment []Treatment `json:"treatment,omitempty"`
}

// Backend is the identity of a backend that survives renames of routes, rules and clusters: the Service and port of the
// cluster's metadata where there is one, else the cluster's name.
type Backend struct {
	// Kind is "" for a Service, else the kind in lower case with its group: "backend.gateway.envoyproxy.io". It is "header" or
	// "plugin" where a header of the request or a plugin chooses the cluster.
	Kind      string `json:"kind,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Service   string `json:"service,omitempty"`
	Port      uint32 `json:"port,omitempty"`
	// Cluster is the name of a cluster that no metadata describes, or who chooses it: "{header x-cluster}".
	Cluster string `json:"cluster,omitempty"`
	// Status is set for a share that never reaches a backend: its cluster does not exist (500, 503).
	Status uint32 `json:"status,omitempty"`
}

// Variant names the treatment that tells two clusters of one backend apart.
const Variant = "variant"

// Treatment is one way in which a request is handled beside choosing its backend.
type Treatment struct {
	// Name is a short stable word: "timeout", "rewrite path", "rewrite host", "request header x-env"...
	Name string `json:"name"`
	// Value as a reader wants it: "15s", "/v2", "set canary".
	Value string `json:"value"`
}
