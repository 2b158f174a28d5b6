package krm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/krm"
	"github.com/routedelta/routedelta/render/diagnostic"
)

const (
	listHead = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
	gateway  = `- apiVersion: gateway.networking.k8s.io/v1
  kind: Gateway
  metadata: {name: public, namespace: edge}
  spec: {gatewayClassName: envoy, listeners: [{name: http, port: 80, protocol: HTTP}]}
`
	service = "- apiVersion: v1\n  kind: Service\n  metadata: {name: web, namespace: edge}\n  spec: {ports: [{port: 80}]}\n"
)

// httpRoute is an item: a route to the Service, with annotations in flow style.
func httpRoute(name, path, annotations string) string {
	return `- apiVersion: gateway.networking.k8s.io/v1
  kind: HTTPRoute
  metadata: {name: ` + name + `, namespace: edge, annotations: {` + annotations + `}}
  spec:
    parentRefs: [{name: public}]
    rules:
    - matches: [{path: {type: PathPrefix, value: ` + path + `}}]
      backendRefs: [{name: web, port: 80}]
`
}

func configuration(spec string) string {
	return "functionConfig:\n  apiVersion: routedelta.dev/v1alpha1\n  kind: RouteDelta\n  metadata: {name: envoy}\n  spec: " + spec + "\n"
}

// run calls the function, and wants it to give a list back.
func run(t *testing.T, in string, caller krm.Caller) (string, diagnostic.List) {
	t.Helper()
	var out bytes.Buffer
	found, err := krm.Run(t.Context(), strings.NewReader(in), &out, caller)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), found
}

func codes(found diagnostic.List) string {
	var list []string
	for _, d := range found {
		list = append(list, string(d.Severity)+" "+string(d.Code))
	}
	return strings.Join(list, ", ")
}

// TestStreamStays: of 500 objects, with comments and in every style, not a byte changes, nor does their order; the ConfigMap stands
// behind them.
func TestStreamStays(t *testing.T) {
	var in strings.Builder
	in.WriteString(listHead + "# of the first\n" + gateway + service)
	for i := range 500 {
		switch i % 4 {
		case 0:
			in.WriteString("# route\n" + httpRoute(fmt.Sprint("route-", i), fmt.Sprint("/", i), "") + "\n")
		case 1:
			fmt.Fprintf(&in, "- kind: 'Zebra' # a kind of its own\n  apiVersion:   example.com/v1\n  metadata: {name: \"z%d\",\n    labels: {}}\n  text: |+\n    - kept\n\n", i)
		case 2:
			fmt.Fprintf(&in, "-   apiVersion: apps/v1\n    kind: Deployment\n    metadata:\n        name: d%d\n    spec: {replicas: 0x2, paused: yes}\n", i)
		case 3:
			fmt.Fprintf(&in, "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: c%d\n  data:\n    # inside\n    a: >-\n      folded\n      text\n", i)
		}
	}
	out, found := run(t, in.String(), krm.Caller{})
	if found.HasErrors() {
		t.Fatal(found)
	}
	rest, same := strings.CutPrefix(out, in.String())
	if !same {
		t.Fatal(cmp.Diff(in.String(), out))
	}
	var added []struct{ Metadata struct{ Name string } }
	if err := yaml.Unmarshal([]byte(rest), &added); err != nil || len(added) != 1 || added[0].Metadata.Name != "public-envoy" {
		t.Errorf("behind the stream stands %v, %v", added, err)
	}
}

// TestAgain: a second run changes nothing, however the list is written; a third, with another route, puts the ConfigMap where the
// earlier one stood and leaves the caller's notes on it.
func TestAgain(t *testing.T) {
	block := listHead + gateway + service + httpRoute("shop", "/orders", "") + "- kind: Last\n  apiVersion: v1\n  metadata: {name: last}\n"
	var tree any
	if err := yaml.Unmarshal([]byte(block), &tree); err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]string{
		"block": block, "JSON": string(asJSON), "whole": strings.Replace(block, "{name: public}", "&p {name: public}", 1) + "  spec: *p\n",
	} {
		t.Run(name, func(t *testing.T) {
			first, found := run(t, in, krm.Caller{})
			if len(found) > 0 || !strings.Contains(first, "bootstrap.json") {
				t.Fatal(found, first)
			}
			second, _ := run(t, first, krm.Caller{})
			if diff := cmp.Diff(first, second); diff != "" {
				t.Errorf("(-first +second)\n%s", diff)
			}
		})
	}
	first, _ := run(t, listHead+gateway+service+httpRoute("shop", "/orders", ""), krm.Caller{})
	noted := strings.Replace(first, "    annotations:\n", "    annotations:\n      config.kubernetes.io/path: a/b.yaml\n      config.kubernetes.io/local-config: \"true\"\n", 1)
	third, _ := run(t, noted+"- kind: Last\n"+httpRoute("cart", "/cart", ""), krm.Caller{})
	if strings.Count(third, "name: public-envoy") != 1 || !strings.Contains(third, "/cart") || !strings.Contains(third, "config.kubernetes.io/path: a/b.yaml") ||
		strings.Contains(third, "local-config") || strings.Index(third, "public-envoy") > strings.Index(third, "kind: Last") {
		t.Error(third)
	}
}

