package class

import "github.com/routedelta/routedelta/diff/table"

// AreaContains reads one area as it is printed.
func AreaContains(o table.Options, a Area) func(table.Request) bool {
	return newAreaMatcher(o, []Area{a}).match
}
