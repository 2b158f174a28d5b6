package hostile

import (
	"bufio"
	"crypto/sha1"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/routedelta/routedelta/diff/report"
)

// makers write what is too large for an archive, by the word that a script has for it. n is how much of it.
var makers = map[string]func(out *bufio.Writer, n int){
	// text is n letters without a line break.
	"text": func(out *bufio.Writer, n int) { repeat(out, "a", n) },
	// zeros are n bytes of nothing, which pack well.
	"zeros": func(out *bufio.Writer, n int) { repeat(out, strings.Repeat("\x00", 1000), n/1000) },
	// numbers are a list of n.
	"numbers": func(out *bufio.Writer, n int) {
		out.WriteString("[0")
		repeat(out, ",1", n)
		out.WriteString("]")
	},
	// documents are n objects of a few bytes.
	"documents": func(out *bufio.Writer, n int) { repeat(out, "a: 1\n---\n", n) },
	// configmaps are n objects that no rendering reads.
	"configmaps": func(out *bufio.Writer, n int) {
		for i := range n {
			fmt.Fprintf(out, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d, namespace: infra}\ndata: {a: b}\n", i)
		}
	},
	// index are n files of "a: 1" for git update-index, by way of a file that has that already.
	"index": func(out *bufio.Writer, n int) {
		blob := sha1.Sum([]byte("blob 5\x00a: 1\n"))
		for i := range n {
			fmt.Fprintf(out, "100644 %x\td%d/%d.yaml\n", blob, i/1000, i)
		}
	},
	// separators are n documents without anything.
	"separators": func(out *bufio.Writer, n int) { repeat(out, "---\n", n) },
	// brackets are n lists, each in the one before.
	"brackets": func(out *bufio.Writer, n int) { repeat(out, "[", n); repeat(out, "]", n) },
	// braces are n objects of JSON, each in the one before.
	"braces": func(out *bufio.Writer, n int) {
		out.WriteString(`{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": `)
		repeat(out, `{"items":`, n)
		out.WriteString("1")
		repeat(out, "}", n+1)
	},
	// classes are a report with n classes of which nothing is said.
	"classes": func(out *bufio.Writer, n int) {
		fmt.Fprintf(out, `{"version": %q, "classes": [{}`, report.Version)
		repeat(out, ",{}", n-1)
		out.WriteString("]}")
	},
	// any-in-any is a message of Envoy in a message in a message, n deep.
	"any-in-any": func(out *bufio.Writer, n int) {
		repeat(out, `{"@type": "type.googleapis.com/google.protobuf.Any", "value": `, n)
		out.WriteString("{}")
		repeat(out, "}", n)
	},
	// indents are n mappings, each in the one before, in block style.
	"indents": func(out *bufio.Writer, n int) {
		for i := range n {
			repeat(out, " ", i)
			out.WriteString("a:\n")
		}
	},
	// aliases are n lists of nine references to the one before: 9 to the power of n.
	"aliases": func(out *bufio.Writer, n int) {
		out.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x]\n")
		for i := range n {
			fmt.Fprintf(out, "a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 9), ","))
		}
	},
	// merges are n mappings of which each merges the one before twice.
	"merges": func(out *bufio.Writer, n int) {
		out.WriteString("a0: &a0 {x: 1}\n")
		for i := range n {
			fmt.Fprintf(out, "a%d: &a%d {<<: [*a%d, *a%d], y%d: 1}\n", i+1, i+1, i, i, i)
		}
	},
	// routes are n HTTPRoutes of one rule.
	"routes": func(out *bufio.Writer, n int) {
		for i := range n {
			fmt.Fprintf(out, routeForm, fmt.Sprint("r", i), fmt.Sprintf("h%d.example", i%1000), fmt.Sprintf("  - matches: [{path: {value: /p%d}}]\n    backendRefs: [{name: web, port: 80}]\n", i))
		}
	},
	// expressions are n routes with regular expressions that cross each other.
	"expressions": func(out *bufio.Writer, n int) {
		for i := range n {
			fmt.Fprintf(out, routeForm, fmt.Sprint("e", i), "shop.example", fmt.Sprintf(
				"  - matches: [{path: {type: RegularExpression, value: '/.*%c.*%c.*'}}]\n    backendRefs: [{name: b%d, port: 80}]\n", 'a'+i%8, 'a'+i/8%26, i))
		}
	},
	// markup are n routes, each to another backend, whose matches are markup and little else.
	"markup": func(out *bufio.Writer, n int) {
		for i := range n {
			fmt.Fprintf(out, routeForm, fmt.Sprint("m", i), "shop.example", fmt.Sprintf(
				"  - matches: [{path: {value: /m%d}, headers: [{name: x, value: 'pwned%spwned'}]}]\n    backendRefs: [{name: b%d, port: 80}]\n",
				i, strings.Repeat("`|<b>@everyone#1 ```</details>", 40), i))
		}
	},
	// header-routes are n routes that pairs of headers decide between.
	"header-routes": func(out *bufio.Writer, n int) {
		for i := range n {
			fmt.Fprintf(out, routeForm, fmt.Sprint("h", i), "shop.example", fmt.Sprintf(
				"  - matches: [{headers: [{name: x-%d, value: a}, {name: y-%d, value: b}]}]\n    backendRefs: [{name: b%d, port: 80}]\n", i%18, i/18%18, i))
		}
	},
	// defaults are variables of Flux, each the default of the one before.
	"defaults": func(out *bufio.Writer, n int) {
		var value strings.Builder
		for i := range n {
			fmt.Fprintf(&value, "${v%d:=", i)
		}
		fmt.Fprintf(out, routeForm, "defaults", "shop.example", "  - matches: [{path: {value: '/"+value.String()+"x"+strings.Repeat("}", n)+"'}}]\n    backendRefs: [{name: web, port: 80}]\n")
	},
}

