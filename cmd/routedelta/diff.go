package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/review"
)

type diffCommand struct {
	streams
	flags  renderFlags
	base   string
	form   outputFlags
	policy policyFlags
	report string
	// certificate is the file for the certificate, "" for none.
	certificate string
	exitCode    bool
	// labels are what the sides are called in place of what the source says.
	labels struct{ before, after string }
}

func newDiff(s streams) *cobra.Command {
	c := &diffCommand{streams: s}
	command := &cobra.Command{
		Use:   "diff {BEFORE AFTER | --base REVISION [PATH]}",
		Short: "Say which requests change backend between two sides",
		Long: `Diff renders both sides and compares them request by request. A side is a directory of manifests, a directory that
routedelta rendered, git:REVISION[:PATH], or - for manifests on standard input. With --base REVISION the earlier side is the
current directory (or PATH) at that commit, the later one the same as it is on disk.`,
		Example: `  routedelta diff old/ new/
  routedelta diff git:main:routes git:HEAD:routes
  routedelta diff --base HEAD^ routes
  routedelta diff --curl --curl-before 127.0.0.1:8001 --curl-after 127.0.0.1:8002 old/ new/`,
		RunE: func(command *cobra.Command, arguments []string) error { return c.run(command.Context(), arguments) },
	}
	c.flags.add(command)
	c.flags.addTargets(command, compareTargets)
	c.form.add(command, "print text, markdown, json, sarif, html, curl, or outputs: the numbers for later steps of a workflow")
	c.policy.add(command)
	flags := command.Flags()
	flags.StringVar(&c.base, "base", "", "compare the work tree with this `REVISION`")
	flags.StringVar(&c.report, "report", "", "write the JSON report to `FILE` too")
	flags.StringVar(&c.certificate, "certificate", "", "write to `FILE` what the answer claims and why, for routedelta verify")
	flags.BoolVar(&c.exitCode, "exit-code", false, "exit with 1 when a request changes")
	flags.StringVar(&c.labels.before, "before-label", "", "call the earlier side `NAME`, where git does not know what people call it")
	flags.StringVar(&c.labels.after, "after-label", "", "call the later side `NAME`")
	return command
}

func (c *diffCommand) run(ctx context.Context, arguments []string) error {
	before, after, err := c.sides(arguments)
	if err != nil {
		return err
	}
	printer, err := c.form.printer()
	if err != nil {
		return err
	}
	network, done := c.flags.network()
	defer done()
	options := review.Options{Environment: review.Environment{Stdin: c.in, Dir: ".", Tool: toolVersion(), Network: network}}
	if err := c.flags.configure(ctx, &options, before, after); err != nil {
		return outside(err)
	}
	if err := c.policy.override(options.Config); err != nil {
		return err
	}
	found, certified, err := c.compare(ctx, before, after, options)
	if err != nil {
		return c.explain(err)
	}
	found.Before.Label = cmp.Or(c.labels.before, found.Before.Label)
	found.After.Label = cmp.Or(c.labels.after, found.After.Label)
	judge(found, options.Config, time.Now())
	if err := c.writeReport(found); err != nil {
		return err
	}
	if err := c.writeCertificate(certified); err != nil {
		return err
	}
	if err := printer(c.out, found); err != nil {
		return err
	}
	return verdict(found, c.exitCode)
}

// compare makes a certificate only where one is asked for: its digests take longer than the comparison.
func (c *diffCommand) compare(ctx context.Context, before, after review.Source, options review.Options) (*report.Report, *certificate.Certificate, error) {
	if c.certificate != "" {
		return review.Certify(ctx, before, after, options)
	}
	found, err := review.Compare(ctx, before, after, options)
	return found, nil, err
}

func (c *diffCommand) sides(arguments []string) (before, after review.Source, err error) {
	return sidesOf("diff", c.base, arguments)
}

// sidesOf reads the two forms of the command line.
func sidesOf(command, base string, arguments []string) (before, after review.Source, err error) {
	usage := fmt.Sprintf("routedelta %[1]s BEFORE AFTER, or routedelta %[1]s --base REVISION [PATH]", command)
	if base == "" {
		if len(arguments) != 2 {
			return before, after, fail(codeInput, fmt.Errorf("want two sides, have %d", len(arguments)), usage)
		}
		if before, err = review.ParseSource(arguments[0]); err == nil {
			after, err = review.ParseSource(arguments[1])
		}
		if before.Kind == review.Stdin && after.Kind == review.Stdin {
			return before, after, fail(codeInput, errors.New("standard input can be one side only"), "write the other side to a file")
		}
		return before, after, err
	}
	if len(arguments) > 1 {
		return before, after, fail(codeInput, fmt.Errorf("--base takes at most one path, have %d", len(arguments)), "")
	}
	path := "."
	if len(arguments) == 1 {
		path = arguments[0]
	}
	return review.Source{Kind: review.Revision, Revision: base, Path: path, Relative: true}, review.Source{Kind: review.Directory, Path: path, Relative: true}, nil
}

// explain prints the diagnostics of a side that cannot be compared.
func (s streams) explain(err error) error {
	var bad *review.InputError
	if errors.As(err, &bad) {
		voice{s.err}.diagnostics(bad.Diagnostics)
		return fail(codeInput, fmt.Errorf("%s: %s: nothing was compared", bad.Source, inputErrors(bad.Diagnostics)), "")
	}
	return outside(err)
}

// writeReport replaces the file whole, by a rename, so that a reader never sees half a report.
func (c *diffCommand) writeReport(found *report.Report) error {
	if c.report == "" {
		return nil
	}
	var text bytes.Buffer
	if err := report.Encode(&text, found); err != nil {
		return err
	}
	return replaceFile(c.report, text.Bytes())
}

func (c *diffCommand) writeCertificate(certified *certificate.Certificate) error {
	if c.certificate == "" {
		return nil
	}
	text, err := certificate.Encode(certified)
	if err != nil {
		return err
	}
	return replaceFile(c.certificate, text)
}

func replaceFile(name string, data []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(name), ".routedelta-*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	_, err = temporary.Write(data)
	err = errors.Join(err, temporary.Chmod(0o644), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), name)
	}
	if err != nil {
		os.Remove(temporary.Name())
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

// verdict is the exit code: what the policy forbids fails, not decided is never taken for "no change", and other findings count only where
// asked for.
func verdict(found *report.Report, exitCode bool) error {
	switch {
	case found.Fails():
		return fail(codeFindings, nil, "")
	case found.Open():
		return fail(codeUndecided, nil, "")
	case exitCode && len(found.Classes) > 0:
		return fail(codeFindings, nil, "")
	}
	return nil
}
