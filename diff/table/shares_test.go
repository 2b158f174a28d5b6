package table_test

import (
	"math"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// inChain is a table of rules for any request, one behind the other.
func inChain(rules ...table.Rule) *table.Table {
	t := &table.Table{Routes: "chain", Options: tabletest.Rendered(), Hosts: []table.Host{{Name: "any", Domains: []string{"*"}, Rules: rules}}}
	t.Seal()
	return t
}

// taking is a rule for a part of the requests, all where numerator is denominator.
func taking(numerator, denominator uint32, shares ...table.Share) table.Rule {
	rule := table.Rule{Path: table.Path{Value: "/"}, Outcome: table.Split(shares...)}
	if numerator < denominator {
		rule.Chance = &table.Chance{Numerator: numerator, Denominator: denominator}
	}
	return rule
}

func weight(cluster string, weight uint64) table.Share {
	return table.Share{Backend: table.Backend{Cluster: cluster}, Weight: weight}
}

// TestDifferentialSharesOfChances: Envoy sends the requests that chances and weights decide about where the evaluator says, in
// these shares. Of 3,000 requests each share is held to six standard deviations: a right share fails once in 500 million.
func TestDifferentialSharesOfChances(t *testing.T) {
	t.Parallel()
	oracle := envoytest.StartOracle(t, envoytest.OracleOptions{Clusters: tabletest.Clusters()})
	for name, tested := range map[string]*table.Table{
		// The second rule takes nothing: its numbers are those of the first.
		"the same chance twice": inChain(taking(30, 100, weight("orders", 1)), taking(30, 100, weight("cart", 1)), taking(1, 1, weight("web", 1))),
		// Numbers below 50 are gone, and with them those of the first weight.
		"weights behind a half":    inChain(taking(50, 100, weight("orders", 1)), taking(1, 1, weight("cart", 50), weight("web", 50))),
		"weights in another order": inChain(taking(50, 100, weight("orders", 1)), taking(1, 1, weight("web", 30), weight("cart", 70))),
		"weights of a chance":      inChain(taking(40, 100, weight("orders", 30), weight("cart", 70)), taking(1, 1, weight("web", 1))),
		"sums without a divisor":   inChain(taking(2500, 10_000, weight("orders", 1)), taking(1, 1, weight("cart", 3), weight("web", 4))),
		"other denominators": inChain(taking(10, 100, weight("orders", 1)),
			taking(5000, 10_000, weight("cart", 2), weight("orders", 1)), taking(1, 1, weight("web", 1), weight("orders", 9))),
	} {
		if err := oracle.Load(tabletest.RouteConfiguration(tested)); err != nil {
			t.Fatal(err)
		}
		counts, want := clustersOf(t, oracle, 3000), sharesOf(tested)
		for _, cluster := range tabletest.Clusters() {
			n, p := 3000.0, want[cluster]
			if off := math.Abs(float64(counts[cluster]) - n*p); off > 6*math.Sqrt(n*p*(1-p)) {
				t.Errorf("%s: %d of %.0f requests to %s, want a share of %.3f", name, counts[cluster], n, cluster, p)
			}
		}
	}
}

// clustersOf counts where Envoy sends one request that is sent n times.
func clustersOf(t *testing.T, oracle *envoytest.Oracle, n int) map[string]int {
	t.Helper()
	requests := make([]envoytest.Request, n)
	for i := range requests {
		requests[i] = envoytest.Request{Method: "GET", Host: "h", Path: "/"}
	}
	answers, err := oracle.Ask(requests)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, answer := range answers {
		counts[answer.Cluster]++
	}
	return counts
}

func sharesOf(tested *table.Table) map[string]float64 {
	outcome := tested.Evaluate(get()).Outcome
	shares := map[string]float64{}
	for _, s := range outcome.ByBackend() {
		shares[s.Backend.Cluster] = float64(s.Weight) / float64(outcome.Total)
	}
	return shares
}
