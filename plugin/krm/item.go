package krm

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/krm/resourcelist"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

const (
	// localConfig marks what no cluster gets: the input of functions. The callers drop it in the end.
	localConfig = "config.kubernetes.io/local-config"
	// originAnnotation is where kustomize says which file an item came from (buildMetadata: [originAnnotations]).
	originAnnotation = "config.kubernetes.io/origin"
	// kustomizeID is on every item under kustomize, and on none elsewhere (api/internal/plugins/utils, v0.21.1).
	kustomizeID = "kustomize.config.k8s.io/id"
)

// item is the head of an item of the list.
type item struct{ resourcelist.Item }

// name is what tells ConfigMaps apart.
type name struct{ namespace, name string }

func (i item) name() name { return name{i.Namespace, i.Name} }

// isRendered tells whether an earlier run has made the item.
func (i item) isRendered() bool {
	return i.isConfigMap() && i.Labels[RenderedLabel] == "true"
}

func (i item) isConfigMap() bool { return i.APIVersion == "v1" && i.Kind == "ConfigMap" }

// isConfiguration tells whether the item is a configuration of this function, which kustomize and kpt hand over among the items.
func (i item) isConfiguration() bool {
	return i.APIVersion == config.APIVersion && i.Kind == config.Kind
}

// isLocal tells whether no cluster gets the item.
func (i item) isLocal() bool { return i.Annotations[localConfig] == "true" }

// file is where the item came from, as the caller's path annotation tells it, or under kustomize, which sets none, as its origin
// annotation does.
func (i item) file() string {
	return cmp.Or(
		i.Annotations[kioutil.PathAnnotation],
		i.Annotations[kioutil.LegacyPathAnnotation], //nolint:staticcheck // older callers set this one alone
		originPath(i.Annotations[originAnnotation]),
	)
}

// originPath reads the path out of kustomize's origin annotation, which is YAML itself. A file of another repository is none of the
// caller's.
func originPath(annotation string) string {
	var origin struct {
		Path string `yaml:"path"`
		Repo string `yaml:"repo"`
	}
	if yaml.Unmarshal([]byte(annotation), &origin) != nil || origin.Repo != "" {
		return ""
	}
	return origin.Path
}

// readItems reads the heads of all items, and the objects of those that a rendering depends on. Only a few are in memory at a time.
func (f *function) readItems(ctx context.Context) (*manifest.Objects, error) {
	f.items = make([]item, f.list.Len())
	failed := make([]error, len(f.items))
	objects, found := manifest.ReadNodes(ctx, len(f.items), func(i int) manifest.Node {
		node, err := f.readItem(i)
		failed[i] = err
		return node
	})
	for _, err := range failed {
		if err != nil {
			return nil, fmt.Errorf("reading the ResourceList: %w", err)
		}
	}
	f.found = append(f.found, found...)
	f.found = append(f.found, f.skipped()...)
	return objects, ctx.Err()
}

// readItem reads the head of an item and gives what the renderer is to read of it.
func (f *function) readItem(i int) (manifest.Node, error) {
	read, err := f.list.Read(i, func(apiVersion, kind string) bool {
		// Of ConfigMaps only some are read; those of an earlier run are large.
		return manifest.Reads(apiVersion, kind) && kind != "ConfigMap"
	})
	if err != nil {
		return manifest.Node{}, err
	}
	f.items[i] = item{read}
	f.items[i].Node = nil
	one := f.items[i]
	switch {
	case one.isRendered(), one.isConfiguration(), f.skips(one):
		return manifest.Node{}, nil
	case one.isConfigMap() && read.Node == nil:
		if read, err = f.list.Read(i, func(string, string) bool { return true }); err != nil {
			return manifest.Node{}, err
		}
	}
	if read.Node == nil {
		read.Node = headNode(read)
	}
	return manifest.Node{Node: read.Node, File: one.file()}, nil
}

// headNode is an object that has a name and nothing else, so that a reference to it can be told from a reference to nothing.
func headNode(head resourcelist.Item) *yaml.Node {
	metadata := mapping(text("namespace"), text(head.Namespace), text("name"), text(head.Name))
	return mapping(text("apiVersion"), text(head.APIVersion), text("kind"), text(head.Kind), text("metadata"), metadata)
}

func mapping(content ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Content: content}
}

func text(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: value}
}

// skips tells whether an item is left out because no cluster gets it.
func (f *function) skips(one item) bool {
	return one.isLocal() && f.configured.Spec.LocalConfig != "read"
}

// skipped says which objects were left out that would have counted. ConfigMaps hardly ever do, and are what functions are configured
// with.
func (f *function) skipped() diagnostic.List {
	var found diagnostic.List
	for _, one := range f.items {
		if f.skips(one) && manifest.Reads(one.APIVersion, one.Kind) && one.Kind != "ConfigMap" {
			found = append(found, diagnostic.Diagnostic{
				Code: diagnostic.LocalOnly, Severity: diagnostic.Info, Position: diagnostic.Position{File: one.file()},
				Object:  diagnostic.Object{Kind: one.Kind, Namespace: one.Namespace, Name: one.Name},
				Field:   "metadata.annotations[" + localConfig + "]",
				Message: "not read, because no cluster gets the object", Hint: "set spec.localConfig: read to have such objects read",
			})
		}
	}
	return found
}

// underKustomize tells whether kustomize calls, and not kpt or somebody else.
func (f *function) underKustomize() bool {
	for _, one := range f.items {
		if _, set := one.Annotations[kustomizeID]; set {
			return true
		}
	}
	return false
}

// bookkeeping tells whether an annotation is the caller's own note on an item.
func bookkeeping(annotation string) bool {
	for _, prefix := range []string{"config.kubernetes.io/", "internal.config.kubernetes.io/", "config.k8s.io/", "kustomize.config.k8s.io/"} {
		if strings.HasPrefix(annotation, prefix) && annotation != localConfig {
			return true
		}
	}
	return false
}
