// Package krm holds renderings in Kubernetes objects, and is the KRM function that does so for kustomize and kpt.
//
// In comes a ResourceList with routes; out goes the same ResourceList with ConfigMaps that hold the Envoy files, and with what there
// is to say as results. Items that are not ours pass through untouched. The contract is the KRM functions specification
// (config.kubernetes.io/v1), the traps are those of kustomize v5: a result of severity error does not fail a build, an exit
// code does; an empty list deletes everything, so none is ever written.
package krm

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// MaxInput bounds a ResourceList.
const MaxInput = 64 << 20

// Run reads a ResourceList and writes it back with the rendering in it. Where a diagnostic is an error the list goes out as it
// came, with results and without ConfigMaps; the caller exits with 1 then. An error means that nothing was written.
func Run(ctx context.Context, in io.Reader, out io.Writer) (diagnostic.List, error) {
	text, err := io.ReadAll(io.LimitReader(in, MaxInput+1))
	if err != nil {
		return nil, fmt.Errorf("reading the ResourceList: %w", err)
	}
	if len(text) > MaxInput {
		return nil, fmt.Errorf("the ResourceList has more than %d bytes", MaxInput)
	}
	list, items, err := parseList(text)
	if err != nil {
		return nil, err
	}
	configured, err := functionConfig(list.FunctionConfig)
	if err != nil {
		return nil, err
	}
	items, found, err := transform(ctx, items, configured)
	if err != nil {
		return found, err
	}
	if list.Results, err = results(found); err != nil {
		return found, err
	}
	var written bytes.Buffer
	if err := writeList(&written, list, items); err != nil {
		return found, fmt.Errorf("writing the ResourceList: %w", err)
	}
	_, err = out.Write(written.Bytes())
	return found, err
}

func parseList(text []byte) (*kio.ByteReadWriter, []*yaml.RNode, error) {
	list := &kio.ByteReadWriter{Reader: bytes.NewReader(text), KeepReaderAnnotations: true}
	items, err := list.Read()
	if err != nil {
		return nil, nil, fmt.Errorf("reading the ResourceList: %w", manifest.WithoutText(err))
	}
	// Writing one that is no object would fail with its text in the error, which may be that of a Secret.
	for i, item := range items {
		if item.YNode().Kind != yaml.MappingNode {
			return nil, nil, fmt.Errorf("reading the ResourceList: items[%d] is no object", i)
		}
	}
	if list.WrappingKind != kio.ResourceListKind {
		return nil, nil, fmt.Errorf("standard input holds no ResourceList (config.kubernetes.io/v1): want what kustomize or kpt send")
	}
	return list, items, nil
}

func functionConfig(node *yaml.RNode) (*config.Config, error) {
	if node.IsNilOrEmpty() {
		return new(config.Config), nil
	}
	text, err := node.String()
	if err != nil {
		return nil, fmt.Errorf("functionConfig: %w", err)
	}
	return config.Parse("functionConfig", []byte(text))
}

// transform drops what an earlier run made and adds what the items mean now.
func transform(ctx context.Context, items []*yaml.RNode, configured *config.Config) ([]*yaml.RNode, diagnostic.List, error) {
	items = withoutRendered(items)
	objects, found := manifest.ReadNodes(ctx, nodes(items), manifest.Limits{})
	rendering, err := render.Render(ctx, objects, configured.RenderOptions())
	if err != nil {
		return nil, found, err
	}
	found = append(found, rendering.Diagnostics...).Sort()
	if found.HasErrors() {
		return items, found, nil
	}
	made, err := ConfigMaps(rendering, configured.Spec)
	if err != nil {
		return nil, found, err
	}
	for _, configMap := range made {
		node, err := configMap.node()
		if err != nil {
			return nil, found, err
		}
		items = append(items, yaml.NewRNode(node))
	}
	return items, found, nil
}

func withoutRendered(items []*yaml.RNode) []*yaml.RNode {
	var kept []*yaml.RNode
	for _, item := range items {
		if item.GetKind() == "ConfigMap" && item.GetLabels()[RenderedLabel] == "true" {
			continue
		}
		kept = append(kept, item)
	}
	return kept
}

// nodes are the items with the files that they came from: as the caller's path annotation tells it, or under kustomize, which sets
// none, as its origin annotation does (buildMetadata: [originAnnotations]).
func nodes(items []*yaml.RNode) []manifest.Node {
	list := make([]manifest.Node, len(items))
	for i, item := range items {
		annotations := item.GetAnnotations()
		list[i] = manifest.Node{Node: item.YNode(), File: cmp.Or(
			annotations[kioutil.PathAnnotation],
			annotations[kioutil.LegacyPathAnnotation], //nolint:staticcheck // older callers set this one alone
			originPath(annotations["config.kubernetes.io/origin"]),
		)}
	}
	return list
}

// originPath reads the path out of kustomize's origin annotation, which is YAML itself.
func originPath(annotation string) string {
	var origin struct {
		Path string `yaml:"path"`
	}
	if yaml.Unmarshal([]byte(annotation), &origin) != nil {
		return ""
	}
	return origin.Path
}
