package table_test

import (
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/plugin/envoy/judgetest"
)

const (
	// Without ROUTEDELTA_FUZZTIME the run is as long as this; requestsPerTable is where loading a table costs about as much as
	// asking it.
	requestsInAll    = 24_000
	requestsPerTable = 200
	managers         = 6
)

// TestDifferentialEvaluatorAgainstEnvoy loads random tables into a real Envoy, under several connection managers, and holds
// its answer to each of many requests against the evaluator's. ROUTEDELTA_SEED reproduces a run, ROUTEDELTA_FUZZTIME (a
// duration) makes it longer.
func TestDifferentialEvaluatorAgainstEnvoy(t *testing.T) {
	envoytest.Binary(t) // or there is nothing to show
	seed, limit := envoytest.FuzzSettings(t)
	// As many Envoys run at once as there are processors, so each gets its part of the time.
	limit = limit * time.Duration(min(runtime.GOMAXPROCS(0), managers)) / managers
	t.Logf("seed %d", seed)
	tallies := make([]tally, managers)
	t.Run("managers", func(t *testing.T) {
		for m := range managers {
			random := rand.New(rand.NewPCG(seed, uint64(m)))
			options := tabletest.Rendered()
			if m > 0 {
				options = tabletest.RandomWideOptions(random, 8080)
			}
			t.Run(strconv.Itoa(m), func(t *testing.T) {
				t.Parallel()
				tallies[m].run(t, random, options, limit)
			})
		}
	})
	var sum tally
	for _, one := range tallies {
		sum.add(one)
	}
	t.Logf("%d tables, %d requests: %d won by a rule, %d by one of several, %d without route, %d answered before routing; %d mismatches",
		sum.tables, sum.requests, sum.won, sum.mixed, sum.lost, sum.refused, sum.mismatches)
	if !t.Failed() && (sum.requests < requestsInAll/2 || sum.won < sum.requests/4 || sum.mixed < sum.requests/40 || sum.lost == 0 || sum.refused == 0) {
		t.Errorf("the random requests do not cover what they are meant to: %+v", sum)
	}
}

type tally struct{ tables, requests, won, mixed, lost, refused, mismatches int }

func (c *tally) add(other tally) {
	c.tables += other.tables
	c.requests += other.requests
	c.won += other.won
	c.lost += other.lost
	c.mixed += other.mixed
	c.refused += other.refused
	c.mismatches += other.mismatches
}

// run asks one Envoy until the share of requests, or the time, is used up.
func (c *tally) run(t *testing.T, random *rand.Rand, options table.Options, limit time.Duration) {
	oracle := envoytest.StartOracle(t, judgetest.Place{Options: options, Tunnels: true}.Oracle())
	begin := time.Now()
	for c.requests < requestsInAll/managers || time.Since(begin) < limit {
		tested := tabletest.RandomWideTable(random, options, tabletest.Widest())
		if err := oracle.Load(tabletest.RouteConfiguration(tested)); err != nil {
			t.Fatal(err)
		}
		requests := tabletest.Requests(random, requestsPerTable, tested)
		for i := range requests {
			if i%3 == 0 {
				requests[i] = tabletest.OverHTTP2(requests[i])
			}
		}
		answers, err := oracle.Ask(judgetest.Wire(requests))
		if err != nil {
			t.Fatal(err)
		}
		c.compare(t, tested, requests, answers)
		c.tables++
		if c.mismatches > 10 {
			t.Fatal("too many mismatches")
		}
	}
}

func (c *tally) compare(t *testing.T, tested *table.Table, requests []table.Request, answers []envoytest.Answer) {
	evaluator := table.Compile(tested)
	for i, request := range requests {
		decision := evaluator.Evaluate(request)
		c.requests++
		switch {
		case !decision.Reached:
			c.refused++
		case len(decision.Chances) > 0:
			c.mixed++
		case decision.Rule < 0:
			c.lost++
		default:
			c.won++
		}
		if problem := judgetest.Disagreement(tested, request, decision, answers[i]); problem != "" {
			c.mismatches++
			t.Error(problem)
		}
	}
}
