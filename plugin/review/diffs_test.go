package review

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/envoy/curltest"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

var update = flag.Bool("update", false, "rewrite want.txt in testdata/diffs")

// TestDiffs compares the two sides of each small change and holds the answer in five ways: the text is the one that somebody has
// read and agreed with; the JSON is as its schema says; its certificate is verified, and false ones are not; the command line of every class, run by a shell, is answered by a real
// Envoy of each side as stated; and requests around the borders of the classes are answered differently by the two Envoys
// exactly where a class says so.
func TestDiffs(t *testing.T) {
	names, err := filepath.Glob("../../testdata/diffs/*.txtar")
	if err != nil || len(names) < 14 {
		t.Fatalf("%d changes in testdata/diffs: %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			change := compareArchive(t, archive)
			holdText(t, name, archive, change.found)
			holdJSON(t, change.found)
			holdCertificate(t, change)
			if len(change.found.Classes) == 0 {
				return
			}
			envoys := change.start(t)
			envoys.Hold(t, change.found)
			holdBorders(t, change, envoys)
		})
	}
}

// change is a comparison with what it was made of.
type change struct {
	found    *report.Report
	compared []diff.Compared
	options  Options
}

// start serves both sides.
func (c change) start(t *testing.T) *curltest.Envoys { return curltest.Start(t, c.found, c.compared) }

// compareArchive writes the two sides into a directory ("both/" goes to both) and compares them as a caller in it would.
func compareArchive(t *testing.T, archive *txtar.Archive) change {
	t.Helper()
	dir := t.TempDir()
	configured := new(config.Config)
	for _, file := range archive.Files {
		side, rest, _ := strings.Cut(file.Name, "/")
		switch {
		case side == "both":
			write(t, filepath.Join(dir, "before", rest), file.Data)
			write(t, filepath.Join(dir, "after", rest), file.Data)
		case side == "before", side == "after":
			write(t, filepath.Join(dir, file.Name), file.Data)
		case file.Name == config.FileName:
			var err error
			if configured, err = config.Parse(file.Name, file.Data); err != nil {
				t.Fatal(err)
			}
		}
	}
	return compareSides(t, dir, configured)
}

