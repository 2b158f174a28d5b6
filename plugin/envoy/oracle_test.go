package envoy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

const (
	// Without ROUTEDELTA_FUZZTIME the run is as long as this.
	batches         = 5
	worldsPerBatch  = 60
	requestsPerDoor = 14
	// maxReports bounds what is shrunk and printed.
	maxReports = 3
)

// TestRenderingAgainstSpecification renders random worlds, serves them with a real Envoy, and holds the answer to each of many
// requests against the specification. ROUTEDELTA_SEED reproduces a run, ROUTEDELTA_FUZZTIME (a duration) makes it longer.
func TestRenderingAgainstSpecification(t *testing.T) {
	seed, limit := envoytest.FuzzSettings(t)
	t.Logf("seed %d", seed)
	begin := time.Now()
	sum := newTally()
	for batch := 0; batch < batches || time.Since(begin) < limit; batch++ {
		t.Run(fmt.Sprint("batch-", batch), func(t *testing.T) {
			compareBatch(t, rand.New(rand.NewPCG(seed, uint64(batch))), sum)
		})
	}
	t.Log(sum)
	if !t.Failed() {
		sum.requireCoverage(t)
	}
}

func compareBatch(t *testing.T, random *rand.Rand, sum *oracleTally) {
	m := maker{Rand: random}
	var worlds []*world
	for range worldsPerBatch {
		worlds = append(worlds, newWorld(random))
	}
	served := serve(t, worlds)
	for i, w := range worlds {
		sum.worlds++
		spec := w.specification()
		for _, g := range spec.gateways {
			for _, port := range listenerPorts {
				if served.ports[door{i, g.Namespace + "/" + g.Name, port}] == 0 {
					continue
				}
				for range requestsPerDoor {
					p := probe{w, g.Namespace + "/" + g.Name, port, m.request(spec, g, port)}
					difference := p.compare(t, served, i, sum)
					if difference == "" {
						continue
					}
					if sum.mismatches++; sum.mismatches <= maxReports {
						world, smallest := p.shrunk(t, difference)
						t.Errorf("%s\n%s", smallest, world)
					}
				}
			}
		}
	}
}

// probe is one request to one world.
type probe struct {
	world   *world
	gateway string
	port    gatewayv1.PortNumber
	request envoytest.Request
}

// compare asks both and says how they differ.
func (p probe) compare(t *testing.T, served *servedWorlds, index int, sum *oracleTally) string {
	spec := p.world.specification()
	var want verdict
	for _, g := range spec.gateways {
		if g.Namespace+"/"+g.Name == p.gateway {
			want = spec.ask(g, p.port, p.request)
		}
	}
	got, err := served.ask(t.Context(), door{index, p.gateway, p.port}, p.request)
	if err != nil {
		t.Fatalf("%s: %v", p, err)
	}
	sum.count(want, got)
	var effects []string
	for _, e := range want.effects {
		if e.String() == got.String() {
			return ""
		}
		effects = append(effects, fmt.Sprintf("%d parts: %s", e.weight, e.effect))
	}
	return fmt.Sprintf("%s\n got: %s\nwant: %s", p, got, strings.Join(effects, "\n  or: "))
}

func (p probe) String() string {
	text := fmt.Sprintf("%s http://%s%s to port %d of %s", p.request.Method, p.request.Host, p.request.Path, p.port, p.gateway)
	for _, h := range p.request.Headers {
		text += fmt.Sprintf(" -H '%s: %s'", h.Name, h.Value)
	}
	return text
}

// oracleTally counts what was compared.
type oracleTally struct {
	worlds, requests, mismatches int
	// ties by the criterion that decided, statuses by their number, further kinds of answers by their name.
	ties     map[string]int
	statuses map[int]int
	kinds    map[string]int
	// largest is how often a rule of several effects had that with the largest share; expected and variance are what the
	// weights say of it.
	largest            int
	expected, variance float64
}

func newTally() *oracleTally {
	return &oracleTally{ties: map[string]int{}, statuses: map[int]int{}, kinds: map[string]int{}}
}

func (c *oracleTally) count(want verdict, got effect) {
	c.requests++
	c.statuses[got.status]++
	if want.tie != "" {
		c.ties[want.tie]++
	}
	if got.location != "" {
		c.kinds["redirect"]++
	}
	c.countShare(want, got)
}

// countShare watches the effect with the largest share: that of any other one would even out, whatever became of the weights.
func (c *oracleTally) countShare(want verdict, got effect) {
	shares := map[string]int32{}
	var largest string
	var total int32
	for _, e := range want.effects {
		text := e.String()
		total += e.weight
		if shares[text] += e.weight; shares[text] > shares[largest] {
			largest = text
		}
	}
	if shares[largest] == total {
		return
	}
	c.kinds["split"]++
	if got.String() == largest {
		c.largest++
	}
	share := float64(shares[largest]) / float64(total)
	c.expected += share
	c.variance += share * (1 - share)
}

func (c *oracleTally) String() string {
	return fmt.Sprintf("%d worlds, %d requests, %d mismatches; second matches lost by %v; statuses (0: of a backend) %v; %v; largest share of a split %d times, by weight %.0f",
		c.worlds, c.requests, c.mismatches, c.ties, c.statuses, c.kinds, c.largest, c.expected)
}

// requireCoverage fails a run that has not seen what it is for.
func (c *oracleTally) requireCoverage(t *testing.T) {
	t.Helper()
	if c.worlds < 300 || c.requests < 6000 {
		t.Errorf("%d worlds and %d requests are too few", c.worlds, c.requests)
	}
	for _, tie := range []string{"hostname", "path", "method", "headers", "query", "age", "name", "position"} {
		if c.ties[tie] < 20 {
			t.Errorf("%s decides %d times only", tie, c.ties[tie])
		}
	}
	for status, least := range map[int]int{0: 1000, 404: 500, 500: 200, 503: 20} {
		if c.statuses[status] < least {
			t.Errorf("status %d is seen %d times only", status, c.statuses[status])
		}
	}
	for _, kind := range []string{"redirect", "split"} {
		if c.kinds[kind] < 200 {
			t.Errorf("%s is seen %d times only", kind, c.kinds[kind])
		}
	}
	// Five standard deviations: right weights fail once in two million runs.
	if off := math.Abs(float64(c.largest) - c.expected); off > 5*math.Sqrt(c.variance) {
		t.Errorf("the largest share of a split is seen %d times, want %.0f", c.largest, c.expected)
	}
}
