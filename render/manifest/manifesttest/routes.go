// Package manifesttest makes manifests of any size for benchmarks: in goes a number of routes, out comes YAML that looks as
// people write it, the same each time.
package manifesttest

import (
	"bytes"
	"fmt"
	"strings"
)

// Routes is a YAML stream of HTTPRoutes of four rules each: a header rule, an exact path with a rewrite, a weighted
// prefix, and a catch-all. All attach to the Gateway infra/public; their backends are api-<n> and web-<n> in their namespace.
func Routes(count int) []byte {
	var b bytes.Buffer
	for i := range count {
		fmt.Fprintf(&b, route, i, i%40)
	}
	return b.Bytes()
}

const route = `---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: route-%[1]d
  namespace: team-%[2]d
  labels:
    app.kubernetes.io/name: app-%[1]d
spec:
  parentRefs:
    - name: public
      namespace: infra
      sectionName: http
  hostnames:
    - app-%[1]d.example.com
  rules:
    - name: canary
      matches:
        - path:
            type: PathPrefix
            value: /api
          headers:
            - name: x-env
              value: canary
          method: GET
      backendRefs:
        - name: api-%[1]d
          port: 8080
    - name: health
      matches:
        - path:
            type: Exact
            value: /healthz
      filters:
        - type: URLRewrite
          urlRewrite:
            path:
              type: ReplaceFullPath
              replaceFullPath: /internal/health
      backendRefs:
        - name: web-%[1]d
          port: 80
    - name: api
      matches:
        - path:
            type: PathPrefix
            value: /api
        - path:
            type: PathPrefix
            value: /v2/api
      backendRefs:
        - name: api-%[1]d
          port: 8080
          weight: 90
        - name: web-%[1]d
          port: 80
          weight: 10
      timeouts:
        request: 10s
    # everything else
    - matches:
        - path:
            type: PathPrefix
            value: /
      backendRefs:
        - name: web-%[1]d
          port: 80
`

// Infrastructure is the Gateway that the routes attach to, with its class.
const Infrastructure = `---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: envoy}
spec: {controllerName: routedelta.dev/files}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public, namespace: infra}
spec:
  gatewayClassName: envoy
  listeners:
    - name: http
      port: 80
      protocol: HTTP
      allowedRoutes: {namespaces: {from: All}}
`

// RoutesOfGateway is the number of routes of each Gateway of a Fleet, EndpointsOfRoute that of the endpoints of its backends.
const (
	RoutesOfGateway  = 50
	EndpointsOfRoute = 5
)

// Fleet is all that a cluster has of some routes: one Gateway for RoutesOfGateway of them, and each with two Services that have
// EndpointsOfRoute endpoints together.
func Fleet(routes int) []byte {
	var b bytes.Buffer
	for i := 0; i < routes; i += RoutesOfGateway {
		b.WriteString(gatewayOfFleet(Infrastructure, i, i > 0))
	}
	for i := range routes {
		b.WriteString(gatewayOfFleet(fmt.Sprintf(route, i, i%40), i, false))
		for j, name := range []string{"api", "web"} {
			port := 8080 - j*8000
			fmt.Fprintf(&b, service, name, i, i%40, port)
			for k := range 3 - j {
				fmt.Fprintf(&b, "- addresses: [10.%d.%d.%d]\n  conditions: {ready: true}\n  zone: zone-%d\n", i>>8, i&255, j*3+k+1, k)
			}
		}
	}
	return b.Bytes()
}

// gatewayOfFleet names the Gateway of a route in place of the one that all have. The class is wanted once.
func gatewayOfFleet(text string, route int, withoutClass bool) string {
	if withoutClass {
		text = text[strings.LastIndex(text, "---\n"):]
	}
	return strings.Replace(text, "name: public", fmt.Sprintf("name: public-%d", route/RoutesOfGateway), 1)
}

const service = `---
apiVersion: v1
kind: Service
metadata:
  name: %[1]s-%[2]d
  namespace: team-%[3]d
spec:
  selector: {app.kubernetes.io/name: %[1]s-%[2]d}
  ports:
  - name: http
    port: %[4]d
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: %[1]s-%[2]d-x
  namespace: team-%[3]d
  labels: {kubernetes.io/service-name: %[1]s-%[2]d}
addressType: IPv4
ports:
- {name: http, port: 8080, protocol: TCP}
endpoints:
`
