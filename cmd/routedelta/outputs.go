package main

import (
	"io"
	"strconv"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/github"
)

// printOutputs prints the numbers of a report as the outputs of a workflow step, for the file that GITHUB_OUTPUT names.
func printOutputs(w io.Writer, found *report.Report) error {
	counts := found.Counts
	outputs := []github.Output{{Name: "changed", Value: strconv.FormatBool(len(found.Classes) > 0 || found.Open())}}
	for _, count := range []struct {
		name string
		n    int
	}{
		{"lost", counts.Lost}, {"moves", counts.Moves}, {"gained", counts.Gained}, {"treated", counts.Treated},
		{"served", counts.Served}, {"effectless", counts.Effectless}, {"undecided", counts.Undecided}, {"uncompared", counts.Uncompared},
	} {
		outputs = append(outputs, github.Output{Name: count.name, Value: strconv.Itoa(count.n)})
	}
	return github.WriteOutputs(w, outputs)
}
