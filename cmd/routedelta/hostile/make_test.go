package hostile

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// makers write what is too large for an archive, by the word that a script has for it. n is how much of it.
var makers = map[string]func(out *bufio.Writer, n int){
	// text is n letters without a line break.
	"text": func(out *bufio.Writer, n int) { repeat(out, "a", n) },
	// documents are n objects of a few bytes.
	"documents": func(out *bufio.Writer, n int) { repeat(out, "a: 1\n---\n", n) },
	// separators are n documents without anything.
	"separators": func(out *bufio.Writer, n int) { repeat(out, "---\n", n) },
	// brackets are n lists, each in the one before.
	"brackets": func(out *bufio.Writer, n int) { repeat(out, "[", n); repeat(out, "]", n) },
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
	// expressions are rules of one route with n regular expressions that cross each other.
	"expressions": func(out *bufio.Writer, n int) {
		var rules strings.Builder
		for i := range n {
			fmt.Fprintf(&rules, "  - matches: [{path: {type: RegularExpression, value: '/.*%c.*%c.*'}}]\n    backendRefs: [{name: b%d, port: 80}]\n", 'a'+i%26, 'a'+i/26%26, i)
		}
		fmt.Fprintf(out, routeForm, "expressions", "shop.example", rules.String())
	},
	// markup are n routes, each to another backend, whose matches are markup and little else.
	"markup": func(out *bufio.Writer, n int) {
		for i := range n {
			fmt.Fprintf(out, routeForm, fmt.Sprint("m", i), "shop.example", fmt.Sprintf(
				"  - matches: [{path: {value: /m%d}, headers: [{name: x, value: 'pwned%spwned'}]}]\n    backendRefs: [{name: b%d, port: 80}]\n",
				i, strings.Repeat("`|<b>@everyone#1 ```</details>", 40), i))
		}
	},
	// header-rules are n rules of one route that headers decide between.
	"header-rules": func(out *bufio.Writer, n int) {
		var rules strings.Builder
		for i := range n {
			fmt.Fprintf(&rules, "  - matches: [{headers: [{name: x-%d, value: a}, {name: x-%d, value: b}]}]\n    backendRefs: [{name: b%d, port: 80}]\n", i%16, i/16%16, i)
		}
		fmt.Fprintf(out, routeForm, "headers", "shop.example", rules.String())
	},
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

// make writes a file: make WHAT N FILE, or a folder of n files: make files N DIR.
func (w *world) make(ts *testscript.TestScript, arguments []string) {
	if len(arguments) != 3 {
		ts.Fatalf("usage: make WHAT N FILE")
	}
	n, err := strconv.Atoi(arguments[1])
	ts.Check(err)
	name := ts.MkAbs(arguments[2])
	if arguments[0] == "files" {
		ts.Check(os.MkdirAll(name, 0o755))
		for i := range n {
			ts.Check(os.WriteFile(filepath.Join(name, fmt.Sprint(i, ".yaml")), []byte("a: 1\n"), 0o644))
		}
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
