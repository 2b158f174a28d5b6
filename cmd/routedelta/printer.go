package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
)

// printer writes a report in one form.
type printer func(io.Writer, *report.Report) error

// outputFlags say in which form a report is printed.
type outputFlags struct {
	output    string
	curl      bool
	addresses format.CurlOptions
}

// add adds the flags to a command that prints the forms that usage names.
func (f *outputFlags) add(command *cobra.Command, usage string) {
	flags := command.Flags()
	flags.StringVar(&f.output, "output", "text", usage)
	flags.BoolVar(&f.curl, "curl", false, "print one curl command a line that shows each class, and what each side answers (--output curl)")
	flags.StringVar(&f.addresses.Before, "curl-before", "", "send the requests of --curl to the earlier side's Envoy at `ADDRESS`: HOST, HOST:PORT or unix:/PATH")
	flags.StringVar(&f.addresses.After, "curl-after", "", "likewise to the later side's Envoy at `ADDRESS`")
}

func (f *outputFlags) printer() (printer, error) {
	if f.curl && f.output != "text" && f.output != "curl" {
		return nil, fmt.Errorf("--curl prints no %s: leave out --output", f.output)
	}
	if f.curl || f.output == "curl" {
		return func(w io.Writer, found *report.Report) error { return format.Curl(w, found, f.addresses) }, nil
	}
	if f.addresses != (format.CurlOptions{}) {
		return nil, errors.New("--curl-before and --curl-after want --curl")
	}
	return printerFor(f.output)
}

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
	return nil, fmt.Errorf("--output %q is none of text, markdown, json, html, sarif, curl, outputs", output)
}
