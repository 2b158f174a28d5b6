package main

import (
	"io"
	"strconv"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/github"
)

// printOutputs prints the numbers of a report as the outputs of a workflow step, for the file that GITHUB_OUTPUT names.
func printOutputs(w io.Writer, found *report.Report) error {
	return github.WriteOutputs(w, reportOutputs(found))
}

// reportOutputs are the numbers of a report by their names as outputs.
func reportOutputs(found *report.Report) []github.Output {
	counts := found.Counts
	outputs := []github.Output{
		{Name: "changed", Value: strconv.FormatBool(len(found.Classes) > 0 || found.Open())},
		{Name: "failed", Value: strconv.FormatBool(found.Fails())},
		{Name: "violations", Value: strconv.Itoa(violations(found))},
	}
	for _, count := range []struct {
		name string
		n    int
	}{
		{"lost", counts.Lost}, {"moves", counts.Moves}, {"gained", counts.Gained}, {"treated", counts.Treated},
		{"served", counts.Served}, {"effectless", counts.Effectless}, {"undecided", counts.Undecided}, {"uncompared", counts.Uncompared},
	} {
		outputs = append(outputs, github.Output{Name: count.name, Value: strconv.Itoa(count.n)})
	}
	return outputs
}

// violations counts what the policy forbids and nobody has waived.
func violations(found *report.Report) int {
	n := 0
	if found.Policy != nil {
		for _, v := range found.Policy.Violations {
			if v.Waived == nil {
				n++
			}
		}
	}
	return n
}
