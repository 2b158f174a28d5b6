package attach_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/routedelta/routedelta/render/attach"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/status"
)

var update = flag.Bool("update", false, "rewrite the wanted parts of testdata")

// TestGolden holds testdata/*.txtar: manifests, then what Attach makes of them, under assume and, where the file asks for it,
// under strict. One behaviour a file; the comment on top says which.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no test data", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			manifests := archive.Files[0].Data
			for i := 1; i < len(archive.Files); i++ {
				file := &archive.Files[i]
				got := describe(attachText(t, manifests, attach.Options{References: attach.References(file.Name)}))
				if *update {
					file.Data = []byte(got)
				} else if diff := gocmp.Diff(string(file.Data), got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", file.Name, diff)
				}
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

type result struct {
	gateways    []*model.Gateway
	status      status.Status
	diagnostics diagnostic.List
}

func attachText(t *testing.T, manifests []byte, options attach.Options) result {
	t.Helper()
	objects, found := manifest.Read(t.Context(), []manifest.Source{{Name: "m.yaml", Data: manifests, Named: true}}, manifest.Limits{})
	if found.HasErrors() {
		t.Fatalf("the manifests are invalid: %v", found)
	}
	var r result
	r.gateways, r.status, r.diagnostics = attach.Attach(objects, options)
	return r
}

// describe prints a result for people.
func describe(r result) string {
	var b bytes.Buffer
	for _, g := range r.gateways {
		fmt.Fprintf(&b, "gateway %s%s%s\n", g.Name, note(g.Assumed, " (assumed)"), describeOwn(g))
		for _, l := range g.Listeners {
			for _, c := range l.Chains {
				fmt.Fprintf(&b, "  %d %s %s%s%s\n", l.Port, l.Protocol, cmp.Or(c.Routes.Name, c.Name), list(" sni ", c.ServerNames), list(" certificate ", c.Certificates)+validation(c.ClientValidation))
				b.WriteString(describeForward(c.Forward))
				for _, h := range c.Routes.Hosts {
					fmt.Fprintf(&b, "    %s\n", h.Hostname)
					for _, rule := range h.Rules {
						fmt.Fprintf(&b, "      %s\n", describeRule(rule))
					}
				}
			}
		}
	}
	b.WriteString(describeParents(r.status))
	for _, s := range r.status.Routes {
		fmt.Fprintf(&b, "status %s %s on %s%s%s: %s\n", s.Kind, s.Route, s.Gateway, sectionOf(s), portOf(s), conditions(s.Conditions))
	}
	b.WriteString(describePolicies(r.status.Policies))
	for _, d := range r.diagnostics {
		fmt.Fprintf(&b, "%s %s\n", d.Severity, d)
		if d.Hint != "" {
			fmt.Fprintf(&b, "    %s\n", d.Hint)
		}
	}
	return b.String()
}

func sectionOf(s status.Route) string {
	if s.Parent.SectionName == nil {
		return ""
	}
	return " " + string(*s.Parent.SectionName)
}

func portOf(s status.Route) string {
	if s.Parent.Port == nil {
		return ""
	}
	return fmt.Sprintf(":%d", *s.Parent.Port)
}

func describeRule(r model.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s rule %d.%d%s line %d for %s: %s %s", r.Origin.Name, r.Origin.Rule, r.Origin.Match,
		note(r.Origin.Preflight, " preflight"), r.Origin.Line, r.Hostname, r.Match.PathKind, r.Match.PathValue)
	if r.Match.Method != "" {
		b.WriteString(" method " + r.Match.Method)
	}
	b.WriteString(list(" header ", r.Match.Headers) + list(" query ", r.Match.Query) + " ->")
	a := r.Action
	if a.Direct != nil {
		fmt.Fprintf(&b, " %d %s", a.Direct.Status, a.Direct.Reason)
	}
	if a.Redirect != nil {
		fmt.Fprintf(&b, " redirect %d %s://%s:%d%s", a.Redirect.Status, a.Redirect.Scheme, a.Redirect.Hostname, a.Redirect.Port, path(a.Redirect.Path))
	}
	for _, w := range a.Backends {
		fmt.Fprintf(&b, " %d*%s", w.Weight, backend(w.Backend))
		b.WriteString(changes(" backend request", w.RequestHeaders) + changes(" backend response", w.ResponseHeaders))
		b.WriteString(note(w.Hostname != "", " backend host "+w.Hostname) + cors(" backend", w.CORS) + externalAuth(" backend", w.ExternalAuth))
	}
	b.WriteString(changes(" request", a.RequestHeaders) + changes(" response", a.ResponseHeaders))
	if a.Rewrite.Hostname != "" {
		b.WriteString(" host " + a.Rewrite.Hostname)
	}
	b.WriteString(path(a.Rewrite.Path))
	if a.RequestTimeout != nil {
		fmt.Fprintf(&b, " timeout %s", a.RequestTimeout)
	}
	if a.BackendTimeout != nil {
		fmt.Fprintf(&b, " backend timeout %s", a.BackendTimeout)
	}
	return b.String() + describeExtras(a)
}

func backend(b *model.Backend) string {
	if b == nil {
		return "500"
	}
	text := fmt.Sprintf("%s:%d", b.Name, b.Port)
	if b.Kind != "" {
		text = b.Kind + ":" + text
	}
	if b.Protocol != "" {
		text += " " + string(b.Protocol)
	}
	text += describeTLS(b.TLS)
	if b.DNSName != "" {
		return fmt.Sprintf("%s@%s%s", text, b.DNSName, note(b.DNSPort != 0, fmt.Sprintf(":%d", b.DNSPort)))
	}
	return fmt.Sprintf("%s@%v", text, b.Endpoints)
}

func path(p *model.PathChange) string {
	switch {
	case p == nil:
		return ""
	case p.Prefix:
		return fmt.Sprintf(" prefix %q", p.Value)
	}
	return fmt.Sprintf(" path %q", p.Value)
}

func changes(what string, c model.HeaderChange) string {
	if len(c.Set)+len(c.Add)+len(c.Remove) == 0 {
		return ""
	}
	return fmt.Sprintf("%s headers set %v add %v remove %v", what, c.Set, c.Add, c.Remove)
}

func conditions(list []status.Condition) string {
	var words []string
	for _, c := range list {
		words = append(words, fmt.Sprintf("%s=%s %s%s", c.Type, c.Status, c.Reason, note(c.Message != "", " ("+c.Message+")")))
	}
	return strings.Join(words, ", ")
}

func list[T any](what string, items []T) string {
	if len(items) == 0 {
		return ""
	}
	return fmt.Sprintf("%s%v", what, items)
}

func note(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}
