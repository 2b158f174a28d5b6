package conformance

import (
	"fmt"
	"testing"
	"time"

	confv1 "sigs.k8s.io/gateway-api/conformance/apis/v1"
	"sigs.k8s.io/gateway-api/conformance/utils/suite"

	"github.com/routedelta/routedelta/conformance/fleet"
)

// outcomes are those of the suite's tests, in the order in which they ended.
type outcomes struct {
	begin, last time.Time
	setup       time.Duration
	tests       []outcome
}

type outcome struct {
	name    string
	result  string
	elapsed time.Duration
}

// setUp notes that the suite has made its base.
func (o *outcomes) setUp() {
	o.last = time.Now()
	o.setup = o.last.Sub(o.begin)
}

// add is called after each test, and for those that are left out.
func (o *outcomes) add(t *testing.T, test suite.ConformanceTest, _ *suite.ConformanceTestSuite) {
	result := "pass"
	switch {
	case t.Failed():
		result = "FAIL"
	case t.Skipped():
		result = "skip"
	}
	o.tests = append(o.tests, outcome{test.ShortName, result, time.Since(o.last)})
	o.last = time.Now()
}

// print writes a line for each test that ran, then the counts.
func (o *outcomes) print(t *testing.T, report *confv1.ConformanceReport, counts fleet.Counts) {
	t.Helper()
	for _, outcome := range o.tests {
		if outcome.result != "skip" {
			fmt.Printf("%s %6.2f s  %s\n", outcome.result, outcome.elapsed.Seconds(), outcome.name)
		}
	}
	for _, profile := range report.ProfileReports {
		line := fmt.Sprintf("%s core %d/%d", profile.Name, profile.Core.Passed, total(profile.Core))
		if extended := profile.Extended; extended != nil {
			line += fmt.Sprintf(" extended %d/%d", extended.Passed, total(extended.Status))
		}
		fmt.Println(line)
	}
	fmt.Printf("%d Envoys started, %d renderings updated, %d checked in their merged form\n",
		counts.Started, counts.Updated, counts.Validated)
	fmt.Printf("set-up %.1f s, all %.1f s\n", o.setup.Seconds(), time.Since(o.begin).Seconds())
}

func total(status confv1.Status) uint32 {
	return status.Passed + status.Failed + status.Skipped
}
