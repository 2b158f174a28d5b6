package class

import "github.com/routedelta/routedelta/diff/table"

// AreaContains reads one area as it is printed.
func AreaContains(o table.Options, a Area) func(table.Request) bool {
	return newAreaMatcher(o, []Area{a}).match
}

// SplittingCache divides virtual hosts of any size among processors.
func SplittingCache() *LivenessCache { return &LivenessCache{splitFrom: 1} }
