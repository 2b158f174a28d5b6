package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

// listBytes is the size of a ResourceList that a function has to take: kustomize and kpt themselves are at their limits before.
const listBytes = 20_000_000

// BenchmarkFunction hands 20 MB of ResourceList to the KRM function, in a process of its own, and prints time, processor time and the
// peak of resident memory: of a cluster, where one object in four bears on routing and most of the text is of Deployments, and of
// nothing but what is rendered.
func BenchmarkFunction(b *testing.B) {
	for name, list := range map[string][]byte{"cluster": clusterList(1250), "routes": clusterList(fleetOf(listBytes))} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			var spent time.Duration
			most := 0
			for b.Loop() {
				peak, user := measure(b, dir, list, "fn")
				most, spent = max(most, peak), spent+user
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/run")
			b.ReportMetric(spent.Seconds()/float64(b.N), "cpu-s")
			b.ReportMetric(float64(most)/(1<<20), "peak-MB")
			b.ReportMetric(float64(len(list))/1e6, "input-MB")
		})
	}
}

// fleetOf is how many routes a fleet of a size has.
func fleetOf(size int) int {
	const sample = 500
	return sample * size / len(manifesttest.Fleet(sample))
}

// clusterList is a ResourceList with a fleet of routes, and other objects of a cluster up to its size.
func clusterList(routes int) []byte {
	list := bytes.NewBufferString("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n")
	for document := range strings.SplitSeq(strings.TrimPrefix(string(manifesttest.Fleet(routes)), "---\n"), "---\n") {
		appendItem(list, document)
	}
	for i := 0; list.Len() < listBytes; i++ {
		appendItem(list, fmt.Sprintf(deployment, i, strings.Repeat(variable, 40)))
	}
	return list.Bytes()
}

// appendItem makes a document an item of a list.
func appendItem(list *bytes.Buffer, document string) {
	mark := "- "
	for line := range strings.Lines(document) {
		list.WriteString(mark + line)
		mark = "  "
	}
}

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  annotations:
    config.kubernetes.io/index: '%[1]d'
    kustomize.config.k8s.io/id: |
      group: apps
      kind: Deployment
      name: app-%[1]d
      namespace: shop
      version: v1
  labels:
    app.kubernetes.io/name: app-%[1]d
  name: app-%[1]d
  namespace: shop
spec:
  replicas: 3
  selector:
    matchLabels:
      app.kubernetes.io/name: app-%[1]d
  template:
    metadata:
      labels:
        app.kubernetes.io/name: app-%[1]d
    spec:
      containers:
      - name: app
        image: registry.example.com/app:%[1]d
        args:
        - --listen=:8080
        - "--name=app-%[1]d"
        env:
%[2]s`

const variable = `        - name: VARIABLE
          value: "some value"
`
