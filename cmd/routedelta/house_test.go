package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/routedelta/routedelta"

// The house is a pipe: cmd calls plugin, plugin calls render and diff, and these two know nothing of each other but Envoy's files.
// Names are relative to the module where they are its own; dir/... is a folder with all below it.

// unreachable: what the packages may not depend on, at any distance.
var unreachable = []struct {
	why            string
	packages, from string
}{
	{"the two halves are understood apart", "diff/... plugin/... cmd/...", "render/..."},
	{"the halves do not know their callers", "plugin/... cmd/...", "diff/..."},
	{"the plugins do not know the command line", "cmd/...", "plugin/..."},
	{"the answer is about Envoy, whoever made its files", "render render/manifest render/schema render/attach render/model render/precedence render/xds", "diff/..."},
	{"the answer is about Envoy, whoever made its files", "k8s.io/api/... k8s.io/apimachinery/... sigs.k8s.io/gateway-api/...", "diff/..."},
	{"Envoy's terms come into the table, and leave it as data", "github.com/envoyproxy/...", "diff/automaton"},
	{"what only tests need is in no program", "github.com/getkin/kin-openapi/... github.com/google/go-cmp/... github.com/rogpeppe/go-internal/... github.com/santhosh-tekuri/... pgregory.net/rapid/... testing", "cmd/..."},
}

// onlyImporters: the only packages that import something. Those that only tests use may too: their names end in "test".
var onlyImporters = []struct {
	why                 string
	imported, importers string
}{
	{"the client of an API is one room's matter", "github.com/google/go-github/...", "plugin/github"},
	{"Envoy's messages have two ends, and the files between", "github.com/envoyproxy/go-control-plane/envoy/...", "render/xds render/files diff/table"},
	{"the types of the API end where the model begins", "sigs.k8s.io/gateway-api/... k8s.io/...", "render/manifest render/schema/... render/attach render/status"},
	{"the server that checks objects is one room's matter", "k8s.io/apiextensions-apiserver/...", "render/schema/..."},
	{"who can run programs and ask the network is one room's matter", "sigs.k8s.io/kustomize/api/krusty/... sigs.k8s.io/kustomize/api/resmap/... sigs.k8s.io/kustomize/api/konfig/...", "plugin/kustomize"},
	{"what lies over a kustomization is said in its own terms", "sigs.k8s.io/kustomize/api/types", "plugin/kustomize plugin/source"},
	{"the command line is one folder", "github.com/spf13/cobra/... golang.org/x/term", "cmd/routedelta"},
}

// onlyImports: all that a package may import beside the standard library.
var onlyImports = map[string]string{
	"render/diagnostic": "",
	"render/model":      "",
	"render/precedence": "render/model",
	"diff/automaton":    "",
	// A check is worth what it does not share with the engine that found the classes.
	"diff/certificate": "diff/table",
	"diff/verify":      "diff/certificate diff/table diff/automaton render/files",
}

// TestHouse holds every package to the plan of the house.
func TestHouse(t *testing.T) {
	packages := listPackages(t)
	t.Run("dependencies", func(t *testing.T) { checkUnreachable(t, packages) })
	t.Run("importers", func(t *testing.T) { checkImporters(t, packages) })
	t.Run("imports", func(t *testing.T) { checkImports(t, packages) })
	t.Run("rules", func(t *testing.T) { checkRules(t, packages) })
	t.Run("comments", func(t *testing.T) { checkComments(t, packages) })
}

func checkUnreachable(t *testing.T, packages []goPackage) {
	for _, rule := range unreachable {
		for _, p := range packages {
			for _, dependency := range p.Deps {
				if p.matches(rule.from) && matches(dependency, rule.packages) && !p.isTestSupport() {
					t.Errorf("%s depends on %s: %s", p.ImportPath, dependency, rule.why)
				}
			}
		}
	}
}

func checkImporters(t *testing.T, packages []goPackage) {
	for _, rule := range onlyImporters {
		for _, p := range packages {
			for _, imported := range p.Imports {
				if matches(imported, rule.imported) && !p.matches(rule.importers) && !p.isTestSupport() {
					t.Errorf("%s imports %s: %s", p.ImportPath, imported, rule.why)
				}
			}
		}
	}
}

func checkImports(t *testing.T, packages []goPackage) {
	for name, allowed := range onlyImports {
		i := slices.IndexFunc(packages, func(p goPackage) bool { return p.matches(name) })
		if i < 0 {
			t.Errorf("there is no package %s", name)
			continue
		}
		for _, imported := range packages[i].Imports {
			if !isStandard(imported) && !matches(imported, allowed) {
				t.Errorf("%s imports %s, but may import only the standard library and [%s]", name, imported, allowed)
			}
		}
	}
}

// checkRules wants a package behind each pattern: a rule about one that was renamed would hold for ever.
func checkRules(t *testing.T, packages []goPackage) {
	var known, patterns []string
	for _, p := range packages {
		known = slices.Concat(known, []string{p.ImportPath}, p.Deps, p.TestImports, p.XTestImports)
	}
	for _, rule := range unreachable {
		patterns = append(patterns, rule.packages, rule.from)
	}
	for _, rule := range onlyImporters {
		patterns = append(patterns, rule.imported, rule.importers)
	}
	for _, pattern := range strings.Fields(strings.Join(patterns, " ")) {
		if !slices.ContainsFunc(known, func(name string) bool { return matches(name, pattern) }) {
			t.Errorf("no package is %s", pattern)
		}
	}
}

// checkComments wants a comment on every package, also on one that holds only tests.
func checkComments(t *testing.T, packages []goPackage) {
	for _, p := range packages {
		if p.Doc == "" && (len(p.GoFiles) > 0 || !slices.ContainsFunc(slices.Concat(p.TestGoFiles, p.XTestGoFiles), p.explains)) {
			t.Errorf("package %s has no comment", p.ImportPath)
		}
	}
}

// goPackage is what `go list -json` tells of a package of this module.
type goPackage struct {
	ImportPath, Dir, Doc                     string
	Imports, Deps, TestImports, XTestImports []string
	GoFiles, TestGoFiles, XTestGoFiles       []string
}

func (p goPackage) matches(patterns string) bool { return matches(p.ImportPath, patterns) }

// explains tells whether a file has the comment of the package.
func (p goPackage) explains(file string) bool {
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.PackageClauseOnly|parser.ParseComments)
	return err == nil && parsed.Doc != nil
}

func (p goPackage) isTestSupport() bool { return strings.HasSuffix(p.ImportPath, "test") }

// matches tells whether a package is one of the patterns.
func matches(name, patterns string) bool {
	name = strings.TrimPrefix(name, module+"/")
	return slices.ContainsFunc(strings.Fields(patterns), func(pattern string) bool {
		folder, below := strings.CutSuffix(pattern, "/...")
		return name == folder || below && strings.HasPrefix(name, folder+"/")
	})
}

// isStandard: only paths of modules begin with a domain.
func isStandard(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return !strings.Contains(first, ".")
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(inRoot(t, "go", "list", "-json=ImportPath,Dir,Doc,Imports,Deps,TestImports,XTestImports,GoFiles,TestGoFiles,XTestGoFiles", "./...")))
	var packages []goPackage
	for {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// inRoot runs a program in the root of the repository and gives what it prints.
func inRoot(t *testing.T, name string, arguments ...string) []byte {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Dir = "../.."
	var complaint strings.Builder
	command.Stderr = &complaint
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, &complaint)
	}
	return out
}
