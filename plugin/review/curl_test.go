package review

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// TestExampleByCurl holds the commands of the README's example as those of the small changes are held.
func TestExampleByCurl(t *testing.T) {
	t.Parallel()
	c := compareSides(t, "../../testdata/example", new(config.Config))
	holdCommands(t, c, start(t, c))
}

// holdCommands gives every line that diff --curl prints to a shell, as text. There is at least one for each class and side, and
// the Envoy of the side answers as the comment ahead says, and as the report does.
func holdCommands(t *testing.T, c change, e envoys) {
	t.Helper()
	var text bytes.Buffer
	err := format.Curl(&text, c.found, format.CurlOptions{
		Before: "unix:" + e.before.Socket(c.port(t)), After: "unix:" + e.after.Socket(c.port(t)),
	})
	if err != nil {
		t.Fatal(err)
	}
	commands := readCommands(t, text.String())
	for _, class := range c.found.Classes {
		if len(class.Witnesses) == 0 {
			t.Errorf("class %s has no witness", class.ID)
		}
		for _, w := range class.Witnesses {
			if len(commands) < 2 {
				t.Fatalf("class %s has no two commands in\n%s", class.ID, text.String())
			}
			commands[0].hold(t, "before", w.Before)
			commands[1].hold(t, "after", w.After)
			commands = commands[2:]
		}
	}
	if len(commands) > 0 && len(c.found.Undecided) == 0 {
		t.Errorf("commands of no class: %+v", commands)
	}
}

// command is a line for a shell with the comment ahead of it.
type command struct{ side, claim, line string }

// readCommands reads a script as a person does: what a command is answered stands above it.
func readCommands(t *testing.T, script string) []command {
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

// hold runs a command and compares its answer with the comment and with the outcome that the report states.
func (c command) hold(t *testing.T, side string, stated table.Outcome) {
	t.Helper()
	if c.side != side {
		t.Errorf("the command for %s stands below %q", side, c.side)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	answer, err := envoytest.Curl(ctx, c.line)
	if err != nil {
		t.Fatal(err)
	}
	holdAnswer(t, side+" "+c.line, stated, answer)
	shows := fmt.Sprint(answer.Status)
	if parts := strings.Split(answer.Cluster, "/"); len(parts) == 3 {
		shows = parts[1] + ":" + parts[2]
	}
	if !strings.Contains(c.claim, shows) {
		t.Errorf("%s: %s is claimed to answer%s, and shows %s", c.line, side, c.claim, shows)
	}
}
