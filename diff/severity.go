package diff

import (
	"math/big"

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
	was, is := destinations(before), destinations(after)
	shrinking, growing := difference(was, is)
	if len(shrinking)+len(growing) == 0 {
		return report.Treated
	}
	switch failing(is).Cmp(failing(was)) {
	case 1:
		return report.Lost
	case -1:
		if !anyServed(shrinking) {
			return report.Gained
		}
	}
	return report.Moves
}

// anyServed tells whether requests that did not fail are among those that go elsewhere.
func anyServed(shrinking []part) bool {
	for _, p := range shrinking {
		if !report.Fails(p.destination) {
			return true
		}
	}
	return false
}

// failing is the share of requests that get an error, or no connection.
func failing(parts map[string]part) *big.Rat {
	sum := new(big.Rat)
	for _, p := range parts {
		if report.Fails(p.destination) {
			sum.Add(sum, p.share)
		}
	}
	return sum
}

// failsWhole tells whether no request is served.
func failsWhole(o table.Outcome) bool { return failing(destinations(o)).Cmp(big.NewRat(1, 1)) == 0 }
