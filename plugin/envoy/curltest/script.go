package curltest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// scripts are what diff --curl prints for the addresses of each place. An Envoy of a test has a socket for each listener, so each
// listener has a script; a reader, whose Envoy has ports, needs one.
type scripts struct {
	found   *report.Report
	printed map[place][]command
}

type place struct {
	gateway *Gateway
	port    uint32
}

// of are the commands for one listener, two for each witness of the report.
func (s scripts) of(t testing.TB, gateway *Gateway, port uint32) []command {
	t.Helper()
	at := place{gateway, port}
	if s.printed[at] == nil {
		var text bytes.Buffer
		err := format.Curl(&text, s.found, format.CurlOptions{Before: socket(gateway.Before, port), After: socket(gateway.After, port)})
		if err != nil {
			t.Fatal(err)
		}
		s.printed[at] = readCommands(t, text.String())
	}
	return s.printed[at]
}

// socket is the address of a listener. Where there is no Envoy nobody listens.
func socket(envoy *envoytest.Envoy, port uint32) string {
	if envoy == nil {
		return "unix:/nobody/listens"
	}
	return "unix:" + envoy.Socket(port)
}

// command is a line for a shell with the comment ahead of it.
type command struct{ side, claim, line string }

// readCommands reads a script as a person does: what a command is answered stands above it.
func readCommands(t testing.TB, script string) []command {
	t.Helper()
	var commands []command
	var side, claim string
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		comment, isComment := strings.CutPrefix(line, "# ")
		switch {
		case line == "":
		case isComment:
			side, claim, _ = strings.Cut(comment, ":")
		case strings.HasPrefix(line, "curl -i "):
			commands = append(commands, command{side, claim, line})
		default:
			t.Errorf("the line is neither a comment nor a command: %q", line)
		}
	}
	return commands
}
