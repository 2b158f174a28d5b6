// Package curltest runs the commands of a report as somebody does who pastes them, against an Envoy of each side.
//
// In comes a comparison, with the files of both sides in it; a test fails wherever a command, given to a shell as the text that is
// printed, is not answered as the comment ahead of it and the report say, and where a class has no command.
package curltest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
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
	places        []diff.ComparedPlace
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
	if err := os.WriteFile(filepath.Join(e.home, report.ClientFile), envoytest.TrustedClient(), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, c := range compared {
		g := &Gateway{before: side{set: c.Before}, after: side{set: c.After}, places: c.Places}
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

func (s *side) start(t testing.TB) {
	t.Helper()
	if s.set != nil {
		s.envoy = envoytest.Start(t, s.set)
		s.envoy.RequireLoaded(t)
	}
}

// Of is a Gateway by the name that the report gives it.
func (e *Envoys) Of(gateway string) *Gateway { return e.gateways[gateway] }

// Hold runs the commands of every class on both sides. Of traffic that is passed on nobody knows what is spoken: no command is right for
// it, and it is sent from here.
func (e *Envoys) Hold(t testing.TB, found *report.Report) {
	t.Helper()
	scripts := scripts{found: found, printed: map[place][]command{}}
	witness := 0
	for _, class := range found.Classes {
		g := e.gateways[class.Gateways[0]]
		switch {
		case class.Traffic != "" && len(class.Witnesses) > 0:
			t.Errorf("class %s is about %s and has a command", class.ID, class.Traffic)
		case class.Traffic != "":
			g.holdTraffic(t, class)
		case len(class.Witnesses) == 0 && !asksForOthers(class):
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

// asksForOthers tells that a class is about which certificates of clients are taken: no command is right whatever certificate somebody has.
func asksForOthers(c report.Class) bool {
	asks := func(o table.Outcome) bool {
		return slices.ContainsFunc(o.Treatment, func(t table.Treatment) bool {
			return t.Name == "client certificate" && strings.HasPrefix(t.Value, table.Required)
		})
	}
	return len(c.Before) == 1 && len(c.After) == 1 && asks(c.Before[0]) && asks(c.After[0])
}

// run gives a command to a shell and compares the answer with the comment and with the outcome that the report states.
func (e *Envoys) run(t testing.TB, s side, c command, name string, stated table.Outcome) {
	t.Helper()
	if c.side != name {
		t.Errorf("the command for %s stands below %q", name, c.side)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	// The certificate of a client is where the command looks for it.
	answer, err := envoytest.Curl(ctx, "cd "+e.home+" && "+c.line, "CURL_HOME="+e.home)
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
