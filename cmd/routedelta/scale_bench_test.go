package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

// BenchmarkScale renders fleets of four sizes, each twice the one before, in a process of its own, and prints processor time and the
// peak of resident memory, in all and for a route: what is linear in the input stays as it is.
func BenchmarkScale(b *testing.B) {
	for routes := 1_250; routes <= 10_000; routes *= 2 {
		b.Run(fmt.Sprintf("%d-routes-%d-gateways-%d-endpoints", routes, routes/manifesttest.RoutesOfGateway, routes*manifesttest.EndpointsOfRoute), func(b *testing.B) {
			dir := b.TempDir()
			text := manifesttest.Fleet(routes)
			if err := os.WriteFile(filepath.Join(dir, "fleet.yaml"), text, 0o600); err != nil {
				b.Fatal(err)
			}
			idle := peak(b, dir, nil, "version")
			var spent time.Duration
			most := 0
			for b.Loop() {
				bytes, user := measure(b, dir, nil, "render", "fleet.yaml")
				most, spent = max(most, bytes), spent+user
			}
			spent /= time.Duration(b.N)
			b.ReportMetric(spent.Seconds(), "cpu-s")
			b.ReportMetric(float64(spent.Microseconds())/float64(routes), "cpu-us/route")
			b.ReportMetric(float64(most)/(1<<20), "peak-MB")
			b.ReportMetric(float64(most-idle)/float64(len(text)), "x-input")
		})
	}
}

// BenchmarkColdStart renders one small input in a process of its own, as a commit hook or kustomize would.
func BenchmarkColdStart(b *testing.B) {
	example, err := filepath.Abs("../../testdata/example/after")
	if err != nil {
		b.Fatal(err)
	}
	var spent time.Duration
	for b.Loop() {
		_, user := measure(b, example, nil, "render", ".")
		spent += user
	}
	b.ReportMetric(float64(spent.Milliseconds())/float64(b.N), "cpu-ms")
}
