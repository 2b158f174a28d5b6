package manifest

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

// readText reads one source named f.yaml.
func readText(t *testing.T, text string) (*Objects, diagnostic.List) {
	t.Helper()
	return reader.Read(t.Context(), []Source{{Name: "f.yaml", Data: []byte(text), Named: true}})
}

// reader shares definitions, which take longer to compile than a test takes.
var reader = NewReader(Limits{})

// within is the reader with other limits.
func within(limits Limits) Reader { return Reader{Limits: limits, Schema: reader.Schema} }

// summary lists what was read, one object a line.
func summary(o *Objects) []string {
	var lines []string
	add := func(object diagnostic.Object, line int, note string) {
		lines = append(lines, fmt.Sprintf("%s:%d%s", object, line, note))
	}
	for _, l := range o.GatewayClasses {
		add(diagnostic.Object{Kind: "GatewayClass", Name: l.Object.Name}, l.Places.Document.Line, "")
	}
	for _, l := range o.Gateways {
		add(diagnostic.Object{Kind: "Gateway", Namespace: l.Object.Namespace, Name: l.Object.Name}, l.Places.Document.Line, "")
	}
	for _, l := range o.HTTPRoutes {
		add(diagnostic.Object{Kind: "HTTPRoute", Namespace: l.Object.Namespace, Name: l.Object.Name}, l.Places.Document.Line, "")
	}
	for _, l := range o.Services {
		add(diagnostic.Object{Kind: "Service", Namespace: l.Object.Namespace, Name: l.Object.Name}, l.Places.Document.Line, "")
	}
	for _, l := range o.Secrets {
		add(diagnostic.Object{Kind: "Secret", Namespace: l.Object.Namespace, Name: l.Object.Name}, l.Places.Document.Line, "")
	}
	for _, other := range o.Others {
		add(other.Object, other.Position.Line, " other")
	}
	for _, other := range o.Invalid {
		add(other.Object, other.Position.Line, " invalid")
	}
	return lines
}

// head is an HTTPRoute up to its spec; route has an empty one.
func head(name string) string {
	return "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: " + name + ", namespace: ns}\n"
}

func route(name string) string { return head(name) + "spec: {}\n" }