// TestRenderedGoes: when its Gateway is gone, so is the ConfigMap; a list that would be empty then is refused, unless that is expected.
func TestRenderedGoes(t *testing.T) {
	first, _ := run(t, listHead+gateway+service+httpRoute("shop", "/orders", ""), krm.Caller{})
	rendered := first[strings.LastIndex(first, "- apiVersion"):]
	out, found := run(t, listHead+service+rendered, krm.Caller{})
	if found.HasErrors() || strings.Contains(out, "public-envoy") || !strings.HasPrefix(out, listHead+service) {
		t.Error(found, out)
	}
	out, found = run(t, listHead+rendered, krm.Caller{})
	if codes(found) != "warning RD1011, error RD1701" || !strings.HasPrefix(out, listHead+rendered) {
		t.Error(codes(found), out)
	}
	out, found = run(t, listHead+rendered+configuration("{allowEmpty: true}"), krm.Caller{})
	if found.HasErrors() || !strings.Contains(out, "items: []\n") {
		t.Error(codes(found), out)
	}
}

// TestFailureGivesTheListBack: where something is wrong, the list goes out as it came, with results.
func TestFailureGivesTheListBack(t *testing.T) {
	good := listHead + gateway + service + httpRoute("shop", "/orders", "")
	for name, c := range map[string]struct{ in, codes, says string }{
		"route":                 {listHead + gateway + httpRoute("shop", "orders", ""), "error RD1102, warning RD1203", "path: spec.rules[0].matches[0].path"},
		"configuration":         {good + configuration("\n    refs: strict\n    form: odd"), "error RD1705", `functionConfig:5: unknown field "refs"`},
		"another configuration": {good + "functionConfig: {apiVersion: apps/v1, kind: Deployment}\n", "error RD1705", "want apiVersion routedelta.dev/v1alpha1"},
		"keys":                  {good + configuration("{secrets: files}"), "error RD1704", "private keys"},
		"binary":                {good + configuration("{format: pb}"), "error RD1704", "is no text"},
		"name taken":            {good + "- {apiVersion: v1, kind: ConfigMap, metadata: {name: public-envoy, namespace: edge}}\n", "error RD1703", "name: public-envoy"},
		"no resources":          {listHead, "warning RD1011, error RD1701", "generators:"},
		"flow":                  {"{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: []}\n", "warning RD1011, error RD1701", "generators:"},
	} {
		t.Run(name, func(t *testing.T) {
			out, found := run(t, c.in, krm.Caller{})
			if !found.HasErrors() || codes(found) != c.codes && name != "route" {
				t.Errorf("found %s, want %s", codes(found), c.codes)
			}
			if !strings.HasPrefix(out, c.in) && name != "flow" || !strings.Contains(out, "\nresults:\n") && name != "flow" || !strings.Contains(out, c.says) {
				t.Errorf("%q is not in\n%s", c.says, out)
			}
			again, _ := run(t, out, krm.Caller{})
			if diff := cmp.Diff(out, again); diff != "" {
				t.Errorf("results of two runs (-first +second)\n%s", diff)
			}
		})
	}
}

