package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
)

// printer writes a report in one form.
type printer func(io.Writer, *report.Report) error

func printerFor(output string) (printer, error) {
	switch output {
	case "text":
		return func(w io.Writer, found *report.Report) error { return format.Text(w, found, format.TextOptions{}) }, nil
	case "markdown":
		return func(w io.Writer, found *report.Report) error {
			_, err := io.WriteString(w, format.Markdown(found, format.MarkdownOptions{}))
			return err
		}, nil
	case "json":
		return report.Encode, nil
	case "html":
		return format.HTML, nil
	case "sarif":
		return format.SARIF, nil
	case "outputs":
		return printOutputs, nil
	}
	return nil, fmt.Errorf("--output %q is none of text, markdown, json, html, sarif, outputs", output)
}

func newShow(s streams) *cobra.Command {
	var output string
	command := &cobra.Command{
		Use:   "show REPORT",
		Short: "Print a JSON report in another form",
		Long:  "Show reads a report that diff wrote (--report FILE or --output json; - for standard input) and prints it in any form, without comparing again.",
		RunE: func(_ *cobra.Command, arguments []string) error {
			if len(arguments) != 1 {
				return fail(codeInput, fmt.Errorf("want one report, have %d", len(arguments)), "routedelta show REPORT, or routedelta show - for standard input")
			}
			print, err := printerFor(output)
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
	command.Flags().StringVar(&output, "output", "text", "print text, markdown, json, html (one page), sarif (for code scanning), or outputs (of a GitHub workflow step)")
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
