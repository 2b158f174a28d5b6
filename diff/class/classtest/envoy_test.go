package classtest_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/class/classtest"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/plugin/envoy/judgetest"
)

const (
	// requestsInAll is the length of a run without ROUTEDELTA_REQUESTS.
	requestsInAll = 250_000
	// requestsPerPair is where loading two tables costs less than asking; half of them lie on the borders of classes.
	requestsPerPair = 320
	// pairsPerGroup are served by the same two Envoys, since starting one costs as much as some thousand requests.
	pairsPerGroup = 10
)

// TestTwoEnvoys holds three accounts of a change against each other: what two real Envoys answer, one with the table before
// and one with the table after; what the evaluator says of each; and what the classes say. Every request that changes is in
// exactly one class, and no other is in any.
//
// ROUTEDELTA_SEED reproduces a run, ROUTEDELTA_REQUESTS makes it longer; a group is the same in runs of any length, so
// -run 'TestTwoEnvoys/groups/7$' repeats the seventh alone.
func TestTwoEnvoys(t *testing.T) {
	envoytest.Binary(t) // or there is nothing to show
	seed, _ := envoytest.FuzzSettings(t)
	groups := (requestsWanted(t) + pairsPerGroup*requestsPerPair - 1) / (pairsPerGroup * requestsPerPair)
	t.Logf("seed %d", seed)
	tallies := make([]tally, groups)
	t.Run("groups", func(t *testing.T) {
		for g := range groups {
			tallies[g].of = dimensionCounts{}
			t.Run(strconv.Itoa(g), func(t *testing.T) {
				t.Parallel()
				runGroup(t, rand.New(rand.NewPCG(seed, uint64(g))), &tallies[g])
			})
		}
	})
	sum := tally{of: dimensionCounts{}}
	for _, one := range tallies {
		sum.add(one)
	}
	t.Log(sum.String())
	t.Log(sum.of.String())
	if !t.Failed() && sum.requests >= requestsInAll {
		sum.requireCoverage(t)
	}
}

func requestsWanted(t *testing.T) int {
	text := os.Getenv("ROUTEDELTA_REQUESTS")
	if text == "" {
		return requestsInAll
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("ROUTEDELTA_REQUESTS is %q", text)
	}
	return n
}

// runGroup starts two Envoys with options and shows them one pair of tables after the other.
func runGroup(t *testing.T, random *rand.Rand, counts *tally) {
	places := randomPlaces(random)
	oracles := [2]*envoytest.Oracle{}
	for side := range oracles {
		oracles[side] = envoytest.StartOracle(t, places[side].Oracle())
	}
	for range pairsPerGroup {
		p := newPair(t, random, places)
		requests := p.requests(random)
		for side, oracle := range oracles {
			if err := oracle.Load(p.configs[side]); err != nil {
				t.Fatal(err)
			}
			var err error
			if p.answers[side], err = oracle.Ask(judgetest.Wire(requests)); err != nil {
				t.Fatal(err)
			}
		}
		p.judge(t, requests, counts)
		if counts.mismatches > 5 {
			t.Fatal("too many mismatches")
		}
	}
}

// randomPlaces of the two sides. Their options are often those of our renderings, and mostly the same on both. In some places a free
// condition may hold; the filter that makes it hold is on both sides, or nothing would be decided.
func randomPlaces(random *rand.Rand) [2]judgetest.Place {
	before := tabletest.Rendered()
	if random.IntN(3) > 0 {
		before = tabletest.RandomWideOptions(random, 8080)
	}
	after := before
	if random.IntN(5) == 0 {
		after = tabletest.RandomWideOptions(random, 8080)
	}
	state, metadata := random.IntN(3) == 0, random.IntN(3) == 0
	tunnels := metadata || random.IntN(4) > 0
	return [2]judgetest.Place{
		{Options: before, Tunnels: tunnels, State: state, Metadata: metadata},
		{Options: after, Tunnels: tunnels, State: state, Metadata: metadata},
	}
}

// pair is two tables, their difference, and what two Envoys answer.
type pair struct {
	configs    [2]*routev3.RouteConfiguration
	tables     [2]*table.Table
	evaluators [2]*table.Evaluator
	result     *class.Result
	// place of the table before; what it says of free conditions holds after too.
	place judgetest.Place
	// plain: request classes decide about all requests.
	plain   bool
	answers [2][]envoytest.Answer
}

func newPair(t *testing.T, random *rand.Rand, places [2]judgetest.Place) *pair {
	p := &pair{place: places[0]}
	dimensions := tabletest.Wide()
	if random.IntN(2) == 0 { // else hardly a request may be undecided
		dimensions = tabletest.Widest()
	}
	dimensions.Free = places[0].Free()
	before := tabletest.RandomWideTable(random, places[0].Options, dimensions)
	after := tabletest.EditWide(random, before, dimensions)
	if random.IntN(10) == 0 {
		after = tabletest.RandomWideTable(random, places[1].Options, dimensions)
	}
	seed := random.Uint64()
	for side, made := range []*table.Table{before, after} {
		made.Options = places[side].Options
		p.configs[side] = tabletest.RouteConfiguration(made)
		judgetest.Decorate(seed, made, p.configs[side])
		var err error
		if p.tables[side], err = judgetest.Read(p.configs[side], places[side]); err != nil {
			t.Fatal(err)
		}
		p.evaluators[side] = table.Compile(p.tables[side])
	}
	var err error
	if p.result, err = class.Compare(context.Background(), p.tables[0], p.tables[1], class.Limits{}); err != nil {
		t.Fatal(err)
	}
	p.plain = p.isPlain()
	return p
}

// requests are drawn on the borders of the classes and near the literals of the tables, over both protocols.
func (p *pair) requests(random *rand.Rand) []table.Request {
	requests := classtest.Borders(random, requestsPerPair/2, p.result)
	near := tabletest.Requests(random, requestsPerPair-len(requests), p.tables[:]...)
	for i := range near {
		if random.IntN(8) == 0 {
			near[i].Headers = append(near[i].Headers, decorations[random.IntN(len(decorations))])
		}
		if random.IntN(3) == 0 {
			near[i] = tabletest.OverHTTP2(near[i])
		}
	}
	requests = append(requests, near...)
	for i := range requests {
		if p.place.Metadata && random.IntN(2) == 0 {
			requests[i].Headers = append(requests[i].Headers, table.Field{Name: judgetest.MetadataHeader, Value: "on"})
		}
	}
	p.place.Hold(requests)
	return requests
}

// decorations are headers that judgetest.Decorate puts into conditions.
var decorations = []table.Field{
	{Name: "content-type", Value: "application/grpc"}, {Name: "content-type", Value: "application/grpc+proto"},
	{Name: "content-type", Value: "application/grpc-web"}, {Name: "content-type", Value: "application/grpc;x"},
	{Name: "content-type", Value: ""}, {Name: "x-forwarded-proto", Value: "https"}, {Name: "x-forwarded-proto", Value: "HTTPS"},
	{Name: "x-envoy-internal", Value: "true"}, {Name: "x-envoy-retry-on", Value: "5xx"}, {Name: "x-request-id", Value: "1"},
	{Name: "x-forwarded-client-cert", Value: "By=a"}, {Name: judgetest.MetadataHeader, Value: "off"},
}