// TestDocuments shows which texts hold which objects, and at which lines.
func TestDocuments(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"several documents":      {route("b") + "---\n" + route("a"), []string{"HTTPRoute ns/a:6", "HTTPRoute ns/b:1"}},
		"byte order mark":        {"\ufeff" + route("a"), []string{"HTTPRoute ns/a:1"}},
		"line ends of Windows":   {strings.ReplaceAll(route("b")+"---\n"+route("a"), "\n", "\r\n"), []string{"HTTPRoute ns/a:6", "HTTPRoute ns/b:1"}},
		"comments only":          {"# nothing\n---\n# here\n---\n" + route("a") + "---\n\n", []string{"HTTPRoute ns/a:5"}},
		"directive":              {"%YAML 1.1\n---\n" + route("a"), []string{"HTTPRoute ns/a:3"}},
		"end marker":             {route("b") + "...\n" + route("a"), []string{"HTTPRoute ns/a:6", "HTTPRoute ns/b:1"}},
		"content behind marker":  {"--- {apiVersion: v1, kind: Secret, metadata: {name: s}}\n", []string{"Secret default/s:1"}},
		"marker inside a scalar": {"apiVersion: v1\nkind: Endpoints\nmetadata: {name: c}\ndata:\n  x: |\n    a\n    ---\n    b\n", []string{"Endpoints c:1 other"}},
		"JSON":                   {"{\n\t\"apiVersion\": \"v1\", \"kind\": \"Secret\",\n\t\"metadata\": {\"name\": \"s\"}\n}\n", []string{"Secret default/s:1"}},
		"stream of JSON": {"{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\"}}\n{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"t\"}}",
			[]string{"Secret default/s:1", "Secret default/t:2"}},
		"list":       {"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: s}\n- {}\n- 1\n", []string{"Secret default/s:4"}},
		"typed list": {"apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRouteList\nitems:\n- metadata: {name: s}\n  spec: {}\n", []string{"HTTPRoute default/s:4"}},
		"list of lists": {"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: List\n  items:\n  - apiVersion: v1\n    kind: Secret\n    metadata: {name: s}\n",
			[]string{"Secret default/s:7"}},
		"foreign kinds":         {"apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: s, namespace: ns}\n", []string{"Service ns/s:1 other"}},
		"kustomization":         {"resources: [a.yaml]\n---\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n", []string{"Kustomization:3 other"}},
		"Helm values":           {"route:\n  main:\n    hostnames: [a]\n", nil},
		"package.json":          {"{\"name\": \"x\", \"version\": \"1\"}", nil},
		"cluster scoped kind":   {"apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: c, namespace: ns}\nspec: {controllerName: a/b}\n", []string{"GatewayClass c:1"}},
		"anchor and merge key":  {"apiVersion: v1\nkind: Secret\nmetadata: {<<: [{name: s}, {name: t, namespace: ns}], namespace: m}\n", []string{"Secret m/s:1"}},
		"older version, served": {"apiVersion: gateway.networking.k8s.io/v1beta1\nkind: HTTPRoute\nmetadata: {name: r}\nspec: {}\n", []string{"HTTPRoute default/r:1"}},
		"UTF-16":                {"\xff\xfe" + strings.Join(strings.Split("{kind: Secret, apiVersion: v1, metadata: {name: s}}\n---\n{kind: Secret, apiVersion: v1, metadata: {name: t}}\n", ""), "\x00") + "\x00", []string{"Secret default/s:1", "Secret default/t:3"}},
		"JSON escapes":          {`{"apiVersion":"v1","kind":"Endpoints","metadata":{"name":"\ud83d\ude00\/"}}`, []string{"Endpoints \U0001f600/:1 other"}},
		"empty":                 {"", nil},
		"scalar":                {"hello\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			objects, found := readText(t, test.text)
			if diff := cmp.Diff(test.want, summary(objects)); diff != "" {
				t.Error(diff)
			}
			for _, d := range found {
				if d.Code != diagnostic.NoObject {
					t.Error(d)
				}
			}
		})
	}
}

