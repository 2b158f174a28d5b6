package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	confv1 "sigs.k8s.io/gateway-api/conformance/apis/v1"
	"sigs.k8s.io/gateway-api/conformance/utils/suite"
	"sigs.k8s.io/gateway-api/pkg/features"
)

// outcomes are those of the suite's tests, in the order in which they ended.
type outcomes struct {
	begin, last time.Time
	setup       time.Duration
	tests       []outcome
}

type outcome struct {
	test   suite.ConformanceTest
	result string
}

const (
	passes  = "pass"
	fails   = "FAIL"
	skipped = "skip"
)

// setUp notes that the suite has made its base.
func (o *outcomes) setUp() {
	o.last = time.Now()
	o.setup = o.last.Sub(o.begin)
}

// add is called after each test, and for those that are left out. It prints those that ran.
func (o *outcomes) add(t *testing.T, test suite.ConformanceTest, _ *suite.ConformanceTestSuite) {
	result := passes
	switch {
	case t.Failed():
		result = fails
	case t.Skipped():
		result = skipped
	}
	o.tests = append(o.tests, outcome{test, result})
	if result != skipped {
		fmt.Printf("%s %6.2f s  %s\n", result, time.Since(o.last).Seconds(), test.ShortName)
	}
	o.last = time.Now()
}

// requireAll fails where a test was left out that is none of a mesh: a feature that is no longer claimed would go unseen.
func (o *outcomes) requireAll(t *testing.T) {
	t.Helper()
	for _, outcome := range o.tests {
		if outcome.result == skipped && !ofMesh(outcome.test) {
			t.Errorf("%s is left out: not all of %v is claimed", outcome.test.ShortName, outcome.test.Features)
		}
	}
}

func ofMesh(test suite.ConformanceTest) bool {
	return slices.Contains(test.Features, features.SupportMesh)
}

// printCounts says how many tests passed, and how long it took.
func (o *outcomes) printCounts(report *confv1.ConformanceReport) {
	for _, line := range counts(report) {
		fmt.Println(line)
	}
	fmt.Printf("set-up %.1f s, all %.1f s\n", o.setup.Seconds(), time.Since(o.begin).Seconds())
}

// counts has a line for each profile.
func counts(report *confv1.ConformanceReport) []string {
	var lines []string
	for _, profile := range report.ProfileReports {
		line := fmt.Sprintf("%s core %d/%d", profile.Name, profile.Core.Passed, total(profile.Core))
		if extended := profile.Extended; extended != nil {
			line += fmt.Sprintf(" extended %d/%d", extended.Passed, total(extended.Status))
		}
		lines = append(lines, line)
	}
	return lines
}

func total(status confv1.Status) uint32 { return status.Passed + status.Failed + status.Skipped }

// sortProfiles brings the profiles, which the suite gives in no order, into ours.
func sortProfiles(report *confv1.ConformanceReport) {
	order := profileNames()
	slices.SortFunc(report.ProfileReports, func(a, b confv1.ProfileReport) int {
		return slices.Index(order, suite.ConformanceProfileName(a.Name)) - slices.Index(order, suite.ConformanceProfileName(b.Name))
	})
}

// levels says in which profiles a test counts, and as what.
func levels(test suite.ConformanceTest) string {
	var found []string
	for _, profile := range profiles {
		name := strings.TrimPrefix(string(profile.Name), "GATEWAY-")
		switch {
		case profile.CoreFeatures.HasAll(test.Features...):
			found = append(found, name+" core")
		case profile.CoreFeatures.Union(profile.ExtendedFeatures).HasAll(test.Features...):
			found = append(found, name+" extended")
		}
	}
	if found == nil {
		return "none"
	}
	return strings.Join(found, ", ")
}