// compareSides compares "before" and "after" of a directory.
func compareSides(t *testing.T, dir string, configured *config.Config) change {
	t.Helper()
	options := Options{Environment: Environment{Dir: dir}, Config: configured}
	earlier, later, err := options.bothSides(t.Context(), Source{Path: "before"}, Source{Path: "after"})
	if err != nil {
		t.Fatal(err)
	}
	found, compared, err := options.compare(t.Context(), earlier, later)
	if err != nil {
		t.Fatal(err)
	}
	return change{found, compared, options}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func holdText(t *testing.T, name string, archive *txtar.Archive, found *report.Report) {
	t.Helper()
	var text bytes.Buffer
	if err := format.Text(&text, found, format.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want.txt" })
	if *update {
		if i < 0 {
			i = len(archive.Files)
			archive.Files = append(archive.Files, txtar.File{Name: "want.txt"})
		}
		archive.Files[i].Data = text.Bytes()
		write(t, name, txtar.Format(archive))
		return
	}
	if i < 0 {
		t.Fatal("the archive has no want.txt: run the test with -update, and read it")
	}
	if want := string(archive.Files[i].Data); text.String() != want {
		t.Errorf("the answer is\n%s\nwant\n%s", text.String(), want)
	}
}

// ask sends a request to a place, over a connection that leads there.
func ask(t *testing.T, envoy *envoytest.Envoy, p diff.ComparedPlace, request table.Request) envoytest.Answer {
	t.Helper()
	wire := envoytest.Request{Method: request.Method, Host: request.Host, Path: request.Path}
	for _, field := range request.Headers {
		wire.Headers = append(wire.Headers, envoytest.Header(field))
	}
	if p.TLS {
		wire.TLS = &envoytest.TLS{ServerName: strings.Replace(cmp.Or(p.ServerNames[0], "nobody.test"), "*", "anybody", 1)}
	}
	answer, err := envoy.Ask(t.Context(), p.Port, wire)
	if err != nil {
		t.Fatalf("%+v: %v", request, err)
	}
	return answer
}

// holdBorders sends requests near the witnesses to both sides. What one answer can show of a change (backend, status, location) must
// differ exactly inside the classes of the backend facet.
func holdBorders(t *testing.T, c change, e *curltest.Envoys) {
	t.Helper()
	for i, compared := range c.compared {
		for _, p := range compared.Places {
			if p.Result == nil || p.After.PassesOn() || p.Before.PassesOn() || p.Before.ClientCertificate+p.After.ClientCertificate != "" {
				continue // nothing is read, or nobody but a client who is known may ask
			}
			holdPlace(t, p, e.Of(c.found.Gateways[i].Name))
		}
	}
}

func holdPlace(t *testing.T, p diff.ComparedPlace, e *curltest.Gateway) {
	t.Helper()
	classes := p.Result.Classes
	requests := borders(classes)
	inside := 0
	for _, request := range requests {
		changed := false
		for i := range classes {
			changed = changed || classes[i].Facet == class.FacetBackend && !weighted(classes[i]) && classes[i].Contains(request)
		}
		if changed {
			inside++
		}
		before, after := ask(t, e.Before, p, request), ask(t, e.After, p, request)
		if differs := shown(before) != shown(after); differs != changed && !drawn(classes, request) {
			t.Errorf("%+v: in a class: %t, but the Envoys answer %s and %s", request, changed, shown(before), shown(after))
		}
	}
	if len(requests) > 0 {
		t.Logf("%d requests around the borders, %d of them inside", len(requests), inside)
	}
}

func shown(a envoytest.Answer) string {
	return fmt.Sprintf("%d from %q to %q", a.Status, a.Cluster, a.Headers.Get("Location"))
}

// weighted tells that a class moves a share of its requests: which ones is Envoy's draw.
func weighted(c class.Class) bool {
	return slices.ContainsFunc(slices.Concat(c.Before, c.After), func(o table.Outcome) bool { return len(o.Backends) > 1 })
}

// drawn tells that a request is in a class whose answers are drawn.
func drawn(classes []class.Class, request table.Request) bool {
	return slices.ContainsFunc(classes, func(c class.Class) bool { return weighted(c) && c.Contains(request) })
}

// borders are requests just inside and just outside of the classes: each witness with one thing altered.
func borders(classes []class.Class) []table.Request {
	var requests []table.Request
	for _, c := range classes {
		for _, alter := range alterations() {
			altered := c.Witness
			altered.Headers = slices.Clone(altered.Headers)
			alter(&altered)
			requests = append(requests, altered)
		}
	}
	return requests
}

func alterations() []func(*table.Request) {
	path := func(change func(path string) string) func(*table.Request) {
		return func(r *table.Request) {
			path, query, found := strings.Cut(r.Path, "?")
			r.Path = change(path)
			if found {
				r.Path += "?" + query
			}
		}
	}
	return []func(*table.Request){
		func(*table.Request) {},
		path(func(p string) string { return strings.TrimSuffix(p, "/") + "/" }),
		path(func(p string) string { return "/" + strings.Trim(p, "/") }),
		path(func(p string) string { return strings.TrimSuffix(p, "/") + "x" }),
		path(func(p string) string { return strings.TrimSuffix(p, "/") + "/deeper" }),
		path(func(p string) string { return "/x" + p }),
		path(func(p string) string { return p[:max(1, len(p)-1)] }),
		path(func(string) string { return "/" }),
		path(strings.ToUpper),
		func(r *table.Request) { r.Host = "x." + r.Host },
		func(r *table.Request) { r.Host += ":8080" },
		func(r *table.Request) { r.Host = "other.example" },
		func(r *table.Request) { r.Host = strings.ToUpper(r.Host) },
		func(r *table.Request) { r.Method = "POST" },
		func(r *table.Request) { r.Method = "PUT" },
		func(r *table.Request) { r.Headers = nil },
		func(r *table.Request) { r.Headers = append(r.Headers, table.Field{Name: "x-env", Value: "canary"}) },
		func(r *table.Request) { r.Headers = append(r.Headers, table.Field{Name: "X-Env", Value: "Canary"}) },
		func(r *table.Request) { r.Path += "?debug=true" },
		func(r *table.Request) { r.Path, _, _ = strings.Cut(r.Path, "?") },
		func(r *table.Request) { r.Path += "?debug=false&debug=true" },
	}
}