// folders write what is many files, by the word that a script has for it.
var folders = map[string]func(dir string, n int) error{
	// files are n of a few bytes.
	"files": func(dir string, n int) error {
		for i := range n {
			if err := writeBelow(dir, fmt.Sprint(i, ".yaml"), "a: 1\n"); err != nil {
				return err
			}
		}
		return nil
	},
	// deep are n directories, each in the one before, with a route in the last.
	"deep": func(dir string, n int) error {
		return writeBelow(dir, strings.Repeat("d/", n)+"route.yaml", fmt.Sprintf(routeForm, "deep", "shop.example", "  - backendRefs: [{name: web, port: 80}]\n"))
	},
	// layers are n kustomizations that each include the one below twice.
	"layers": func(dir string, n int) error {
		for i := range n {
			text := fmt.Sprintf("resources: [../%d, ../%da]\n", i-1, i-1)
			if i == 0 {
				text = "resources: []\n"
			}
			for _, twin := range []string{"", "a"} {
				if err := writeBelow(dir, fmt.Sprintf("%d%s/kustomization.yaml", i, twin), text); err != nil {
					return err
				}
			}
		}
		return nil
	},
}

func writeBelow(dir, name, text string) error {
	name = filepath.Join(dir, filepath.FromSlash(name))
	return errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644))
}

const routeForm = `---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: %s, namespace: infra}
spec:
  parentRefs: [{name: edge}]
  hostnames: [%s]
  rules:
%s`

func repeat(out *bufio.Writer, text string, n int) {
	for range n {
		out.WriteString(text)
	}
}

// make writes a file or a folder: make WHAT N PLACE.
func (w *world) make(ts *testscript.TestScript, arguments []string) {
	if len(arguments) != 3 {
		ts.Fatalf("usage: make WHAT N FILE")
	}
	n, err := strconv.Atoi(arguments[1])
	ts.Check(err)
	name := ts.MkAbs(arguments[2])
	if write, ok := folders[arguments[0]]; ok {
		ts.Check(write(name, n))
		return
	}
	maker, ok := makers[arguments[0]]
	if !ok {
		ts.Fatalf("there is no maker of %s", arguments[0])
	}
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	ts.Check(err)
	out := bufio.NewWriter(file)
	maker(out, n)
	ts.Check(out.Flush())
	ts.Check(file.Close())
}
