package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// The voice of the command line, the same everywhere:
//
//   - Findings go to standard output, everything else to standard error.
//   - "routedelta: error: ..." says what is wrong, "routedelta: hint: ..." what to do. No capitals, no full stop.
//   - A diagnostic starts with file:line:column, so that editors jump to it.
//   - Nothing is written where an error is said.

// Exit codes.
const (
	codeNothing   = 0 // nothing to report
	codeFindings  = 1 // findings at or above the threshold asked for
	codeInput     = 2 // bad input or usage
	codeUndecided = 3 // not decided, or not compared
	codeOutside   = 4 // git or GitHub failed
)

// failure is an error with its exit code and what to do about it.
type failure struct {
	code int
	err  error
	hint string
}

func (f *failure) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}
func (f *failure) Unwrap() error { return f.err }

// fail makes a failure. A nil err sets the exit code and says nothing.
func fail(code int, err error, hint string) error { return &failure{code: code, err: err, hint: hint} }

// exitCode of an error; an error without one is bad input.
func exitCode(err error) int {
	var f *failure
	switch {
	case err == nil:
		return codeNothing
	case errors.As(err, &f):
		return f.code
	}
	return codeInput
}

// voice speaks to standard error.
type voice struct{ err io.Writer }

// end says an error, if there is one with words, and returns the exit code.
func (v voice) end(err error) int {
	if err == nil {
		return codeNothing
	}
	if text := err.Error(); text != "" {
		for line := range strings.Lines(text) {
			fmt.Fprintf(v.err, "routedelta: error: %s\n", printable(strings.TrimRight(line, "\n")))
		}
	}
	var f *failure
	if errors.As(err, &f) && f.hint != "" {
		fmt.Fprintf(v.err, "routedelta: hint: %s\n", printable(f.hint))
	}
	return exitCode(err)
}

// diagnostics prints each finding, and once its hint.
func (v voice) diagnostics(list diagnostic.List) {
	for i, d := range list {
		fmt.Fprintf(v.err, "routedelta: %s: %s\n", d.Severity, printable(d.String()))
		last := i == len(list)-1 || list[i+1].Hint != d.Hint
		if d.Hint != "" && last {
			fmt.Fprintf(v.err, "routedelta: hint: %s\n", printable(d.Hint))
		}
	}
}

// printable keeps a hostile manifest from steering the terminal, and the runner of a workflow: control and format characters and commands
// are shown, not obeyed.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return format.Inert(b.String())
}