// TestFindings shows each finding of this package: its line as the terminal prints it, and what to do.
func TestFindings(t *testing.T) {
	spec := head("r") + "spec:\n"
	for name, test := range map[string]struct{ text, want, hint string }{
		"not YAML": {spec + "  hostnames: [a\n  rules: x: y\n",
			"f.yaml:5: RD1001 not YAML or JSON: did not find expected ',' or ']'", "correct the syntax"},
		"broken in a later document": {route("a") + "---\n" + spec + "\t- x\n",
			"f.yaml:10: RD1001 not YAML or JSON: found character that cannot start any token", "correct the syntax"},
		"text behind a document": {"{kind: HTTPRoute}\nb: 2\n", "f.yaml:2: RD1001 not YAML or JSON: did not find expected <document start>", ""},
		"template":               {"kind: HTTPRoute\n{{- if .Values.x }}\n", "f.yaml:2: RD1001 not YAML or JSON: ", "template"},
		"binary":                 {"a: \x01\xff\n", "f.yaml:1: RD1001 not YAML or JSON: ", "UTF-8"},
		"alias bomb": {"a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n",
			"f.yaml:1:1: RD1003 aliases unfold to too much: more than 1000 nodes out of 49", "write the values out"},
		"anchor in itself": {"a: &a [*a]\n", "f.yaml:1:1: RD1003 aliases unfold to too much: anchor \"a\" contains itself", ""},
		"too deep":         {strings.Repeat("[", 200) + strings.Repeat("]", 200), "f.yaml:1:1: RD1002 too deep: 200 levels, the limit is 100", ""},
		"unknown field": {spec + "  hostname: [a.example]\n",
			"f.yaml:5:3: RD1004 HTTPRoute ns/r: spec.hostname: strict decoding error: unknown field \"spec.hostname\"", "did you mean \"hostnames\"?"},
		"unknown field in a list": {spec + "  rules:\n  - matches:\n    - paths: {value: /}\n",
			"f.yaml:7:7: RD1004 HTTPRoute ns/r: spec.rules[0].matches[0].paths: strict decoding error: unknown field \"spec.rules[0].matches[0].paths\"", "did you mean \"path\"?"},
		"hostile field name":  {spec + "  \"a\\nRD1000 \\u202e\": 1\n", "f.yaml:5:3: RD1004 HTTPRoute ns/r: spec.a\\nRD1000 \\u202e: strict decoding error: unknown field \"spec.a\\nRD1000 \\u202e\"", ""},
		"field in other case": {spec + "  parentrefs: []\n", "f.yaml:5:3: RD1004 HTTPRoute ns/r: spec.parentrefs: strict decoding error: unknown field \"spec.parentrefs\"", "did you mean \"parentRefs\"?"},
		"unknown field, no near one": {spec + "  tls: {}\n", "f.yaml:5:3: RD1004 HTTPRoute ns/r: spec.tls: strict decoding error: unknown field \"spec.tls\"",
			"fields here are: hostnames, parentRefs, rules, useDefaultGateways"},
		"string for a list":       {spec + "  hostnames: a.example\n", "f.yaml:5:3: RD1005 HTTPRoute ns/r: spec.hostnames: Invalid value: \"string\": spec.hostnames in body must be of type array: \"string\"", "- "},
		"string for a number":     {spec + "  parentRefs: [{name: g, port: \"80\"}]\n", "f.yaml:5:26: RD1005 HTTPRoute ns/r: spec.parentRefs[0].port: Invalid value: \"string\": spec.parentRefs[0].port in body must be of type integer: \"string\"", "remove the quotes"},
		"word for a number":       {spec + "  parentRefs: [{name: g, port: http}]\n", "f.yaml:5:26: RD1005 HTTPRoute ns/r: spec.parentRefs[0].port: Invalid value: \"string\": spec.parentRefs[0].port in body must be of type integer: \"string\"", "write a whole number"},
		"number for a time":       {spec + "  rules: [{timeouts: {request: 10}}]\n", "f.yaml:5:23: RD1005 HTTPRoute ns/r: spec.rules[0].timeouts.request: Invalid value: \"integer\": spec.rules[0].timeouts.request in body must be of type string: \"integer\"", "write it like 500ms"},
		"kind in other case":      {"apiVersion: gateway.networking.k8s.io/v1\nkind: HttpRoute\nmetadata: {name: r}\n", "f.yaml:1:1: RD1012 HttpRoute r: kind: no matches for kind \"HttpRoute\" in version \"gateway.networking.k8s.io/v1\"", "did you mean HTTPRoute?"},
		"core kind in other case": {"apiVersion: v1\nkind: service\nmetadata: {name: s}\n", "f.yaml:1:1: RD1012 service s: kind: no matches for kind \"service\" in version \"v1\"", "did you mean Service?"},
		"group misspelt":          {"apiVersion: gateway.networking.k8s.oi/v1\nkind: HTTPRoute\nmetadata: {name: r}\n", "f.yaml:1:1: RD1012 HTTPRoute r: apiVersion: no matches for kind \"HTTPRoute\" in version \"gateway.networking.k8s.oi/v1\"", "did you mean gateway.networking.k8s.io/v1?"},
		"bad indentation":         {spec + "  rules:\n  - matches: []\n  - matches: []\n     filters: []\n   backendRefs: []\n", "f.yaml:7: RD1001 not YAML or JSON: did not find expected key", "in the block that begins at this line"},
		"number out of range":     {spec + "  parentRefs: [{name: g, port: 99999999999}]\n", "f.yaml:5:26: RD1105 HTTPRoute ns/r: spec.parentRefs[0].port: Invalid value: 99999999999: spec.parentRefs[0].port in body should be less than or equal to 65535", ""},
		"number for a string":     {spec + "  rules: [{matches: [{headers: [{name: v, value: 2}]}]}]\n", "f.yaml:5:43: RD1005 HTTPRoute ns/r: spec.rules[0].matches[0].headers[0].value: Invalid value: \"integer\": spec.rules[0].matches[0].headers[0].value in body must be of type string: \"integer\"", "\"2\""},
		"boolean of YAML 1.1":     {spec + "  rules: [{matches: [{headers: [{name: v, value: on}]}]}]\n", "f.yaml:5:43: RD1005 HTTPRoute ns/r: spec.rules[0].matches[0].headers[0].value: Invalid value: \"boolean\": spec.rules[0].matches[0].headers[0].value in body must be of type string: \"boolean\"", "put quotes around it"},
		"list for an object":      {spec + "  rules: [[]]\n", "f.yaml:5:11: RD1005 HTTPRoute ns/r: spec.rules[0]: Invalid value: \"array\": spec.rules[0] in body must be of type object: \"array\"", ""},
		"null in a list":          {spec + "  rules: [~]\n", "f.yaml:5:11: RD1005 HTTPRoute ns/r: spec.rules[0]: Invalid value: \"null\": spec.rules[0] in body must be of type object: \"null\"", ""},
		"bad time":                {"apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r, creationTimestamp: soon}\n", "f.yaml:3:21: RD1005 HTTPRoute default/r: metadata.creationTimestamp: invalid value \"soon\": ", ""},
		"an object twice":         {route("r") + "---\n" + route("r"), "f.yaml:6:1: RD1006 HTTPRoute ns/r: the object stands twice in the input, first at f.yaml:1:1", "keep one"},
		"key twice":               {spec + "  hostnames: [a]\n  hostnames: [b]\n", "f.yaml:6:3: RD1010 HTTPRoute ns/r: spec: key \"hostnames\" stands twice in this mapping, first in line 5", "keep one"},
		"no route":                {"apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n", "RD1011 the input has no route", ""},
		"version not served":      {"apiVersion: gateway.networking.k8s.io/v1alpha2\nkind: HTTPRoute\nmetadata: {name: r}\n", "f.yaml:1:1: RD1012 HTTPRoute r: apiVersion: version gateway.networking.k8s.io/v1alpha2 of HTTPRoute is not served", "gateway.networking.k8s.io/v1"},
		"no name":                 {"apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {generateName: g-}\n", "f.yaml:1:1: RD1013 Gateway: metadata.name: required value", "generateName"},
		"no apiVersion":           {"kind: HTTPRoute\nmetadata: {name: g}\n", "f.yaml:1:1: RD1013 HTTPRoute g: apiVersion: required value", "gateway.networking.k8s.io/v1"},
		"no kind":                 {"apiVersion: gateway.networking.k8s.io/v1\nmetadata: {name: g}\n", "f.yaml:1:1: RD1013 g: kind: required value", "HTTPRoute"},
		"variable":                {spec + "  hostnames: [\"a.${DOMAIN}\", \"b.${DOMAIN}\"]\n", "f.yaml:5:15: RD1014 HTTPRoute ns/r: variable ${DOMAIN} has no value here: \"domain.invalid\" stands for it", "after substitution"},
		"variable for a number": {spec + "  parentRefs:\n  - name: g\n    port: ${PORT}\n", "f.yaml:7:5: RD1005 HTTPRoute ns/r: spec.parentRefs[0].port: Invalid value: \"string\": spec.parentRefs[0].port in body must be of type integer: \"string\"",
			"the variable has no value here"},
	} {
		t.Run(name, func(t *testing.T) {
			_, found := readText(t, test.text)
			for _, d := range found {
				if strings.HasPrefix(d.String(), test.want) && strings.Contains(d.Hint, test.hint) {
					return
				}
			}
			t.Errorf("want %s\nhint %s\ngot:", test.want, test.hint)
			for _, d := range found {
				t.Errorf("%s\nhint %s", d, d.Hint)
			}
		})
	}
}

