// Package curltest runs the commands of a report as somebody does who pastes them, against an Envoy of each side.
//
// In comes a comparison, with the files of both sides in it; a test fails wherever a command, given to a shell as the text that is
// printed, is not answered as the comment ahead of it and the report say, and where a class has no command.
package curltest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render/files"
)

// Envoys are those of a comparison, by the name of the Gateway.
type Envoys struct {
	gateways map[string]*Gateway
	// home is where curl looks for what its user always wants.
	home string
}

// Gateway is one Gateway on both sides. An Envoy is nil where the Gateway is not.
type Gateway struct {
	Before, After *envoytest.Envoy
	before, after side
	// passing are the listeners, as a report names them, that pass on what comes: no command is right for whatever is spoken there.
	passing map[string]bool
}

// side knows the clusters of one Envoy as the report does.
type side struct {
	envoy *envoytest.Envoy
	set   *files.Set
	names table.Names
}

// Start serves both sides of a comparison.
func Start(t testing.TB, found *report.Report, compared []diff.Compared) *Envoys {
	t.Helper()
	e := &Envoys{gateways: map[string]*Gateway{}, home: t.TempDir()}
	// Whoever pastes a command trusts the certificates of the Gateway. Those of a test are signed by nobody.
	if err := os.WriteFile(filepath.Join(e.home, ".curlrc"), []byte("insecure\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, c := range compared {
		g := &Gateway{before: side{set: c.Before}, after: side{set: c.After}, passing: passing(c.Places)}
		if c.Before != nil && c.After != nil {
			clusters := table.CompareClusters(c.Before, c.After, nil)
			g.before.names, g.after.names = clusters.Before, clusters.After
		}
		g.before.start(t)
		g.after.start(t)
		g.Before, g.After = g.before.envoy, g.after.envoy
		e.gateways[found.Gateways[i].Name] = g
	}
	return e
}

// passing finds the listeners of which no place reads requests.
func passing(places []diff.ComparedPlace) map[string]bool {
	all := map[string]bool{}
	for _, p := range places {
		listener := p.Listener
		if p.Port != 0 {
			listener = fmt.Sprint("port ", p.Port)
		}
		passes := (p.Before == nil || p.Before.PassesOn) && (p.After == nil || p.After.PassesOn)
		if other, known := all[listener]; known {
			passes = passes && other
		}
		all[listener] = passes
	}
	return all
}

func (s *side) start(t testing.TB) {
	t.Helper()
	if s.set != nil {
		s.envoy = envoytest.Start(t, s.set)
		s.envoy.RequireLoaded(t)
	}
}

// Of is a Gateway by the name that the report gives it.
func (e *Envoys) Of(gateway string) *Gateway { return e.gateways[gateway] }

// Hold runs the commands of every class on both sides.
func (e *Envoys) Hold(t testing.TB, found *report.Report) {
	t.Helper()
	scripts := scripts{found: found, printed: map[place][]command{}}
	witness := 0
	for _, class := range found.Classes {
		g := e.gateways[class.Gateways[0]]
		listener, _, _ := strings.Cut(class.Listener, " for ")
		if len(class.Witnesses) == 0 && !g.passing[listener] {
			t.Errorf("class %s has no witness", class.ID)
		}
		for _, w := range class.Witnesses {
			commands := scripts.of(t, g, w.Port)
			if len(commands) < 2*witness+2 {
				t.Fatalf("class %s has no two commands among %d", class.ID, len(commands))
			}
			e.run(t, g.before, commands[2*witness], "before", w.Before)
			e.run(t, g.after, commands[2*witness+1], "after", w.After)
			witness++
		}
	}
}

// run gives a command to a shell and compares the answer with the comment and with the outcome that the report states.
func (e *Envoys) run(t testing.TB, s side, c command, name string, stated table.Outcome) {
	t.Helper()
	if c.side != name {
		t.Errorf("the command for %s stands below %q", name, c.side)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	answer, err := envoytest.Curl(ctx, c.line, "CURL_HOME="+e.home)
	got, err := s.shows(answer, err)
	if err != nil {
		t.Fatal(err)
	}
	if !states(stated, got) {
		t.Errorf("%s %s: stated %s, shown is %s (flags %q, location %q)", name, c.line, stated, got.text(), answer.Flags, answer.Headers.Get("Location"))
	}
	if said := got.text(); !strings.Contains(c.claim, said) {
		t.Errorf("%s: %s is claimed to answer%s, and shows %s", c.line, name, c.claim, said)
	}
}