// TestNoList: what is no list is an error, and nothing is written.
func TestNoList(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"text":       {"a: b\n", "holds no ResourceList"},
		"empty":      {"", "holds no ResourceList"},
		"broken":     {listHead + "- a: [\n", "did not find expected node content"},
		"no object":  {listHead + "- text\n", "items[0] is no object"},
		"a secret":   {listHead + "- a: *hunter2 \n", "unknown anchor"},
		"large":      {listHead + strings.Repeat("- a: b\n", krm.MaxInput/7), "more than"},
		"two":        {listHead + "- a: b\n---\n" + listHead, "more than one document"},
		"large flow": {"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: [" + strings.Repeat("{a: b}, ", 1<<20) + "]\n", "too large"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			_, err := krm.Run(t.Context(), strings.NewReader(c.in), &out, krm.Caller{})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2") || out.Len() > 0 {
				t.Errorf("error is %v, want %q; %d bytes are written", err, c.want, out.Len())
			}
		})
	}
}

// TestResults: a result names the object with its own version, the field, and the file as the caller's annotations tell it; results of
// other functions stay in front.
func TestResults(t *testing.T) {
	type result struct {
		Message, Severity string
		ResourceRef       map[string]string `yaml:"resourceRef"`
		Field             map[string]string
		File              map[string]any
	}
	for name, c := range map[string]struct {
		annotations string
		file        map[string]any
	}{
		"kpt":         {"internal.config.kubernetes.io/path: a/b.yaml, config.kubernetes.io/path: a/b.yaml, internal.config.kubernetes.io/index: '2'", map[string]any{"path": "a/b.yaml", "index": 2}},
		"older kpt":   {"config.kubernetes.io/path: a/b.yaml", map[string]any{"path": "a/b.yaml"}},
		"kustomize":   {`config.kubernetes.io/origin: "path: base/shop.yaml\n", internal.config.kubernetes.io/index: '7'`, map[string]any{"path": "base/shop.yaml"}},
		"remote base": {`config.kubernetes.io/origin: "path: base/shop.yaml\nrepo: https://user:password@example.com/x\n"`, nil},
		"none":        {"internal.config.kubernetes.io/index: '7'", nil},
	} {
		t.Run(name, func(t *testing.T) {
			bad := strings.Replace(httpRoute("shop", "orders", c.annotations), "k8s.io/v1\n", "k8s.io/v1beta1\n", 1)
			out, _ := run(t, listHead+gateway+service+bad+"results:\n- {message: earlier, severity: info}\n", krm.Caller{})
			var list struct{ Results []result }
			if err := yaml.Unmarshal([]byte(out), &list); err != nil {
				t.Fatal(err)
			}
			var wrong []result
			for _, r := range list.Results[1:] {
				if r.Severity == "error" {
					wrong = append(wrong, r)
				}
			}
			if list.Results[0].Message != "earlier" || len(wrong) != 1 {
				t.Fatal(list.Results)
			}
			ref := map[string]string{"apiVersion": "gateway.networking.k8s.io/v1beta1", "kind": "HTTPRoute", "namespace": "edge", "name": "shop"}
			if diff := cmp.Diff(ref, wrong[0].ResourceRef) + cmp.Diff(c.file, wrong[0].File); diff != "" || wrong[0].Field["path"] != "spec.rules[0].matches[0].path" {
				t.Error(diff, wrong[0])
			}
			if strings.Contains(fmt.Sprint(list.Results), "password") {
				t.Error("a result shows the password of an address")
			}
		})
	}
}

// TestLocalConfig: what no cluster gets is not read, and said; unless it is wanted.
func TestLocalConfig(t *testing.T) {
	in := listHead + gateway + service + httpRoute("shop", "/orders", "") + httpRoute("draft", "/draft", `config.kubernetes.io/local-config: "true"`)
	out, found := run(t, in, krm.Caller{})
	if codes(found) != "info RD1702" || strings.Contains(strings.TrimPrefix(out, in), `"/draft"`) || !strings.HasPrefix(out, in) {
		t.Error(codes(found), out)
	}
	out, found = run(t, in+configuration("{localConfig: read}"), krm.Caller{})
	if len(found) > 0 || !strings.Contains(strings.TrimPrefix(out, in), `/draft`) {
		t.Error(codes(found), out)
	}
}