// TestSeverityOfBrokenText: what merely lies in a tree is no reason to stop, unless it could hold a route.
func TestSeverityOfBrokenText(t *testing.T) {
	for name, test := range map[string]struct {
		text  string
		named bool
		want  diagnostic.Severity
	}{
		"foreign text in a tree":          {"a: b: c\n", false, diagnostic.Warning},
		"foreign text that was named":     {"a: b: c\n", true, diagnostic.Error},
		"route in a tree":                 {"apiVersion: gateway.networking.k8s.io/v1\na: b: c\n", false, diagnostic.Error},
		"Service in a tree":               {"kind: Service\na: b: c\n", false, diagnostic.Error},
		"template of a route in a tree":   {"kind: HTTPRoute\n{{- x }}\n", false, diagnostic.Warning},
		"template of a route that I name": {"kind: HTTPRoute\n{{- x }}\n", true, diagnostic.Error},
	} {
		t.Run(name, func(t *testing.T) {
			_, found := Read(t.Context(), []Source{{Name: "f.yaml", Data: []byte(test.text), Named: test.named}}, Limits{})
			for _, d := range found {
				if d.Code == diagnostic.NotYAML && d.Severity == test.want {
					return
				}
			}
			t.Error(found)
		})
	}
}

// TestBadHidesNothing: every good object around bad ones is read, and the bad ones are known by name.
func TestBadHidesNothing(t *testing.T) {
	objects, found := readText(t, route("a")+"---\n\tbroken\n---\n"+head("b")+"spec: {x: 1}\n---\n"+route("c"))
	if want := []string{"HTTPRoute ns/a:1", "HTTPRoute ns/c:13", "HTTPRoute ns/b:8 invalid"}; !cmp.Equal(want, summary(objects)) {
		t.Error(cmp.Diff(want, summary(objects)))
	}
	if len(found) != 2 {
		t.Error(found)
	}
}

