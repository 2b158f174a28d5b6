package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/diff/report"
)

func newShow(s streams) *cobra.Command {
	var form outputFlags
	command := &cobra.Command{
		Use:   "show REPORT",
		Short: "Print a JSON report in another form",
		Long:  "Show reads a report that diff wrote (--report FILE or --output json; - for standard input) and prints it in any form, without comparing again.",
		RunE: func(_ *cobra.Command, arguments []string) error {
			if len(arguments) != 1 {
				return fail(codeInput, fmt.Errorf("want one report, have %d", len(arguments)), "routedelta show REPORT, or routedelta show - for standard input")
			}
			print, err := form.printer()
			if err != nil {
				return err
			}
			found, err := readReport(arguments[0], s.in)
			if err != nil {
				return err
			}
			return print(s.out, found)
		},
	}
	form.add(command, "print text, markdown, json, html (one page), sarif (for code scanning), curl, or outputs (of a GitHub workflow step)")
	return command
}

func readReport(name string, stdin io.Reader) (*report.Report, error) {
	reader := stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("reading the report: %w", err)
		}
		defer file.Close()
		reader = file
	}
	found, err := report.Decode(reader)
	if err != nil {
		return nil, fmt.Errorf("reading the report %s: %w", name, err)
	}
	return found, nil
}
