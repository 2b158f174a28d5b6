package schema

import (
	"fmt"
	"strings"
	"testing"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// check reads one source named f.yaml and checks its objects; findings of reading are failures of the test.
func checkText(t *testing.T, text string) (*manifest.Objects, diagnostic.List) {
	t.Helper()
	objects, found := manifest.Read(t.Context(), []manifest.Source{{Name: "f.yaml", Data: []byte(text), Named: true}}, manifest.Limits{})
	if found.HasErrors() {
		t.Fatal(found)
	}
	return objects, Check(objects)
}

// finding is what a test wants: the line as the terminal prints it begins so, and the hint holds this.
type finding struct{ text, want, hint string }

// expect compares: no finding for an empty want, else exactly one that fits.
func (f finding) expect(t *testing.T) {
	t.Helper()
	objects, found := checkText(t, f.text)
	if f.want == "" {
		for _, d := range found {
			t.Errorf("unexpected: %s", d)
		}
		return
	}
	if len(found) != 1 || !strings.HasPrefix(found[0].String(), "f.yaml:"+f.want) || !strings.Contains(found[0].Hint, f.hint) {
		t.Errorf("want f.yaml:%s\nhint %s\ngot:", f.want, f.hint)
		for _, d := range found {
			t.Errorf("%s\nhint %s", d, d.Hint)
		}
		return
	}
	if wantInvalid := found.HasErrors(); wantInvalid != (len(objects.Invalid) == 1) {
		t.Errorf("severity %s, but %d objects are left out", found[0].Severity, len(objects.Invalid))
	}
}

// inRoute is an HTTPRoute with this spec, from line 4 on.
func inRoute(spec string) string {
	return "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r, namespace: ns}\nspec:\n" + spec
}

func TestHostname(t *testing.T) {
	for value, want := range map[string]finding{
		"a.example":         {},
		"*.a.example":       {},
		"a":                 {},
		"1a.example":        {},
		"a.example:8080":    {want: `invalid value "a.example:8080": a hostname has no port`, hint: "write a.example; the port belongs to"},
		"*.a.example:80":    {want: `invalid value "*.a.example:80": a hostname has no port`, hint: "write *.a.example;"},
		"192.0.2.1":         {want: `invalid value "192.0.2.1": an IP address is no hostname`, hint: "DNS name"},
		"192.0.2.1:80":      {want: `invalid value "192.0.2.1:80": an IP address is no hostname`},
		"2001:db8::1":       {want: `invalid value "2001:db8::1": an IP address is no hostname`},
		"[2001:db8::1]:80":  {want: `invalid value "[2001:db8::1]:80": an IP address is no hostname`},
		"A.example":         {want: `invalid value "A.example": not a DNS name`, hint: "lower case"},
		"a.*.example":       {want: `invalid value "a.*.example": not a DNS name`, hint: "wildcard"},
		"*":                 {want: `invalid value "*": not a DNS name`, hint: "wildcard"},
		"a.example.":        {want: `invalid value "a.example.": not a DNS name`, hint: "dot at the end"},
		"a_b.example":       {want: `invalid value "a_b.example": not a DNS name`, hint: "'_'"},
		"http://a.example":  {want: `invalid value "http://a.example": not a DNS name`, hint: "scheme"},
		"a.example/path":    {want: `invalid value "a.example/path": not a DNS name`, hint: "path"},
		"-a.example":        {want: `invalid value "-a.example": not a DNS name`},
		"a..example":        {want: `invalid value "a..example": not a DNS name`},
		"bücher.example":    {want: `invalid value "bücher.example": not a DNS name`},
		"a b":               {want: `invalid value "a b": not a DNS name`},
		"":                  {want: "required value"},
		"a.example:port:no": {want: `invalid value "a.example:port:no": a hostname has no port`},
	} {
		t.Run(value, func(t *testing.T) {
			f := finding{text: inRoute(fmt.Sprintf("  hostnames: [b.example, %q]\n", value)), want: want.want, hint: want.hint}
			if f.want != "" {
				code := "RD1101"
				if value == "" {
					code = "RD1107"
				}
				f.want = "5:26: " + code + " HTTPRoute ns/r: spec.hostnames[1]: " + f.want
			}
			f.expect(t)
		})
	}
}

func TestPath(t *testing.T) {
	const types = " when type one of ['Exact', 'PathPrefix']"
	for value, want := range map[string]string{
		"/":            "",
		"/a-b/_~!$&/":  "",
		"/%C3%A9":      "",
		"/a=b,c;d:e@f": "",
		"a":            "value must be an absolute path and start with '/'" + types,
		"":             "value must be an absolute path and start with '/'" + types,
		"//a":          "must not contain '//'" + types,
		"/a/./b":       "must not contain '/./'" + types,
		"/a/../b":      "must not contain '/../'" + types,
		"/a%2fb":       "must not contain '%2f'" + types,
		"/a%2Fb":       "must not contain '%2F'" + types,
		"/a#b":         "must not contain '#'" + types,
		"/a?b":         "a path has no query",
		"/a/..":        "must not end with '/..'" + types,
		"/a/.":         "must not end with '/.'" + types,
		"/é":           "must only contain valid characters (matching ^",
		"/a b":         "must only contain valid characters (matching ^",
		"/%g1":         "must only contain valid characters (matching ^",
		"/{id}":        "must only contain valid characters (matching ^",
	} {
		for _, kind := range []string{"Exact", "PathPrefix"} {
			t.Run(kind+value, func(t *testing.T) {
				f := finding{text: inRoute(fmt.Sprintf("  rules:\n  - matches:\n    - path: {type: %s, value: %q}\n", kind, value))}
				if want != "" {
					f.want = fmt.Sprintf("7:%d: RD1102 HTTPRoute ns/r: spec.rules[0].matches[0].path.value: invalid value %q: %s", 22+len(kind), value, want)
				}
				f.expect(t)
			})
		}
	}
	finding{text: inRoute("  rules:\n  - matches:\n    - path: {type: Exact, value: /" + strings.Repeat("a", 1024) + "}\n"),
		want: "7:27: RD1105 HTTPRoute ns/r: spec.rules[0].matches[0].path.value: too long: may not be longer than 1024"}.expect(t)
	finding{text: inRoute("  rules:\n  - matches:\n    - path: {type: prefix, value: /}\n"),
		want: `7:14: RD1105 HTTPRoute ns/r: spec.rules[0].matches[0].path.type: unsupported value: "prefix": supported values: "Exact", "PathPrefix", "RegularExpression"`}.expect(t)
}

// TestRegex: what Envoy refuses is refused, wherever a regular expression may stand.
func TestRegex(t *testing.T) {
	for value, want := range map[string]finding{
		`/a/[0-9]+`:        {},
		`(?i)/abc`:         {},
		`/(é|É)`:           {},
		`/\xC3\xA9`:        {},
		`/\x{ff}`:          {},
		`/\\x{100}`:        {},
		`/\pL+`:            {},
		`(?P<name>a)`:      {},
		`/a{1,1000}`:       {},
		`/(`:               {want: `invalid regular expression "/(": missing closing )`, hint: "close every group"},
		`/[a`:              {want: `invalid regular expression "/[a": missing closing ]`, hint: "close every group"},
		`*`:                {want: `invalid regular expression "*": missing argument to repetition operator`, hint: "RE2"},
		`(?=a)`:            {want: `invalid regular expression "(?=a)": invalid or unsupported perl syntax`, hint: "look-ahead"},
		`(a)\1`:            {want: `invalid regular expression "(a)\\1": invalid escape sequence`, hint: "back references"},
		`a{1001}`:          {want: `invalid regular expression "a{1001}": invalid repeat count`, hint: "at most 1000"},
		`/\x{100}`:         {want: `invalid regular expression "/\\x{100}": \x{100} is beyond \xFF`, hint: "byte by byte"},
		`[\x{41}-\x{FFF}]`: {want: `invalid regular expression "[\\x{41}-\\x{FFF}]": \x{FFF} is beyond \xFF`},
		`(?i)/é`:           {want: `invalid regular expression "(?i)/é": Envoy ignores case for ASCII letters only`, hint: "both cases"},
		`/a(?i:b|é)`:       {want: `invalid regular expression "/a(?i:b|é)": Envoy ignores case for ASCII letters only`},
		`/\C`:              {want: `invalid regular expression "/\\C": invalid escape sequence`, hint: `Envoy knows \C (any byte), routedelta does not`},
		`/[éa]`:            {want: `regular expression "/[éa]": a character class with a letter beyond ASCII`, hint: "(é|x)"},
	} {
		for place, spec := range map[string]string{
			"path.value":           "    - path: {type: RegularExpression, value: '%s'}\n",
			"headers[0].value":     "    - headers: [{type: RegularExpression, name: h, value: '%s'}]\n",
			"queryParams[0].value": "    - queryParams: [{type: RegularExpression, name: q, value: '%s'}]\n",
		} {
			t.Run(place+value, func(t *testing.T) {
				f := finding{text: inRoute("  rules:\n  - matches:\n" + fmt.Sprintf(spec, value)), hint: want.hint}
				if want.want != "" {
					column := strings.Index(spec, "value:") + 1
					f.want = fmt.Sprintf("7:%d: RD1103 HTTPRoute ns/r: spec.rules[0].matches[0].%s: %s", column, place, want.want)
				}
				f.expect(t)
			})
		}
	}
}

// TestHTTPRoute shows one finding for each rule of the CRD that is not about a single value.
func TestHTTPRoute(t *testing.T) {
	rule := func(text string) string { return inRoute("  rules:\n  - " + text + "\n") }
	filters := func(text string) string { return rule("filters: [" + text + "]") }
	match := func(text string) string { return rule("matches: [{" + text + "}]") }
	const service = "backendRefs: [{name: s, port: 80}]"
	many := func(item string, n int) string { return strings.TrimSuffix(strings.Repeat(item+", ", n), ", ") }
	for name, f := range map[string]finding{
		"nothing":                {text: inRoute("  {}\n")},
		"bad name":               {text: "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: R}\n", want: "3:12: RD1104 HTTPRoute default/R: metadata.name: invalid value \"R\": should match '^"},
		"templated name":         {text: "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: \"{{ .x }}\"}\n", want: "3:12: RD1104 ", hint: "template"},
		"no rules in the list":   {text: inRoute("  rules: []\n"), want: "5:3: RD1107 HTTPRoute ns/r: spec.rules: should have at least 1 items"},
		"many rules":             {text: inRoute("  rules: [" + many("{}", 17) + "]\n"), want: "5:3: RD1109 HTTPRoute ns/r: spec.rules: too many: 17: must have at most 16 items"},
		"many matches":           {text: inRoute("  rules: [" + many("{matches: ["+many("{}", 64)+"]}", 3) + "]\n"), want: "5:3: RD1109 HTTPRoute ns/r: spec.rules: too many: 192: must have at most 128 items"},
		"many hostnames":         {text: inRoute("  hostnames: [" + many("a", 17) + "]\n"), want: "5:3: RD1109 "},
		"rule name twice":        {text: inRoute("  rules: [{name: a}, {name: a}]\n"), want: "5:23: RD1108 HTTPRoute ns/r: spec.rules[1].name: "},
		"bad rule name":          {text: rule("name: A"), want: "6:5: RD1104 "},
		"parent without name":    {text: inRoute("  parentRefs: [{namespace: n1}]\n"), want: "5:16: RD1107 HTTPRoute ns/r: spec.parentRefs[0].name: required value"},
		"bad parent port":        {text: inRoute("  parentRefs: [{name: g, port: 0}]\n"), want: "5:26: RD1105 HTTPRoute ns/r: spec.parentRefs[0].port: invalid value 0: should be between 1 and 65535"},
		"bad section":            {text: inRoute("  parentRefs: [{name: g, sectionName: a/b}]\n"), want: "5:26: RD1104 "},
		"bad parent group":       {text: inRoute("  parentRefs: [{name: g, group: a/v1}]\n"), want: "5:26: RD1104 ", hint: "before the slash"},
		"parent twice":           {text: inRoute("  parentRefs: [{name: g}, {name: g}]\n"), want: "5:27: RD1108 HTTPRoute ns/r: spec.parentRefs[1]: sectionName or port must be specified"},
		"section twice":          {text: inRoute("  parentRefs: [{name: g, sectionName: a}, {name: g, sectionName: a}]\n"), want: "5:43: RD1108 HTTPRoute ns/r: spec.parentRefs[1]: sectionName or port must be unique"},
		"one parent, two ways":   {text: inRoute("  parentRefs: [{name: g, sectionName: a}, {name: g}]\n"), want: "5:43: RD1107 HTTPRoute ns/r: spec.parentRefs[1].sectionName: sectionName must be specified"},
		"two sections":           {text: inRoute("  parentRefs: [{name: g, sectionName: a}, {name: g, sectionName: b}, {name: g, namespace: o}]\n")},
		"two ports":              {text: inRoute("  parentRefs: [{name: g, port: 80}, {name: g, port: 81}]\n")},
		"bad method":             {text: match("method: get"), want: "6:16: RD1105 HTTPRoute ns/r: spec.rules[0].matches[0].method: unsupported value: \"get\": supported values: \"GET\"", hint: "write GET"},
		"header twice":           {text: match("headers: [{name: a, value: b}, {name: a, value: c}]"), want: "6:48: RD1108 HTTPRoute ns/r: spec.rules[0].matches[0].headers[1].name: duplicate value: \"a\""},
		"header in other case":   {text: match("headers: [{name: a, value: b}, {name: A, value: c}]"), want: "6:48: RD1108 HTTPRoute ns/r: spec.rules[0].matches[0].headers[1].name: duplicate value: \"A\": this entry is ignored"},
		"bad header name":        {text: match("headers: [{name: \"a:b\", value: b}]"), want: "6:27: RD1104 "},
		"header without value":   {text: match("headers: [{name: a}]"), want: "6:26: RD1107 HTTPRoute ns/r: spec.rules[0].matches[0].headers[0].value: required value"},
		"query parameter twice":  {text: match("queryParams: [{name: a, value: b}, {name: a, value: c}]"), want: "6:52: RD1108 "},
		"query in other case":    {text: match("queryParams: [{name: a, value: b}, {name: A, value: c}]")},
		"bad match type":         {text: match("queryParams: [{name: a, value: b, type: Prefix}]"), want: "6:50: RD1105 "},
		"redirect and backend":   {text: rule(service + "\n    filters: [{type: RequestRedirect, requestRedirect: {port: 1}}]"), want: "6:5: RD1106 HTTPRoute ns/r: spec.rules[0].backendRefs: RequestRedirect filter must not be used together with backendRefs"},
		"redirect and rewrite":   {text: filters("{type: RequestRedirect, requestRedirect: {}}, {type: URLRewrite, urlRewrite: {}}"), want: "6:5: RD1106 HTTPRoute ns/r: spec.rules[0].filters: May specify either httpRouteFilterRequestRedirect or httpRouteFilterRequestRewrite, but not both"},
		"filter twice":           {text: filters(many("{type: URLRewrite, urlRewrite: {}}", 2)), want: "6:51: RD1106 HTTPRoute ns/r: spec.rules[0].filters[1]: URLRewrite filter cannot be repeated"},
		"two mirrors":            {text: filters(many("{type: RequestMirror, requestMirror: {backendRef: {name: s, port: 1}}}", 2))},
		"filter of another type": {text: filters("{type: URLRewrite, urlRewrite: {}, requestRedirect: {}}"), want: "6:50: RD1106 HTTPRoute ns/r: spec.rules[0].filters[0].requestRedirect: filter.requestRedirect must be nil if the filter.type is not RequestRedirect"},
		"filter without field":   {text: filters("{type: URLRewrite}"), want: "6:15: RD1107 HTTPRoute ns/r: spec.rules[0].filters[0].urlRewrite: filter.urlRewrite must be specified for URLRewrite filter.type"},
		"filter without type":    {text: filters("{urlRewrite: {}}"), want: "6:15: RD1107 HTTPRoute ns/r: spec.rules[0].filters[0].type: required value"},
		"unknown filter":         {text: filters("{type: Nope}"), want: "6:16: RD1105 "},
		"replaced prefix":        {text: rule("matches: [{path: {type: Exact, value: /a}}]\n    filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}}]"), want: "7:15: RD1106 HTTPRoute ns/r: spec.rules[0].filters[0]: When using URLRewrite filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified"},
		"replaced prefix, two":   {text: rule("matches: [{}, {}]\n    filters: [{type: RequestRedirect, requestRedirect: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}}]"), want: "7:15: RD1106 HTTPRoute ns/r: spec.rules[0].filters[0]: When using RequestRedirect"},
		"replaced prefix below":  {text: rule("matches: [{}, {}]\n    backendRefs: [{name: s, port: 1, filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}}]}]"), want: "7:48: RD1106 HTTPRoute ns/r: spec.rules[0].backendRefs[0].filters[0]: When using URLRewrite"},
		"replaced default":       {text: filters("{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}}")},
		"path without value":     {text: filters("{type: URLRewrite, urlRewrite: {path: {type: ReplaceFullPath}}}"), want: "6:47: RD1107 HTTPRoute ns/r: spec.rules[0].filters[0].urlRewrite.path.replaceFullPath: replaceFullPath must be specified when type is set to 'ReplaceFullPath'"},
		"path of another type":   {text: filters("{type: URLRewrite, urlRewrite: {path: {type: ReplaceFullPath, replaceFullPath: /, replacePrefixMatch: /}}}"), want: "6:97: RD1106 HTTPRoute ns/r: spec.rules[0].filters[0].urlRewrite.path.replacePrefixMatch: type must be 'ReplacePrefixMatch' when replacePrefixMatch is set"},
		"line break in path":     {text: filters("{type: URLRewrite, urlRewrite: {path: {type: ReplaceFullPath, replaceFullPath: \"/a\\r\\n\"}}}"), want: "6:77: RD1102 "},
		"redirect status":        {text: filters("{type: RequestRedirect, requestRedirect: {statusCode: 304}}"), want: "6:57: RD1105 HTTPRoute ns/r: spec.rules[0].filters[0].requestRedirect.statusCode: unsupported value: 304: supported values: 301, 302, 303, 307, 308"},
		"redirect scheme":        {text: filters("{type: RequestRedirect, requestRedirect: {scheme: ftp}}"), want: "6:57: RD1105 "},
		"redirect host":          {text: filters("{type: RequestRedirect, requestRedirect: {hostname: \"*.a\"}}"), want: "6:57: RD1101 "},
		"header set twice":       {text: filters("{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: a, value: b}, {name: a, value: c}]}}"), want: "6:97: RD1108 "},
		"header removed twice":   {text: filters("{type: RequestHeaderModifier, requestHeaderModifier: {remove: [a, a]}}"), want: "6:81: RD1108 "},
		"line break in header":   {text: filters("{type: ResponseHeaderModifier, responseHeaderModifier: {add: [{name: a, value: \"b\\nc\"}]}}"), want: "6:87: RD1105 HTTPRoute ns/r: spec.rules[0].filters[0].responseHeaderModifier.add[0].value: invalid value \"b\\nc\": a header cannot carry it"},
		"mirror with both":       {text: filters("{type: RequestMirror, requestMirror: {backendRef: {name: s, port: 1}, percent: 1, fraction: {numerator: 1}}}"), want: "6:37: RD1106 HTTPRoute ns/r: spec.rules[0].filters[0].requestMirror: Only one of percent or fraction"},
		"mirror over one":        {text: filters("{type: RequestMirror, requestMirror: {backendRef: {name: s, port: 1}, fraction: {numerator: 101}}}"), want: "6:85: RD1105 HTTPRoute ns/r: spec.rules[0].filters[0].requestMirror.fraction: numerator must be less than or equal to denominator"},
		"CORS":                   {text: filters("{type: CORS, cors: {allowOrigins: [\"https://*.a.example:8080\", \"*\"], allowMethods: [GET, \"*\"], allowHeaders: [x-a]}}")},
		"CORS origin":            {text: filters("{type: CORS, cors: {allowOrigins: [a.example]}}"), want: "6:50: RD1105 HTTPRoute ns/r: spec.rules[0].filters[0].cors.allowOrigins[0]: ", hint: "https://"},
		"extension without name": {text: filters("{type: ExtensionRef, extensionRef: {group: g.example, kind: K}}"), want: "6:36: RD1107 "},
		"backend without port":   {text: rule("backendRefs: [{name: s}]"), want: "6:19: RD1107 HTTPRoute ns/r: spec.rules[0].backendRefs[0].port: Must have port for Service reference"},
		"foreign backend":        {text: rule("backendRefs: [{name: s, group: x.example, kind: Bucket}]")},
		"weight":                 {text: rule("backendRefs: [{name: s, port: 80, weight: 1000001}]"), want: "6:39: RD1105 HTTPRoute ns/r: spec.rules[0].backendRefs[0].weight: invalid value 1000001: should be between 0 and 1000000"},
		"negative weight":        {text: rule("backendRefs: [{name: s, port: 80, weight: -1}]"), want: "6:39: RD1105 "},
		"port of a backend":      {text: rule("backendRefs: [{name: s, port: 65536}]"), want: "6:29: RD1105 "},
		"timeouts":               {text: rule("timeouts: {request: 1h30m, backendRequest: 500ms}")},
		"timeout of nothing":     {text: rule("timeouts: {request: 0s, backendRequest: 5s}")},
		"backend timeout longer": {text: rule("timeouts: {request: 1s, backendRequest: 2s}"), want: "6:29: RD1106 HTTPRoute ns/r: spec.rules[0].timeouts.backendRequest: backendRequest timeout cannot be longer than request timeout"},
		"timeout with fraction":  {text: rule("timeouts: {request: 1.5s}"), want: "6:16: RD1105 HTTPRoute ns/r: spec.rules[0].timeouts.request: invalid value \"1.5s\": should match '^([0-9]{1,5}(h|m|s|ms)){1,4}$'", hint: "500ms"},
		"timeout without unit":   {text: rule("timeouts: {request: \"10\"}"), want: "6:16: RD1105 "},
		"retry on success":       {text: rule("retry: {codes: [200]}"), want: "6:21: RD1105 "},
	} {
		t.Run(name, f.expect)
	}
}

func TestGateway(t *testing.T) {
	gateway := func(listeners string) string {
		return "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: g, namespace: ns}\nspec:\n  gatewayClassName: c\n  listeners: [" + listeners + "]\n"
	}
	for name, f := range map[string]finding{
		"good":                      {text: gateway("{name: a, port: 80, protocol: HTTP}, {name: b, port: 443, protocol: HTTPS, tls: {certificateRefs: [{name: s}]}}")},
		"no class":                  {text: strings.Replace(gateway("{name: a, port: 80, protocol: HTTP}"), "gatewayClassName: c", "# none", 1), want: "4:1: RD1107 Gateway ns/g: spec.gatewayClassName: required value"},
		"no listeners":              {text: gateway(""), want: "6:3: RD1107 Gateway ns/g: spec.listeners: required value"},
		"listener without port":     {text: gateway("{name: a, protocol: HTTP}"), want: "6:15: RD1107 Gateway ns/g: spec.listeners[0].port: required value"},
		"listener without protocol": {text: gateway("{name: a, port: 80}"), want: "6:15: RD1107 Gateway ns/g: spec.listeners[0].protocol: required value"},
		"port":                      {text: gateway("{name: a, port: 70000, protocol: HTTP}"), want: "6:25: RD1105 "},
		"name twice":                {text: gateway("{name: a, port: 80, protocol: HTTP}, {name: a, port: 81, protocol: HTTP}"), want: "6:53: RD1108 Gateway ns/g: spec.listeners[1].name: duplicate value \"a\": Listener name must be unique within the Gateway"},
		"socket twice":              {text: gateway("{name: a, port: 80, protocol: HTTP}, {name: b, port: 80, protocol: HTTP}"), want: "6:52: RD1108 Gateway ns/g: spec.listeners[1]: Combination of port, protocol and hostname must be unique"},
		"hostname with port":        {text: gateway("{name: a, port: 80, protocol: HTTP, hostname: \"a.example:80\"}"), want: "6:51: RD1101 "},
		"TLS for HTTP":              {text: gateway("{name: a, port: 80, protocol: HTTP, tls: {certificateRefs: [{name: s}]}}"), want: "6:51: RD1106 Gateway ns/g: spec.listeners[0].tls: tls must not be specified for protocols ['HTTP', 'TCP', 'UDP']"},
		"HTTPS without TLS":         {text: gateway("{name: a, port: 443, protocol: HTTPS}"), want: "6:15: RD1107 Gateway ns/g: spec.listeners[0].tls: required value for protocol HTTPS", hint: "certificateRefs"},
		"HTTPS passed through":      {text: gateway("{name: a, port: 443, protocol: HTTPS, tls: {mode: Passthrough}}"), want: "6:59: RD1106 Gateway ns/g: spec.listeners[0].tls.mode: tls mode must be Terminate for protocol HTTPS"},
		"no certificate":            {text: gateway("{name: a, port: 443, protocol: HTTPS, tls: {}}"), want: "6:53: RD1107 Gateway ns/g: spec.listeners[0].tls.certificateRefs: certificateRefs or options must be specified when mode is Terminate"},
		"TCP with hostname":         {text: gateway("{name: a, port: 80, protocol: TCP, hostname: a.example}"), want: "6:50: RD1106 "},
		"namespaces from nowhere":   {text: gateway("{name: a, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: None}}}"), want: "6:80: RD1105 "},
		"no selector":               {text: gateway("{name: a, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: Selector}}}"), want: "6:67: RD1107 Gateway ns/g: spec.listeners[0].allowedRoutes.namespaces.selector: required value when from is Selector"},
		"bad selector": {text: gateway("{name: a, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: Selector, selector: {matchExpressions: [{key: k, operator: In}]}}}}"),
			want: "6:126: RD1107 Gateway ns/g: spec.listeners[0].allowedRoutes.namespaces.selector.matchExpressions[0].values: must be specified"},
		"address twice": {text: gateway("{name: a, port: 80, protocol: HTTP}") + "  addresses: [{value: 192.0.2.1}, {value: 192.0.2.1}]\n", want: "7:36: RD1108 Gateway ns/g: spec.addresses[1].value: IPAddress values must be unique"},
	} {
		t.Run(name, f.expect)
	}
}

func TestOtherKinds(t *testing.T) {
	service := func(spec string) string {
		return "apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: ns}\nspec: {" + spec + "}\n"
	}
	grant := func(spec string) string {
		return "apiVersion: gateway.networking.k8s.io/v1beta1\nkind: ReferenceGrant\nmetadata: {name: g, namespace: ns}\nspec: {" + spec + "}\n"
	}
	slice := func(rest string) string {
		return "apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: e, namespace: ns}\n" + rest + "\n"
	}
	for name, f := range map[string]finding{
		"class":                      {text: "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: c}\nspec: {controllerName: nopath}\n", want: "4:8: RD1104 GatewayClass c: spec.controllerName: "},
		"grant":                      {text: grant("from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: a}], to: [{group: \"\", kind: Service}]")},
		"grant to nothing":           {text: grant("from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: a}]"), want: "4:1: RD1107 ReferenceGrant ns/g: spec.to: required value"},
		"grant from no namespace":    {text: grant("from: [{group: gateway.networking.k8s.io, kind: HTTPRoute}], to: [{kind: Service}]"), want: "4:15: RD1107 ReferenceGrant ns/g: spec.from[0].namespace: required value"},
		"service":                    {text: service("ports: [{port: 80}]")},
		"service without ports":      {text: service(""), want: "4:1: RD1107 Service ns/s: spec.ports: required value"},
		"headless without ports":     {text: service("clusterIP: None")},
		"external":                   {text: service("type: ExternalName, externalName: a.example")},
		"external without name":      {text: service("type: ExternalName"), want: "4:1: RD1107 Service ns/s: spec.externalName: required value"},
		"service port":               {text: service("ports: [{port: 0}]"), want: "4:17: RD1105 Service ns/s: spec.ports[0].port: invalid value 0: should be between 1 and 65535"},
		"several ports want names":   {text: service("ports: [{port: 80}, {port: 81, name: b}]"), want: "4:16: RD1107 Service ns/s: spec.ports[0].name: required value"},
		"port name twice":            {text: service("ports: [{port: 80, name: b}, {port: 81, name: b}]"), want: "4:48: RD1108 "},
		"service name":               {text: "apiVersion: v1\nkind: Service\nmetadata: {name: a.b, namespace: ns}\nspec: {ports: [{port: 80}]}\n", want: "3:12: RD1104 Service ns/a.b: metadata.name: "},
		"service type":               {text: service("type: Cluster, ports: [{port: 80}]"), want: "4:8: RD1105 "},
		"slice":                      {text: slice("addressType: IPv4\nports: [{port: 80}]\nendpoints: [{addresses: [192.0.2.1]}]")},
		"slice without type":         {text: slice("endpoints: [{addresses: [192.0.2.1]}]"), want: "1:1: RD1107 EndpointSlice ns/e: addressType: required value"},
		"address of another type":    {text: slice("addressType: IPv6\nendpoints: [{addresses: [192.0.2.1]}]"), want: "5:26: RD1105 EndpointSlice ns/e: endpoints[0].addresses[0]: invalid value \"192.0.2.1\": not an address of type IPv6"},
		"endpoint without addresses": {text: slice("addressType: IPv6\nendpoints: [{}]"), want: "5:13: RD1107 "},
		"namespace":                  {text: "apiVersion: v1\nkind: Namespace\nmetadata: {name: a.b}\n", want: "3:12: RD1104 Namespace a.b: metadata.name: "},
	} {
		t.Run(name, f.expect)
	}
}

// TestDefaults: what the API server fills in is filled in.
func TestDefaults(t *testing.T) {
	objects, found := checkText(t, inRoute(`  parentRefs: [{name: g}]
  rules:
  - matches: [{headers: [{name: a, value: b}], queryParams: [{name: a, value: b}]}]
    backendRefs: [{name: s, port: 80}]
  - filters: [{type: RequestRedirect, requestRedirect: {}}]
`)+`---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: g}
spec:
  gatewayClassName: c
  listeners:
  - {name: a, port: 443, protocol: HTTPS, tls: {certificateRefs: [{name: s}]}, allowedRoutes: {kinds: [{kind: HTTPRoute}]}}
---
apiVersion: v1
kind: Service
metadata: {name: s}
spec: {ports: [{port: 80}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: e}
addressType: IPv4
ports: [{port: 80}]
endpoints: []
`)
	if len(found) != 0 {
		t.Fatal(found)
	}
	spec := objects.HTTPRoutes[0].Object.Spec
	first := spec.Rules[0]
	listener := objects.Gateways[0].Object.Spec.Listeners[0]
	port := objects.Services[0].Object.Spec.Ports[0]
	slicePort := objects.EndpointSlices[0].Object.Ports[0]
	got := fmt.Sprintln(*spec.ParentRefs[0].Group, *spec.ParentRefs[0].Kind,
		*first.Matches[0].Path.Type, *first.Matches[0].Path.Value, *first.Matches[0].Headers[0].Type, *first.Matches[0].QueryParams[0].Type) +
		fmt.Sprintf("%q %s %d\n", *first.BackendRefs[0].Group, *first.BackendRefs[0].Kind, *first.BackendRefs[0].Weight) +
		fmt.Sprintln(*spec.Rules[1].Filters[0].RequestRedirect.StatusCode, *spec.Rules[1].Matches[0].Path.Value) +
		fmt.Sprintln(*listener.TLS.Mode, *listener.TLS.CertificateRefs[0].Kind, *listener.AllowedRoutes.Namespaces.From, *listener.AllowedRoutes.Kinds[0].Group) +
		fmt.Sprintln(port.Protocol, port.TargetPort.IntVal, objects.Services[0].Object.Spec.Type, *slicePort.Protocol)
	const want = `gateway.networking.k8s.io Gateway PathPrefix / Exact Exact
"" Service 1
302 /
Terminate Secret Same gateway.networking.k8s.io
TCP 80 ClusterIP TCP
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	objects, _ = checkText(t, "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r}\n")
	if rules := objects.HTTPRoutes[0].Object.Spec.Rules; len(rules) != 1 || *rules[0].Matches[0].Path.Type != gatewayv1.PathMatchPathPrefix {
		t.Error(rules)
	}
}

// TestInvalidIsLeftOut: an object with an error is left out and remembered, its neighbours stay, and entries that do not
// count are dropped.
func TestInvalidIsLeftOut(t *testing.T) {
	objects, found := checkText(t, inRoute("  hostnames: [A]\n")+"---\n"+
		strings.Replace(inRoute("  rules: [{matches: [{headers: [{name: a, value: b}, {name: A, value: c}]}]}]\n"), "name: r", "name: good", 1))
	if len(objects.HTTPRoutes) != 1 || objects.HTTPRoutes[0].Object.Name != "good" || len(found) != 2 {
		t.Fatal(objects.HTTPRoutes, found)
	}
	if len(objects.Invalid) != 1 || objects.Invalid[0].String() != "HTTPRoute ns/r" {
		t.Error(objects.Invalid)
	}
	if again := Check(objects); fmt.Sprint(again) != fmt.Sprint(found) {
		t.Errorf("asked again: %s", again)
	}
	if headers := objects.HTTPRoutes[0].Object.Spec.Rules[0].Matches[0].Headers; len(headers) != 1 || headers[0].Value != "b" {
		t.Error(headers)
	}
}