// TestValues shows values that YAML spells in unusual ways.
func TestValues(t *testing.T) {
	objects, found := readText(t, `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: r
  creationTimestamp: 2024-01-02T03:04:05Z
  annotations: {a: "${KEPT}"}
  labels: {a: "${ANY_NAME}"}
spec:
  hostnames: [&h a.example, *h, "${A:=b.example}", "x.${A_B}"]
  parentRefs:
  - {name: "${GW}", port: 0x50}
  - {name: g, port: 80.0}
  - name: g
    port: ${P:-81}
  rules:
  - name: "yes"
    matches:
    - path: {type: RegularExpression, value: !!str 2}
    - path: null
      method: null
status: {whatever: [1]}
`)
	if found.HasErrors() || len(objects.HTTPRoutes) != 1 {
		t.Fatal(found)
	}
	r := objects.HTTPRoutes[0]
	if got := r.Object.CreationTimestamp.UTC().String(); got != "2024-01-02 03:04:05 +0000 UTC" {
		t.Error(got)
	}
	if got := fmt.Sprint(r.Object.Spec.Hostnames); got != "[a.example a.example b.example x.a-b.invalid]" {
		t.Error(got)
	}
	if ports := r.Object.Spec.ParentRefs; ports[0].Name != "gw" || *ports[0].Port != 80 || *ports[1].Port != 80 || *ports[2].Port != 81 {
		t.Error(ports)
	}
	if got := r.Object.Annotations["a"]; got != "${KEPT}" {
		t.Error(got)
	}
	if got := r.Object.Labels["a"]; got != "any-name" { // ${ANY_NAME} is no value of a label
		t.Error(got)
	}
	if strings.Contains(fmt.Sprint(found), "ANY_NAME") {
		t.Errorf("a label that bears on nothing is complained of: %v", found)
	}
	if rule := r.Object.Spec.Rules[0]; *rule.Name != "yes" || *rule.Matches[0].Path.Value != "2" || *rule.Matches[1].Path.Value != "/" || rule.Matches[1].Method != nil {
		t.Error(rule)
	}
	if !r.NamespaceAbsent || r.Object.Namespace != "default" {
		t.Error(r.Object.Namespace)
	}
}

// TestPlaces shows the place of a field, and of the field above where there is none.
func TestPlaces(t *testing.T) {
	objects, _ := readText(t, head("r")+`spec:
  rules:
  - backendRefs:
    - name: a
      port: 1
    - name: b
      port: 2
  - matches:
    - path: {value: /x}
`)
	places := objects.HTTPRoutes[0].Places
	for field, want := range map[string]string{
		"":                                    "f.yaml:1:1",
		"metadata.name":                       "f.yaml:3:12",
		"spec":                                "f.yaml:4:1",
		"spec.rules[0]":                       "f.yaml:6:5",
		"spec.rules[0].backendRefs[1].name":   "f.yaml:9:7",
		"spec.rules[0].backendRefs[1].port":   "f.yaml:10:7",
		"spec.rules[1].matches[0].path.value": "f.yaml:12:14",
		"spec.rules[2].matches":               "f.yaml:5:3",
		"status":                              "f.yaml:1:1",
		"[":                                   "f.yaml:1:1",
	} {
		if got := places.At(field).String(); got != want {
			t.Errorf("%s: %s, want %s", field, got, want)
		}
	}
	if got := (*Places)(nil).At("spec"); got != (diagnostic.Position{}) {
		t.Error(got)
	}
}

