package diff

import (
	"math/bits"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// severity is the worst that happens to a request of a class. A class with several outcomes has one on its other side.
func severity(before, after []table.Outcome) report.Severity {
	worst := report.Treated
	for _, b := range before {
		for _, a := range after {
			if s := severityOf(b, a); s.Rank() < worst.Rank() {
				worst = s
			}
		}
	}
	return worst
}

// severityOf compares how many of the requests fail. More than before: lost, even if it is a share of them only. Fewer: gained,
// unless requests that were served move as well. A redirect and an answer below 400 are no failure.
func severityOf(before, after table.Outcome) report.Severity {
	moved := flows(before, after)
	if len(moved) == 0 && table.SameBackends(before, after) || sameDistribution(before, after, moved) {
		return report.Treated
	}
	switch compareFailing(before, after) {
	case -1:
		return report.Lost
	case 1:
		if failsWhole(before) || !movesServed(moved) && len(moved) > 0 {
			return report.Gained
		}
	}
	return report.Moves
}

// sameDistribution: the same shares of the same backends, which differ in treatment only.
func sameDistribution(before, after table.Outcome, moved []report.Flow) bool {
	return before.Kind == table.ToBackends && after.Kind == table.ToBackends && summable(before) && summable(after) && len(moved) == 0
}

// movesServed tells whether a request that had a backend goes to another one.
func movesServed(moved []report.Flow) bool {
	for _, f := range moved {
		if f.From.Status == 0 && f.To.Status == 0 {
			return true
		}
	}
	return false
}

// compareFailing is -1 when a smaller share fails before than after.
func compareFailing(before, after table.Outcome) int {
	b, bWhole := failing(before)
	a, aWhole := failing(after)
	// b/bWhole against a/aWhole without loss.
	leftHigh, left := bits.Mul64(b, aWhole)
	rightHigh, right := bits.Mul64(a, bWhole)
	switch {
	case leftHigh < rightHigh || leftHigh == rightHigh && left < right:
		return -1
	case leftHigh == rightHigh && left == right:
		return 0
	}
	return 1
}

func failsWhole(o table.Outcome) bool {
	part, whole := failing(o)
	return part == whole
}

// failing is the share of requests that get an error, or no connection.
func failing(o table.Outcome) (part, whole uint64) {
	switch {
	case o.Kind == table.NoRoute, o.Kind == report.NotServed, o.Kind == table.Answered && o.Status >= 400:
		return 1, 1
	case o.Kind != table.ToBackends:
		return 0, 1
	}
	for _, s := range o.Backends {
		whole += s.Weight
		if s.Backend.Status >= 400 {
			part += s.Weight
		}
	}
	return part, max(whole, 1)
}
