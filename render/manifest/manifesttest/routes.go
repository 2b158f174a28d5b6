// Package manifesttest makes manifests of any size for benchmarks: in goes a number of routes, out comes YAML that looks as
// people write it, the same each time.
package manifesttest

import (
	"bytes"
	"fmt"
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