// TestLimits: each limit is an error that names what went over it.
func TestLimits(t *testing.T) {
	two := []Source{{Name: "a.yaml", Data: []byte(route("a"))}, {Name: "b.yaml", Data: []byte(route("b"))}}
	for name, test := range map[string]struct {
		limits Limits
		want   string
	}{
		"file":      {Limits{FileBytes: 10}, "a.yaml: RD1002 file has "},
		"sum":       {Limits{TotalBytes: int64(len(two[0].Data)) + 1}, "b.yaml: RD1002 all files together"},
		"documents": {Limits{Documents: 1}, "b.yaml: RD1002 more than 1 documents"},
		"depth":     {Limits{Depth: 1}, "a.yaml:1:1: RD1002 too deep"},
	} {
		t.Run(name, func(t *testing.T) {
			_, found := within(test.limits).Read(t.Context(), two)
			if !strings.Contains(fmt.Sprint(found), test.want) || !found.HasErrors() {
				t.Error(found)
			}
		})
	}
}

// TestManySmallBombs: aliases of all documents count together.
func TestManySmallBombs(t *testing.T) {
	one := "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
	_, found := readText(t, strings.Repeat(one+"---\n", 20))
	if found.HasErrors() {
		t.Error(found)
	}
	_, found = Read(t.Context(), []Source{{Name: "f.yaml", Data: []byte(strings.Repeat(one+"---\n", 20))}}, Limits{AliasNodes: 1000})
	if !strings.Contains(fmt.Sprint(found), "RD1003 the aliases of all documents together") {
		t.Error(found)
	}
}

// TestCancelled: a cancelled context ends the reading.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if objects, _ := Read(ctx, []Source{{Name: "f.yaml", Data: []byte(route("a"))}}, Limits{}); len(objects.HTTPRoutes) != 0 {
		t.Error(objects.HTTPRoutes)
	}
	if _, _, err := WalkFS(ctx, openRoot(t, t.TempDir()), ".", Limits{}); err == nil {
		t.Error("no error")
	}
}

// TestLargeList: a list that is cut into its items reads as one that is not, lines included.
func TestLargeList(t *testing.T) {
	routes := string(manifesttest.Routes(250))
	for name, indent := range map[string]string{"indented": "  ", "not indented": ""} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("# a comment\napiVersion: v1\nkind: List\nitems:\n\n")
			for one := range strings.SplitSeq(strings.TrimPrefix(routes, "---\n"), "---\n") {
				b.WriteString(indent + "# one\n" + indent + "- " + strings.ReplaceAll(strings.TrimSuffix(one, "\n"), "\n", "\n  "+indent) + "\n")
			}
			b.WriteString(indent + "- apiVersion: v1\n" + indent + "  kind: ConfigMap\n" + indent + "  metadata: {name: c}\n" + indent + "  data:\n" + indent + "    x: |\n" + indent + "      - a\n" + indent + "      # b\n\n")
			b.WriteString("metadata:\n  resourceVersion: \"\"\n")
			source := &Source{Name: "f.yaml", Data: []byte(b.String())}
			if pieces := split(source); len(pieces) != 251 {
				t.Fatalf("%d pieces", len(pieces))
			}
			if last := split(source)[250].text; !strings.HasSuffix(strings.TrimSpace(string(last)), "# b") {
				t.Errorf("the last line of a block scalar is lost: %s", last)
			}
			// The same text with an anchor in it stays whole.
			whole := &Source{Name: "f.yaml", Data: []byte(strings.Replace(b.String(), "resourceVersion: \"\"", "resourceVersion: &a \"\"", 1))}
			if pieces := split(whole); len(pieces) != 1 {
				t.Fatalf("%d pieces", len(pieces))
			}
			got, found := Read(t.Context(), []Source{*source}, Limits{})
			want, _ := Read(t.Context(), []Source{*whole}, Limits{})
			if len(found) != 0 || len(got.HTTPRoutes) != 250 {
				t.Fatal(len(got.HTTPRoutes), found)
			}
			if !reflect.DeepEqual(want, got) {
				t.Error("the objects differ")
			}
		})
	}
}

