package tabletest

import (
	"math/rand/v2"
	"strings"
	"time"

	"github.com/routedelta/routedelta/diff/table"
)

// Clusters are the names of the clusters that the outcomes of random tables send requests to.
func Clusters() []string { return []string{"orders", "cart", "web"} }

// The redirects of random tables: all that EnvoyRoutes can turn back into Envoy's fields.
const (
	redirectHTTPS = "https://{host}{path}"
	redirectPath  = "/moved"
	redirectHost  = "{scheme}://new.example{path}"
)

// RandomOutcome draws an outcome from a small pool, so that different rules often do the same.
func RandomOutcome(r *rand.Rand) table.Outcome {
	switch r.IntN(10) {
	case 0:
		return table.Outcome{Kind: table.Redirected, Status: pick[uint32](r, 301, 302), Location: pick(r, redirectHTTPS, redirectPath, redirectHost)}
	case 1:
		return table.Outcome{Kind: table.Answered, Status: pick[uint32](r, 200, 500)}
	case 2:
		return split(r)
	}
	return table.Outcome{
		Kind: table.ToBackends, Total: 1, Treatment: timeout(r),
		Backends: []table.Share{{Backend: table.Backend{Cluster: pick(r, Clusters()...)}, Weight: 1}},
	}
}

// split sends nine tenths to one backend and a tenth to another.
func split(r *rand.Rand) table.Outcome {
	two := shuffled(r, Clusters())[:2]
	return table.Outcome{
		Kind: table.ToBackends, Total: 10, Treatment: timeout(r),
		Backends: []table.Share{
			{Backend: table.Backend{Cluster: two[0]}, Weight: 9},
			{Backend: table.Backend{Cluster: two[1]}, Weight: 1},
		},
	}
}

// headerKind is the Kind of a backend that a header names.
const headerKind = "header"

// clusterHeaders are the headers that name clusters: one for that alone, one that conditions look at, and one that Envoy keeps in
// one slot.
var clusterHeaders = []string{"x-cluster", "x-cluster", "x-env", "accept"}

// byHeader sends requests to the cluster that a header names, or one half of them. Where there is no such cluster the answer is 503 or
// another.
func byHeader(r *rand.Rand) table.Outcome {
	named := table.Share{Backend: table.Backend{Kind: headerKind, Cluster: "{header " + pick(r, clusterHeaders...) + "}"}, Weight: 1}
	o := table.Outcome{Kind: table.ToBackends, Total: 1, Backends: []table.Share{named}, Treatment: timeout(r)}
	if chance(r, 4) {
		o = table.Split(named, table.Share{Backend: table.Backend{Cluster: pick(r, Clusters()...)}, Weight: 1})
		o.Treatment = timeout(r)
	}
	if chance(r, 3) {
		o.Treatment = append([]table.Treatment{{Name: NotFoundTreatment, Value: pick(r, "404", "500")}}, o.Treatment...)
	}
	return o
}

// NotFoundTreatment is the name of the treatment of requests that name no cluster: the status of the answer, where it is not 503.
const NotFoundTreatment = "answer without such a cluster"

// NamedBy is the header that names a backend's cluster, "" for a backend that has one.
func NamedBy(b table.Backend) string {
	if b.Kind != headerKind {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(b.Cluster, "{header "), "}")
}

func timeout(r *rand.Rand) []table.Treatment {
	limit := 15 * time.Second
	if chance(r, 5) {
		limit = 5 * time.Second
	}
	return []table.Treatment{{Name: "timeout", Value: limit.String()}}
}
