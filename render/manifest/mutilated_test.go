package manifest_test

import (
	"strings"
	"testing"

	"github.com/routedelta/routedelta/render/manifest"
)

// whole uses every field that a rule looks at, one a line where it can.
const whole = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata:
  name: g
spec:
  gatewayClassName: c
  addresses:
  - type: Hostname
    value: a.example
  listeners:
  - name: a
    port: 443
    protocol: HTTPS
    hostname: a.example
    tls:
      mode: Terminate
      certificateRefs:
      - name: s
        group: ""
        kind: Secret
        namespace: other
    allowedRoutes:
      namespaces:
        from: Selector
        selector:
          matchExpressions:
          - key: k
            operator: In
            values:
            - v
      kinds:
      - group: gateway.networking.k8s.io
        kind: HTTPRoute
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: r
spec:
  parentRefs:
  - name: g
    group: gateway.networking.k8s.io
    kind: Gateway
    namespace: default
    sectionName: a
    port: 443
  hostnames:
  - a.example
  rules:
  - name: one
    matches:
    - path:
        type: PathPrefix
        value: /a
      method: GET
      headers:
      - type: RegularExpression
        name: h
        value: a+
      queryParams:
      - type: Exact
        name: q
        value: v
    filters:
    - type: RequestHeaderModifier
      requestHeaderModifier:
        set:
        - name: a
          value: b
        remove:
        - c
    - type: URLRewrite
      urlRewrite:
        hostname: b.example
        path:
          type: ReplacePrefixMatch
          replacePrefixMatch: /b
    - type: RequestMirror
      requestMirror:
        backendRef:
          name: s
          port: 80
        fraction:
          numerator: 1
          denominator: 2
    - type: CORS
      cors:
        allowOrigins:
        - https://a.example
        maxAge: 7
    - type: ExtensionRef
      extensionRef:
        group: g.example
        kind: K
        name: x
    - type: ExternalAuth
      externalAuth:
        protocol: HTTP
        backendRef:
          name: s
          port: 80
        http:
          path: /auth
    backendRefs:
    - name: s
      port: 80
      weight: 3
      filters:
      - type: ResponseHeaderModifier
        responseHeaderModifier:
          add:
          - name: a
            value: b
    timeouts:
      request: 10s
      backendRequest: 5s
    retry:
      codes:
      - 500
      backoff: 1s
  - filters:
    - type: RequestRedirect
      requestRedirect:
        scheme: https
        hostname: c.example
        port: 443
        statusCode: 301
        path:
          type: ReplaceFullPath
          replaceFullPath: /c
---
apiVersion: gateway.networking.k8s.io/v1
kind: ReferenceGrant
metadata:
  name: t
spec:
  from:
  - group: gateway.networking.k8s.io
    kind: HTTPRoute
    namespace: a
  to:
  - group: ""
    kind: Service
    name: s
---
apiVersion: v1
kind: Service
metadata:
  name: s
spec:
  type: ClusterIP
  ports:
  - name: http
    port: 80
    protocol: TCP
    targetPort: http
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: e
addressType: IPv4
ports:
- name: http
  port: 80
  protocol: TCP
endpoints:
- addresses:
  - 192.0.2.1
`

// TestWhole: the whole has no finding.
func TestWhole(t *testing.T) {
	if _, found := readText(t, whole); len(found) != 0 {
		t.Error(found)
	}
}

// TestMutilated takes each line out of the whole, and makes its value nothing, an empty list, an empty object, a number...: whatever is missing or odd,
// reading ends, an object is either among the good or among the invalid, and those beside it are read.
func TestMutilated(t *testing.T) {
	for document := range strings.SplitSeq(whole, "---\n") {
		t.Run(strings.Split(document, "\n")[1], func(t *testing.T) {
			t.Parallel()
			lines := strings.Split(strings.TrimSuffix(document, "\n"), "\n")
			for i, line := range lines {
				variants := []string{""}
				if key, _, found := strings.Cut(line, ":"); found {
					for _, value := range []string{"", " []", " {}", " -1", " \"\"", " [{}]"} {
						variants = append(variants, key+":"+value)
					}
				}
				for _, variant := range variants {
					mutilate(t, strings.Join(lines[:i], "\n")+"\n"+variant+"\n"+strings.Join(lines[i+1:], "\n"))
				}
			}
		})
	}
}

// mutilate checks one text, beside a good object.
func mutilate(t *testing.T, text string) {
	const neighbour = "\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: neighbour}\n"
	objects, found := reader.Read(t.Context(), []manifest.Source{{Name: "f.yaml", Data: []byte(text + neighbour)}})
	if len(objects.Namespaces) != 1 || objects.Namespaces[0].Object.Name != "neighbour" {
		t.Errorf("the object beside it is not read:\n%s", text)
	}
	good := len(objects.Gateways) + len(objects.HTTPRoutes) + len(objects.ReferenceGrants) + len(objects.Services) + len(objects.EndpointSlices)
	if refused := len(objects.Invalid); good+refused+len(objects.Others) > 1 || refused == 1 && !found.HasErrors() {
		t.Errorf("%d objects, %d refused, found %v:\n%s", good, refused, found, text)
	}
}