// TestOrderOfSources: files in another order give the same objects.
func TestOrderOfSources(t *testing.T) {
	a, b := Source{Name: "a.yaml", Data: []byte(route("x") + "---\n" + route("y"))}, Source{Name: "b.yaml", Data: []byte(route("w"))}
	one, _ := Read(t.Context(), []Source{a, b}, Limits{})
	other, _ := Read(t.Context(), []Source{b, a}, Limits{})
	if diff := cmp.Diff(one, other, cmp.AllowUnexported(Places{}, place{})); diff != "" {
		t.Error(diff)
	}
}

// TestReadNodes: nodes of a ResourceList are read as documents are, with the file that they came from and no line.
func TestReadNodes(t *testing.T) {
	var stream yaml.Node
	if err := yaml.Unmarshal([]byte(head("r")+"spec: {hostnames: 1}\n"), &stream); err != nil {
		t.Fatal(err)
	}
	var good yaml.Node
	if err := yaml.Unmarshal([]byte(route("s")), &good); err != nil {
		t.Fatal(err)
	}
	nodes := []Node{{Node: stream.Content[0], File: "routes/a.yaml"}, {File: "skipped.yaml"}, {Node: good.Content[0], File: "b.yaml"}}
	objects, found := ReadNodes(t.Context(), len(nodes), func(i int) Node { return nodes[i] })
	if len(found) != 1 || found[0].String() != "routes/a.yaml: RD1005 HTTPRoute ns/r: spec.hostnames: Invalid value: \"integer\": spec.hostnames in body must be of type array: \"integer\"" {
		t.Error(found)
	}
	if len(objects.HTTPRoutes) != 1 || objects.HTTPRoutes[0].Places.At("metadata.name") != (diagnostic.Position{File: "b.yaml"}) {
		t.Error(objects.HTTPRoutes)
	}
}

// FuzzRead: whatever the text, reading ends, bounded, and finds its own output's order.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		route("r"), "a: &a [*a]", "{\"a\":1}{", "---\n...\n%YAML 1.1\n---\n", "kind: List\napiVersion: v1\nitems: [[[", "<<: {<<: 1}", "? [a]\n: b\n", "\xff\xfe\x00",
		head("r") + "spec: {rules: [{matches: [{path: {value: ${X:-/}}}]}], hostnames: [!!binary YQ==, 0o7, .inf, 2001-01-01, ~]}\n",
		"apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: e}\nports: [{port: 1e2}]\nendpoints: [{conditions: {ready: yes}}]\n",
		"apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 80, targetPort: http}, {targetPort: 8_0}], clusterIP: None}\n",
		string(manifesttest.Routes(1)),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		limits := Limits{AliasNodes: 10_000, Documents: 1000}
		objects, found := within(limits).Read(t.Context(), []Source{{Name: "f.yaml", Data: text}})
		again, foundAgain := within(limits).Read(t.Context(), []Source{{Name: "f.yaml", Data: text}})
		if fmt.Sprint(summary(objects), found) != fmt.Sprint(summary(again), foundAgain) {
			t.Error("two readings differ")
		}
		for _, route := range objects.HTTPRoutes {
			if route.Object.Name == "" || route.Object.Namespace == "" || route.Places.At("spec.rules[0]").File != "f.yaml" {
				t.Error(route.Object.Name, route.Object.Namespace)
			}
		}
	})
}

// TestFindingsAreBounded: an object that is wrong all over gives a hundred findings, and is refused.
func TestFindingsAreBounded(t *testing.T) {
	objects, found := readText(t, route("r")+strings.Repeat("a: b\n", 10_000))
	if len(found) != mostFindings || len(objects.Invalid) != 1 {
		t.Error(len(found), objects.Invalid)
	}
}
