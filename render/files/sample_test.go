package files_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/xds"
)

// sample is a rendering with one resource of each kind at least: two listeners, a redirect, a split with a refused share.
func sample(t testing.TB) *files.Set {
	t.Helper()
	shop := func(name string) model.Name { return model.Name{Namespace: "shop", Name: name} }
	serving := func(name string) *model.Backend {
		return &model.Backend{Name: shop(name), Port: 80, Endpoints: []model.Locality{{Endpoints: []model.Endpoint{{Address: "192.0.2.1", Port: 8080}}}}}
	}
	rule := func(name, path string, action model.Action) model.Rule {
		return model.Rule{
			Origin: model.Origin{Kind: "HTTPRoute", Name: shop("route"), RuleName: name},
			Match:  model.Match{PathKind: model.PathPrefix, PathValue: path},
			Action: action,
		}
	}
	search := rule("search", "/search/[a-z]{1,200}", model.Action{
		Backends:       []model.WeightedBackend{{Weight: 1, Backend: &model.Backend{Name: shop("search"), Port: 80, DNSName: "search.shop.svc.cluster.local"}}},
		RequestHeaders: model.HeaderChange{Set: []model.Header{{Name: "x-share", Value: "50%"}}},
		Rewrite:        model.Rewrite{Path: &model.PathChange{Value: "/found"}},
	})
	search.Match.PathKind = model.PathRegex
	rules := []model.Rule{
		rule("old", "/old", model.Action{Redirect: &model.Redirect{Scheme: "https"}}),
		rule("orders", "/orders", model.Action{Backends: []model.WeightedBackend{{Weight: 90, Backend: serving("orders")}, {Weight: 10}}}),
		search,
		rule("", "/", model.Action{Backends: []model.WeightedBackend{{Weight: 1, Backend: serving("web")}}}),
	}
	table := func(name string) model.RouteTable {
		return model.RouteTable{Name: name, Hosts: []model.Host{{Hostname: "*.shop.example"}, {Hostname: "shop.example", Rules: rules}}}
	}
	set, _ := xds.Build(&model.Gateway{Name: shop("edge"), Listeners: []model.Listener{
		{Port: 80, Protocol: model.HTTP, Chains: []model.FilterChain{{Name: "http-80", Routes: table("http-80")}}},
		{Port: 443, Protocol: model.HTTPS, Chains: []model.FilterChain{
			{Name: "a", ServerNames: []string{"shop.example"}, Certificates: []model.Certificate{{Name: shop("one")}}, Routes: table("https-443-a")},
			{Name: "b", ServerNames: []string{"*.shop.example"}, Certificates: []model.Certificate{{Name: shop("two")}}, Routes: table("https-443-b")},
		}},
	}}, xds.Options{})
	return set
}

func encode(t testing.TB, set *files.Set, options files.Options) []files.File {
	t.Helper()
	encoded, err := files.Encode(set, options)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// tree is a set as a file system has it.
func tree(t testing.TB, set *files.Set, options files.Options) fstest.MapFS {
	t.Helper()
	made := fstest.MapFS{}
	for _, file := range encode(t, set, options) {
		made[set.Name+"/"+file.Path] = &fstest.MapFile{Data: file.Data}
	}
	return made
}

// lay writes a tree into a directory.
func lay(t testing.TB, dir string, tree fstest.MapFS) {
	t.Helper()
	for path, file := range tree {
		target := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, file.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// read is every file of a directory, by its path.
func read(t testing.TB, dir string) map[string]string {
	t.Helper()
	have := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		relative, _ := filepath.Rel(dir, path)
		have[filepath.ToSlash(relative)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return have
}
