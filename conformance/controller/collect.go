package controller

import (
	"context"

	"github.com/routedelta/routedelta/render/manifest"
)

// paths are the lists that the renderer reads.
var paths = []string{
	"/apis/gateway.networking.k8s.io/v1/gatewayclasses",
	"/apis/gateway.networking.k8s.io/v1/gateways",
	"/apis/gateway.networking.k8s.io/v1/listenersets",
	"/apis/gateway.networking.k8s.io/v1/httproutes",
	"/apis/gateway.networking.k8s.io/v1/grpcroutes",
	"/apis/gateway.networking.k8s.io/v1/tlsroutes",
	"/apis/gateway.networking.k8s.io/v1/tcproutes",
	"/apis/gateway.networking.k8s.io/v1/udproutes",
	"/apis/gateway.networking.k8s.io/v1/backendtlspolicies",
	"/apis/gateway.networking.k8s.io/v1/referencegrants",
	"/api/v1/namespaces",
	"/api/v1/services",
	"/api/v1/configmaps",
	"/api/v1/secrets",
	"/apis/discovery.k8s.io/v1/endpointslices",
}

// collect reads the lists as the API writes them, which is what `kubectl get -o json` prints.
func (c *Controller) collect(ctx context.Context) ([][]byte, error) {
	var lists [][]byte
	for _, path := range paths {
		list, err := c.REST.Get().AbsPath(path).DoRaw(ctx)
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	return lists, nil
}

// sources are lists as the renderer reads manifests.
func sources(lists [][]byte) []manifest.Source {
	var sources []manifest.Source
	for i, list := range lists {
		sources = append(sources, manifest.Source{Name: paths[i] + ".json", Data: list, Named: true})
	}
	return sources
}
