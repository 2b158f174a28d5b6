package review

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/config"
)

const checkedBase = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public, namespace: shop}
spec:
  gatewayClassName: any
  listeners: [{name: http, port: 80, protocol: HTTP}]
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: api, namespace: shop}
spec: {ports: [{port: 80}]}
`

// checkedRoute is a route whose rules are lines of "match backend".
func checkedRoute(name string, rules ...string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: %s, namespace: shop}\nspec:\n"+
		"  parentRefs: [{name: public}]\n  hostnames: [shop.example]\n  rules:\n", name)
	for _, rule := range rules {
		at := strings.LastIndexByte(rule, ' ')
		fmt.Fprintf(&out, "  - matches: [%s]\n    backendRefs: [{name: %s, port: 80}]\n", rule[:at], rule[at+1:])
	}
	return out.String()
}

const (
	below    = "{path: {value: /a}}"
	deeper   = "{path: {value: /a/b}}"
	anything = "{path: {type: RegularExpression, value: '/a(/.*)?'}}"
	withX    = "{path: {value: /}, headers: [{name: x, value: '1'}]}"
	withZ    = "{path: {value: /}, headers: [{name: z, value: '1'}]}"
	withQ    = "{path: {value: /}, headers: [{name: q, value: '1'}]}"
)

// TestCheckManifests: each code, with the severity, the line, the object and the field that it is said at, and a part of its words.
func TestCheckManifests(t *testing.T) {
	for name, test := range map[string]struct {
		routes []string
		// want is "severity line code object field: part of the message".
		want []string
	}{
		"nothing": {routes: []string{checkedRoute("one", below+" web", deeper+" api")}},
		"never wins": {
			routes: []string{checkedRoute("one", anything+" web", deeper+" api")},
			want:   []string{"warning 27 RD3001 HTTPRoute shop/one spec.rules[1].matches[0]: rule 1 of HTTPRoute shop/one (~/a(/.*)?) takes all that it matches"},
		},
		"never wins, and does not matter": {
			routes: []string{checkedRoute("one", anything+" web", deeper+" web")},
			want:   []string{"info 27 RD3001 HTTPRoute shop/one spec.rules[1].matches[0]: , and does the same with them"},
		},
		"crossing by kind of path": {
			routes: []string{checkedRoute("one", anything+" web", withX+" api")},
			want:   []string{"info 27 RD3004 HTTPRoute shop/one spec.rules[1].matches[0]: comes first by kind of path match (RegularExpression before PathPrefix); for example: curl -i http://shop.example/a -H 'x: 1'"},
		},
		"crossing by name": {
			routes: []string{checkedRoute("one", withX+" web"), checkedRoute("two", withZ+" api")},
			want:   []string{"warning 35 RD3005 HTTPRoute shop/two spec.rules[0].matches[0]: comes first by name of the route (shop/one before shop/two)"},
		},
		"crossing two at once": {
			routes: []string{checkedRoute("one", withX+" web", withZ+" web", withQ+" api")},
			want:   []string{"info 29 RD3004 HTTPRoute shop/one spec.rules[2].matches[0]: it shares requests in the same way with rule 2 of HTTPRoute shop/one (/*, header z: 1)"},
		},
		"a copy": {
			routes: []string{checkedRoute("one", below+" web"), checkedRoute("two", below+" api")},
			want: []string{
				"warning 35 RD1302 HTTPRoute shop/two spec.rules[0].matches[0]: comes first by name of the route",
				"warning 35 RD3006 HTTPRoute shop/two : every match of it stands in HTTPRoute shop/one too",
			},
		},
		"a copy of a part": {
			routes: []string{checkedRoute("one", below+" web"), checkedRoute("two", below+" api", "{path: {value: /z}} api")},
			want:   []string{"warning 35 RD1302 HTTPRoute shop/two spec.rules[0].matches[0]: comes first by name of the route"},
		},
		"a prefix of characters": {
			routes: []string{checkedRoute("one", "{path: {type: RegularExpression, value: '/a.*'}} web")},
			want:   []string{"info 25 RD3007 HTTPRoute shop/one spec.rules[0].matches[0]: such as /abar"},
		},
	} {
		text := checkedBase + strings.Join(test.routes, "")
		found, err := Check(context.Background(), []string{"-"}, CheckOptions{Environment: Environment{Stdin: strings.NewReader(text)}, Config: new(config.Config)})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range found.Findings {
			got = append(got, fmt.Sprintf("%s %d %s %s %s: %s", d.Severity, d.Position.Line, d.Code, d.Object, d.Field, d.Message))
		}
		same := slices.EqualFunc(got, test.want, func(got, want string) bool {
			place, words, _ := strings.Cut(want, ": ")
			return strings.HasPrefix(got, place+": ") && strings.Contains(got, words)
		})
		if !same {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}
