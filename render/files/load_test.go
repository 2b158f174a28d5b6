package files_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/routedelta/routedelta/render/files"
)

// tester is a test, or one draw of a property test.
type tester interface {
	Context() context.Context
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// reload reads encoded files back.
func reload(t tester, name string, encoded []files.File) *files.Set {
	made := fstest.MapFS{}
	for _, file := range encoded {
		made[name+"/"+file.Path] = &fstest.MapFile{Data: file.Data}
	}
	sets, err := files.LoadFS(t.Context(), made)
	if err != nil {
		t.Fatalf("%v in\n%s", err, dump(encoded))
	}
	if len(sets) != 1 || sets[0].Name != name {
		t.Fatal("one set was written, others are read")
	}
	return sets[0]
}

// foreign is how other people lay out their files: YAML by hand, absolute and odd paths, listeners from a file.
var foreign = fstest.MapFS{
	"envoy.yaml": file(`
node: {id: a, cluster: b}
dynamic_resources:
  lds_config: {path: ./dyn/listeners.yml}
  cds_config:
    path_config_source: {path: dyn/../dyn/clusters.pb_text}
`),
	"dyn/listeners.yml": file(`
resources:
- "@type": type.googleapis.com/envoy.config.listener.v3.Listener
  name: l
  filter_chains:
  - filters:
    - name: hcm
      typed_config:
        "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
        stat_prefix: 1.10
        rds:
          route_config_name: r
          config_source: {path_config_source: {path: "./dyn/r"}}
`),
	"dyn/r": file(`{"resources": [{"@type": "type.googleapis.com/envoy.service.discovery.v3.Resource", "name": "r",
 "resource": {"@type": "type.googleapis.com/envoy.config.route.v3.RouteConfiguration", "name": "r", "no_such_field": 1}}]}`),
	"dyn/clusters.pb_text": file(`resources { [type.googleapis.com/envoy.config.cluster.v3.Cluster] { name: "c" } }`),
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func TestLoadFollowsOtherPeoplesLayout(t *testing.T) {
	sets, err := files.LoadFS(t.Context(), foreign)
	if err != nil {
		t.Fatal(err)
	}
	set := sets[0]
	if len(set.Listeners) != 1 || len(set.Routes) != 1 || len(set.Clusters) != 1 || set.Routes[0].Name != "r" || set.Clusters[0].Name != "c" {
		t.Fatalf("read %d listeners, %d tables, %d clusters", len(set.Listeners), len(set.Routes), len(set.Clusters))
	}
	// What was read is a set like any other: written and read, it stays what it is.
	set.Name = "other"
	again := reload(t, "other", encode(t, set, files.Options{Format: files.YAML}))
	if files.Digest(again) != files.Digest(set) {
		t.Error("the set changes when it is written and read again")
	}
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	bootstrap := func(path string) fstest.MapFS {
		return fstest.MapFS{"bootstrap.yaml": file("dynamic_resources: {cds_config: {path_config_source: {path: " + path + "}}}")}
	}
	with := func(tree fstest.MapFS, path, text string) fstest.MapFS {
		tree[path] = file(text)
		return tree
	}
	for name, c := range map[string]struct {
		tree fstest.MapFS
		want string
	}{
		"nothing":         {fstest.MapFS{"a.txt": file("")}, "there is no bootstrap"},
		"a manifest":      {fstest.MapFS{"envoy.yaml": file("apiVersion: v1\nkind: ConfigMap\n")}, "there is no bootstrap"},
		"missing":         {bootstrap("./cds.yaml"), "cds.yaml does not exist"},
		"outside":         {bootstrap("../cds.yaml"), "leads out of the directory"},
		"absolute":        {bootstrap("/etc/cds.yaml"), "/etc/cds.yaml is outside the directory"},
		"not YAML":        {with(bootstrap("./c.yaml"), "c.yaml", "a: b\n  c: [\n"), "c.yaml:2: "},
		"empty":           {with(bootstrap("./c.yaml"), "c.yaml", ""), "c.yaml: the file is empty"},
		"not JSON":        {with(bootstrap("./c.json"), "c.json", "{\n\n!"), "c.json:3: "},
		"a wrong type":    {with(bootstrap("./c.yaml"), "c.yaml", "version_info: a\nresources:\n- \"@type\": type.googleapis.com/envoy.config.cluster.v3.Cluster\n  connect_timeout:\n    y: 1\n  name: [x]\n"), "c.yaml:"},
		"an unknown type": {with(bootstrap("./c.yaml"), "c.yaml", "resources:\n- name: a\n  \"@type\": type.googleapis.com/no.such.Type\n"), "envoy.config.cluster.v3.Cluster is wanted"},
		"another kind":    {with(bootstrap("./c.yaml"), "c.yaml", "resources:\n- \"@type\": type.googleapis.com/envoy.config.listener.v3.Listener\n  name: a\n"), "envoy.config.cluster.v3.Cluster is wanted"},
		"an alias bomb":   {with(bootstrap("./c.yaml"), "c.yaml", bomb()), "aliases unfold"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := files.LoadFS(t.Context(), c.tree)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// bomb unfolds to a billion.
func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10), ","))
	}
	return b.String()
}

