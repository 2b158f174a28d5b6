package review

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/plugin/config"
)

// ruleManifests is a Gateway with one route of one rule, which begins in line 7 of its file.
const (
	gatewayManifest = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public, namespace: default}
spec: {gatewayClassName: envoy, listeners: [{name: http, port: 80, protocol: HTTP}]}
`
	ruleManifest = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: web, namespace: default}
spec:
  parentRefs: [{name: public}]
  rules:
`
	toWeb  = "\n    backendRefs: [{name: web, port: 80}]\n"
	toBoth = "  - name: both\n    backendRefs:\n    - {name: web, port: 80}\n    - name: web2\n      port: 80\n"
)

// TestTreatmentsAlone changes one field of a rule at a time: it is said with both values, on the line of the field or of the list that
// it stands in; and what is only written otherwise is not said at all.
func TestTreatmentsAlone(t *testing.T) {
	t.Parallel()
	cors := func(fields string) string {
		return "  - filters:\n    - type: CORS\n      cors: {allowOrigins: ['https://a.example'], " + fields + "}" + toWeb
	}
	origins := func(list string) string {
		return "  - filters:\n    - type: CORS\n      cors: {allowOrigins: [" + list + "]}" + toWeb
	}
	mirror := func(fields string) string {
		return "  - filters:\n    - type: RequestMirror\n      requestMirror: {backendRef: {name: copy, port: 80}" + fields + "}" + toWeb
	}
	retry := func(fields string) string { return "  - name: it\n    retry: {" + fields + "}" + toWeb }
	session := func(fields string) string { return "  - name: it\n    sessionPersistence: {" + fields + "}" + toWeb }
	timed := func(value string) string {
		return "  - name: it\n    timeouts: {request: 5s}\n    filters: [{type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: x-v, value: " + value + "}]}}]" + toWeb
	}
	plain := "  - name: it" + toWeb
	const same = ""
	for _, test := range []struct {
		before, after string
		want          string // "" for nothing
		line          int
	}{
		{cors("allowMethods: [GET]"), cors("allowMethods: [GET, PUT]"), "cors for https://a.example; methods GET; kept seconds 5 -> cors for https://a.example; methods GET, PUT; kept seconds 5", 7},
		{cors("allowMethods: [PUT, GET]"), cors("allowMethods: [GET, PUT]"), same, 0},
		{cors("maxAge: 5"), cors("maxAge: 10"), "kept seconds 5 -> cors for https://a.example; kept seconds 10", 7},
		{cors("maxAge: 5"), cors("allowCredentials: false"), same, 0},
		{cors("maxAge: 5"), cors("allowCredentials: true"), "-> cors for https://a.example; kept seconds 5; with credentials", 7},
		{cors("maxAge: 5"), cors("allowHeaders: [x-b, x-a]"), "-> cors for https://a.example; headers x-a, x-b; kept seconds 5", 7},
		{cors("maxAge: 5"), cors("exposeHeaders: [x-a]"), "-> cors for https://a.example; exposing x-a; kept seconds 5", 7},
		{origins("'https://a.example', 'https://*.b.example'"), origins("'https://*.b.example', 'https://a.example'"), same, 0},
		{origins("'https://a.example'"), origins("'https://*.example'"), "cors for https://a.example; kept seconds 5 -> cors for https://*.example; kept seconds 5", 7},
		{origins("'https://a.example'"), origins("'*'"), "-> cors for *; kept seconds 5", 7},

		{mirror(""), mirror(", percent: 100"), same, 0},
		{mirror(", fraction: {numerator: 1, denominator: 4}"), mirror(", percent: 25"), same, 0},
		{mirror(""), mirror(", percent: 5"), "mirror default/copy:80 -> mirror 5% default/copy:80", 7},
		{mirror(""), strings.Replace(mirror(""), "name: copy", "name: web2", 1), "mirror default/copy:80 -> mirror default/web2:80", 7},

		{retry("codes: [502, 503]"), retry("codes: [503, 502]"), same, 0},
		{retry("codes: [503]"), retry("codes: [503], attempts: 1"), same, 0},
		{retry("codes: [503]"), retry("codes: [503], attempts: 2"), "retry once on 503, connect-failure, refused-stream, reset -> retry up to 2 times on 503, connect-failure, refused-stream, reset", 8},
		{retry("codes: [503]"), retry("codes: [500]"), "retry once on 503, connect-failure, refused-stream, reset -> retry once on 500, connect-failure, refused-stream, reset", 8},
		{retry("codes: [503]"), retry("codes: [503], backoff: 1s"), "refused-stream, reset -> retry once on 503, connect-failure, refused-stream, reset, backing off from 1s", 8},
		{plain, retry("attempts: 3"), "no retry -> retry up to 3 times on connect-failure, refused-stream, reset", 8},

		{session("sessionName: s"), session("sessionName: s, type: Cookie"), same, 0},
		{session("sessionName: s"), session("sessionName: t"), "session in cookie s for / -> session in cookie t for /", 8},
		{session("sessionName: s"), session("sessionName: s, type: Header"), "session in cookie s for / -> session in header s", 8},
		{plain, session("sessionName: s"), "no session -> session in cookie s for /", 8},

		{timed("'1'"), timed("'2'"), "response header x-v: set 1 -> response header x-v: set 2", 9},
		{timed("'1'"), strings.Replace(timed("'1'"), "request: 5s", "request: 6s", 1), "timeout 5s -> timeout 6s", 8},
		{timed("'1'"), strings.Replace(timed("'1'"), "request: 5s", "request: 5000ms", 1), same, 0},

		{toBoth, toBoth + "      filters: []\n", same, 0},
		{toBoth, toBoth + "      filters: [{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: x-v, value: '2'}]}}]\n",
			"no request header x-v -> request header x-v: set 2 (web2:80)", 8},
		{toBoth, toBoth + "      filters: [{type: URLRewrite, urlRewrite: {hostname: b.example}}]\n", "no rewrite host -> rewrite host b.example (web2:80)", 8},
	} {
		answer := answerTo(t, test.before, test.after)
		if test.want == same {
			if !strings.HasSuffix(answer, "\n\nno request changes\n") {
				t.Errorf("from\n%sto\n%sthe answer is\n%swant no change", test.before, test.after, answer)
			}
			continue
		}
		place := fmt.Sprintf("after/route.yaml:%d rule ", test.line)
		if !strings.Contains(answer, test.want+"\n") || !strings.Contains(answer, place) || !strings.Contains(answer, "\n1 kind of request is treated differently; nothing else changes\n") {
			t.Errorf("from\n%sto\n%sthe answer is\n%swant %q at %q", test.before, test.after, answer, test.want, place)
		}
	}
}

// answerTo compares two states of a rule.
func answerTo(t *testing.T, before, after string) string {
	t.Helper()
	dir := t.TempDir()
	services := ""
	for _, name := range []string{"web", "web2", "copy"} {
		services += "---\napiVersion: v1\nkind: Service\nmetadata: {name: " + name + ", namespace: default}\nspec: {ports: [{port: 80}]}\n"
	}
	for side, rule := range map[string]string{"before": before, "after": after} {
		write(t, filepath.Join(dir, side, "gateway.yaml"), []byte(gatewayManifest+services))
		write(t, filepath.Join(dir, side, "route.yaml"), []byte(ruleManifest+rule))
	}
	var text bytes.Buffer
	if err := format.Text(&text, compareSides(t, dir, new(config.Config)).found, format.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
