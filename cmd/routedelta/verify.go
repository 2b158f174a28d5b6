package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/verify"
	"github.com/routedelta/routedelta/plugin/review"
)

type verifyCommand struct {
	streams
	flags renderFlags
	base  string
}

func newVerify(s streams) *cobra.Command {
	c := &verifyCommand{streams: s}
	command := &cobra.Command{
		Use:   "verify CERTIFICATE {BEFORE AFTER | --base REVISION [PATH]}",
		Short: "Check what a certificate of diff claims",
		Long: `Verify reads a certificate that diff wrote (--certificate FILE) and the two sides that it is about, and checks every claim of
it with code of its own: that the files are those of the certificate, and that just the requests change that it says.
It exits with 0 when all of it was shown, 1 when it does not fit the files or is wrong, 2 when the file is no certificate
or was altered, and 3 when something in it is not decided or could not be shown.`,
		Example: `  routedelta diff --certificate refactoring.json old/ new/
  routedelta verify refactoring.json old/ new/`,
		RunE: func(command *cobra.Command, arguments []string) error { return c.run(command.Context(), arguments) },
	}
	c.flags.add(command)
	c.flags.addTargets(command, compareTargets)
	command.Flags().StringVar(&c.base, "base", "", "the sides are the work tree at this `REVISION` and as it is")
	return command
}

func (c *verifyCommand) run(ctx context.Context, arguments []string) error {
	if len(arguments) == 0 {
		return fail(codeInput, errors.New("want a certificate and two sides"), "routedelta verify CERTIFICATE BEFORE AFTER")
	}
	claims, err := readCertificate(arguments[0])
	if err != nil {
		return err
	}
	before, after, err := sidesOf("verify CERTIFICATE", c.base, arguments[1:])
	if err != nil {
		return err
	}
	network, done := c.flags.network()
	defer done()
	options := review.Options{Environment: review.Environment{Stdin: c.in, Dir: ".", Tool: toolVersion(), Network: network}}
	if err := c.flags.configure(ctx, &options, before, after); err != nil {
		return outside(err)
	}
	result, err := review.Verify(ctx, claims, before, after, options)
	if err != nil {
		return c.explain(err)
	}
	return c.answer(claims, result)
}

func readCertificate(name string) (*certificate.Certificate, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, certificate.MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading the certificate: %w", err)
	}
	claims, err := certificate.Parse(data)
	if err != nil {
		return nil, fail(codeInput, fmt.Errorf("%s: %w", name, err), "a certificate is what diff --certificate wrote, byte for byte")
	}
	return claims, nil
}

// answer says what was found, the answer in the first line.
func (c *verifyCommand) answer(claims *certificate.Certificate, result *verify.Result) error {
	w := &writer{to: c.out}
	switch {
	case len(result.Wrong) > 0:
		w.line("not verified: the certificate does not hold")
	case len(result.Open) > 0:
		w.line("not verified: not everything could be shown")
	case result.LeftOut > 0:
		w.line("not verified: the certificate leaves %s undecided; the rest of it holds", format.Plural(result.LeftOut, "region", "regions"))
	default:
		w.line("verified: %s", sentence(claims))
	}
	for _, f := range append(result.Wrong, result.Open...) {
		w.finding(f)
	}
	if result.Verified() {
		w.line("made by routedelta %q; checked %s of %s on %s", claims.Tool, format.Plural(result.Courses, "course", "courses"),
			format.Plural(result.Groups, "group of hosts", "groups of hosts"), format.Plural(result.Places, "listener", "listeners"))
		return w.err
	}
	if w.err != nil {
		return w.err
	}
	if len(result.Wrong) > 0 {
		return fail(codeFindings, nil, "")
	}
	return fail(codeUndecided, nil, "")
}

// sentence is the verdict with numbers.
func sentence(claims *certificate.Certificate) string {
	if claims.Verdict == certificate.NothingChanges {
		return "no request changes"
	}
	var classes, backends, connections int
	for _, g := range claims.Gateways {
		backends += len(g.Backends)
		if g.Before == "" || g.After == "" {
			connections++
		}
		for _, p := range g.Places {
			classes += len(p.Classes)
			if p.Before < 0 || p.After < 0 || p.Certificates || p.Reading {
				connections++
			}
		}
	}
	var parts []string
	if classes > 0 {
		parts = append(parts, "the requests of "+format.Plural(classes, "class", "classes"))
	}
	if backends > 0 {
		parts = append(parts, "what is behind "+format.Plural(backends, "backend", "backends"))
	}
	if connections > 0 {
		parts = append(parts, "the connections to "+format.Plural(connections, "listener", "listeners"))
	}
	return "nothing changes but " + strings.Join(parts, ", and ")
}

// writer writes lines until one fails.
type writer struct {
	to  io.Writer
	err error
}

func (w *writer) line(format string, arguments ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.to, format+"\n", arguments...)
	}
}

// finding quotes what comes from files, so that no control character reaches a terminal.
func (w *writer) finding(f verify.Finding) {
	where := ""
	if f.Place != "" {
		where = fmt.Sprintf("%+q: ", f.Place)
	}
	w.line("  %s%s", where, printable(f.What))
	if r := f.Request; r != nil {
		w.line("    for example %s %+q, host %+q, headers %+q", r.Method, r.Path, r.Host, r.Headers)
	}
}