// TestConfigMapOptions: namespace, labels, digests and local-config are as they are asked for.
func TestConfigMapOptions(t *testing.T) {
	in := listHead + gateway + service + httpRoute("shop", "/orders", "")
	spec := `{configMap: {namespace: envoys, labels: {team: "y", routedelta.dev/rendered: "no"}, hashSuffix: true, localConfig: true}}`
	out, found := run(t, in+configuration(spec), krm.Caller{})
	if len(found) > 0 {
		t.Fatal(found)
	}
	rest := out[strings.LastIndex(out, "- apiVersion: v1\n  kind: ConfigMap"):]
	for _, want := range []string{
		"namespace: envoys\n", "team: \"y\"\n", "routedelta.dev/rendered: \"true\"\n", "config.kubernetes.io/local-config: \"true\"\n", "  name: edge-public-envoy-",
	} {
		if !strings.Contains(rest, want) {
			t.Errorf("%q is not in\n%s", want, rest)
		}
	}
	other, _ := run(t, strings.Replace(in, "/orders", "/cart", 1)+configuration(spec), krm.Caller{})
	if nameLine(other) == nameLine(out) {
		t.Error("other data have the same name")
	}
}

func nameLine(list string) string {
	_, rest, _ := strings.Cut(list, "name: edge-public-envoy-")
	name, _, _ := strings.Cut(rest, "\n")
	return name
}

// TestModes: a check gives everything back; a validation gives back nothing where all is well, and everything where it is not.
func TestModes(t *testing.T) {
	in := listHead + gateway + service + httpRoute("shop", "/orders", "")
	check := configuration("{mode: check}")
	if out, found := run(t, in+check, krm.Caller{}); len(found) > 0 || out != in+check {
		t.Error(found, out)
	}
	validate := configuration("{mode: validate}")
	if out, found := run(t, in+validate, krm.Caller{}); len(found) > 0 || !strings.HasSuffix(out, "items: []\n"+validate) {
		t.Error(found, out)
	}
	bad := listHead + gateway + httpRoute("shop", "orders", "")
	for _, mode := range []string{check, validate} {
		if out, found := run(t, bad+mode, krm.Caller{}); !found.HasErrors() || !strings.HasPrefix(out, bad) {
			t.Error(found, out)
		}
	}
}

// TestPlaces: a kustomization that lists the function where it does no good is seen, wherever that can be told for certain.
func TestPlaces(t *testing.T) {
	const function = "apiVersion: routedelta.dev/v1alpha1\nkind: RouteDelta\nmetadata: {name: envoy}\n"
	in := listHead + gateway + service + httpRoute("shop", "/orders", `kustomize.config.k8s.io/id: "x"`)
	for name, c := range map[string]struct {
		kustomization string
		mode          string
		want          string
	}{
		"transformer":           {"transformers: [fn.yaml]", "render", ""},
		"validator":             {"validators: [fn.yaml]", "render", "error RD1706"},
		"check as a validator":  {"validators: [./fn.yaml]", "check", "error RD1706"},
		"validator as such":     {"validators: [fn.yaml]", "validate", ""},
		"validator elsewhere":   {"transformers: [fn.yaml]", "validate", "error RD1706"},
		"in both":               {"transformers: [fn.yaml]\nvalidators: [fn.yaml]", "render", ""},
		"another function":      {"validators: [other.yaml]", "render", ""},
		"inline":                {"validators:\n- |-\n  " + strings.ReplaceAll(function, "\n", "\n  "), "render", "error RD1706"},
		"a folder":              {"validators: [folder, ../outside.yaml, missing.yaml]", "render", ""},
		"no kustomization":      {"[", "render", ""},
		"a file that is broken": {"validators: [broken.yaml]", "render", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := fstest.MapFS{
				"kustomization.yaml": {Data: []byte(c.kustomization)},
				"fn.yaml":            {Data: []byte("# a comment\n---\nkind: Other\n---\n" + function)},
				"other.yaml":         {Data: []byte(strings.Replace(function, "envoy", "other", 1))},
				"broken.yaml":        {Data: []byte("a: [")},
				"folder/x.yaml":      {Data: []byte(function)},
			}
			_, found := run(t, in+configuration("{mode: "+c.mode+"}"), krm.Caller{Dir: dir})
			if codes(found) != c.want {
				t.Errorf("found %q, want %q", codes(found), c.want)
			}
		})
	}
	// kpt may run in a folder that holds a kustomization which is none of its matter.
	in = strings.Replace(in, "kustomize.config.k8s.io/id", "example.com/id", 1)
	_, found := run(t, in, krm.Caller{Dir: fstest.MapFS{"kustomization.yaml": {Data: []byte("validators: [fn.yaml]")}, "fn.yaml": {Data: []byte(function)}}})
	if len(found) > 0 {
		t.Error(found)
	}
}
