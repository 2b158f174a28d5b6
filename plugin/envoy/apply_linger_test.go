package envoy_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/routedelta/routedelta/plugin/envoy"
)

// judged is a route whose requests are judged by a server before they go to a Service that is replaced.
const judged = `---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: judged, namespace: infra}
spec:
  parentRefs: [{name: edge}]
  rules:
  - matches: [{path: {value: /judged}}]
    filters: [{type: ExternalAuth, externalAuth: {protocol: HTTP, backendRef: {name: judge, port: 80}, http: {}}}]
    backendRefs: [{name: %s, port: 80}]
---
apiVersion: v1
kind: Service
metadata: {namespace: infra, name: judge}
spec: {ports: [{port: 80, targetPort: %[2]d}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {namespace: infra, name: judge-1, labels: {kubernetes.io/service-name: judge}}
addressType: IPv4
ports: [{port: %[2]d}]
endpoints: [{addresses: [127.0.0.1]}]
`

// TestRequestsThatWaitKeepTheirCluster: a request has its route when a server is asked about it, and looks for its cluster when the
// server has answered. In between, another rendering is installed in which the cluster is not any more.
func TestRequestsThatWaitKeepTheirCluster(t *testing.T) {
	t.Parallel()
	const thought = 150 * time.Millisecond
	judge := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(thought) }))
	t.Cleanup(judge.Close)
	var judgePort int
	if _, err := fmt.Sscanf(judge.URL, "http://127.0.0.1:%d", &judgePort); err != nil {
		t.Fatal(err)
	}
	w := newApplied(t)
	first := w.revision
	first.More = fmt.Sprintf(judged, first.Replaced, judgePort)
	w.apply(t, first)
	ctx, cancel := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	lost := make(chan error, 8)
	for range cap(lost) {
		clients.Go(func() {
			client := newClient(false, false)
			defer client.CloseIdleConnections()
			for ctx.Err() == nil {
				if _, err := ask(context.WithoutCancel(ctx), client, fmt.Sprintf("http://127.0.0.1:%d/judged", w.HTTP)); err != nil {
					lost <- err
					return
				}
			}
		})
	}
	for i := range 4 {
		next := w.revision
		next.Replaced = fmt.Sprintf("replaced-%d", i+1)
		next.More = fmt.Sprintf(judged, next.Replaced, judgePort)
		if _, err := envoy.Apply(t.Context(), next.rendering(t), w.dir, envoy.Options{Linger: 10 * thought}); err != nil {
			t.Fatal(err)
		}
		w.revision = next
	}
	cancel()
	clients.Wait()
	close(lost)
	for err := range lost {
		t.Errorf("a request is lost: %v", err)
	}
}