// TestLoadKeepsUnknownTypes: a filter of somebody's own is neither an error nor lost.
func TestLoadKeepsUnknownTypes(t *testing.T) {
	load := func(size string) *files.Set {
		tree := fstest.MapFS{"bootstrap.yaml": file(`
static_resources:
  listeners:
  - filter_chains:
    - filters:
      - name: mine
        typed_config: {size: ` + size + `, "@type": type.googleapis.com/my.own.Filter, inner: [{a: 1.5}, null, true, "x"]}
`)}
		sets, err := files.LoadFS(t.Context(), tree)
		if err != nil {
			t.Fatal(err)
		}
		return sets[0]
	}
	one := load("1")
	text := string(encode(t, one, files.Options{})[0].Data)
	for _, want := range []string{"xds.type.v3.TypedStruct", `"type_url": "type.googleapis.com/my.own.Filter"`, `"size": 1`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if files.Digest(one) == files.Digest(load("2")) {
		t.Error("what a filter of unknown type says is lost")
	}
}

func TestLoadGivesTheLineOfAnError(t *testing.T) {
	tree := fstest.MapFS{"bootstrap.yaml": file("node:\n  id: a\n\n  # a comment\n  cluster:\n  - b\n")}
	_, err := files.LoadFS(t.Context(), tree)
	broken := new(files.DecodeError)
	if !errors.As(err, &broken) || broken.File != "bootstrap.yaml" || broken.Line != 6 {
		t.Errorf("error %+v, want bootstrap.yaml:6", err)
	}
}

func TestLoadStaysInTheDirectory(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, fstest.MapFS{
		"secret.yaml":         file("resources: []\n"),
		"tree/bootstrap.yaml": file("dynamic_resources: {cds_config: {path_config_source: {path: ./cds.yaml}}}"),
	})
	if err := os.Symlink("../secret.yaml", filepath.Join(dir, "tree", "cds.yaml")); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Load(t.Context(), filepath.Join(dir, "tree")); err == nil {
		t.Error("a symbolic link out of the directory is followed")
	}
	// An absolute path into the directory is one of it.
	tree := filepath.Join(dir, "tree")
	lay(t, tree, fstest.MapFS{"real.yaml": file("resources: []\n")})
	lay(t, tree, fstest.MapFS{"bootstrap.yaml": file("dynamic_resources: {cds_config: {path_config_source: {path: " + filepath.Join(tree, "real.yaml") + "}}}")})
	if _, err := files.Load(t.Context(), tree); err != nil {
		t.Error(err)
	}
}

func TestIsRendering(t *testing.T) {
	for name, c := range map[string]struct {
		tree fstest.MapFS
		want bool
	}{
		"one bootstrap":      {fstest.MapFS{"bootstrap.json": file("{}")}, true},
		"two gateways":       {fstest.MapFS{"a/bootstrap.json": file("{}"), "b/bootstrap.pb": file(""), ".git/config": file("")}, true},
		"manifests":          {fstest.MapFS{"a.yaml": file("kind: HTTPRoute")}, false},
		"manifests in a dir": {fstest.MapFS{"a/bootstrap.json": file("{}"), "kustomization.yaml": file("")}, false},
		"nothing":            {fstest.MapFS{".keep": file("")}, false},
	} {
		dir := t.TempDir()
		lay(t, dir, c.tree)
		if got := files.IsRendering(dir); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if files.IsRendering(filepath.Join(t.TempDir(), "none")) {
		t.Error("a directory that is not there is a rendering")
	}
}

// FuzzLoad: no input makes the reader panic, and what is read can be written and read again.
func FuzzLoad(f *testing.F) {
	for path, seed := range foreign {
		f.Add(path, seed.Data)
	}
	for _, seed := range encode(f, sample(f), files.Options{Format: files.YAML}) {
		f.Add(seed.Path, seed.Data)
	}
	f.Add("cds.yaml", []byte(bomb()))
	f.Fuzz(func(t *testing.T, path string, data []byte) {
		for _, base := range []fstest.MapFS{foreign, {}} {
			tree := fstest.MapFS{}
			for have, file := range base {
				tree[have] = file
			}
			if len(base) == 0 {
				path = "bootstrap" + filepath.Ext(path)
			}
			tree[path] = &fstest.MapFile{Data: data}
			sets, err := files.LoadFS(t.Context(), tree)
			if err != nil {
				continue
			}
			for _, set := range sets {
				set.Name = "x"
				files.Check(set)
				if encoded, err := files.Encode(set, files.Options{}); err == nil {
					reload(t, "x", encoded)
				}
			}
		}
	})
}
