package source

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// helmReleaseSpec is what is read of the spec of a Flux HelmRelease (helm.toolkit.fluxcd.io/v2).
type helmReleaseSpec struct {
	ReleaseName     string `yaml:"releaseName"`
	TargetNamespace string `yaml:"targetNamespace"`
	Chart           *struct {
		Spec struct {
			Chart     string `yaml:"chart"`
			SourceRef struct {
				Kind      string `yaml:"kind"`
				Name      string `yaml:"name"`
				Namespace string `yaml:"namespace"`
			} `yaml:"sourceRef"`
			ValuesFiles []string `yaml:"valuesFiles"`
		} `yaml:"spec"`
	} `yaml:"chart"`
	ChartRef *struct {
		Kind string `yaml:"kind"`
		Name string `yaml:"name"`
	} `yaml:"chartRef"`
	ValuesFrom []struct {
		Kind       string `yaml:"kind"`
		Name       string `yaml:"name"`
		ValuesKey  string `yaml:"valuesKey"`
		TargetPath string `yaml:"targetPath"`
		Optional   bool   `yaml:"optional"`
	} `yaml:"valuesFrom"`
	PostRenderers []yaml.Node `yaml:"postRenderers"`
}

// followHelmRelease renders the chart of a release, if the tree has it. A release whose values make no routes and whose chart is
// elsewhere is none of ours.
func (c *collector) followHelmRelease(o object) error {
	ch, unread := c.helmRelease(o)
	if unread == "" {
		return c.helm(ch)
	}
	switch {
	case makesRoutes(yamlnode.Get(o.node, "spec", "values")):
		c.notFollowed(o, formHelm, unread+", and its values make routes")
	case ch.directory != "" && c.severityOf(ch) == diagnostic.Error:
		c.chartUnread(ch, unread, diagnostic.Warning)
	default:
		c.withoutObject(o, formHelm, unread)
	}
	return nil
}

// claimsNothing: files of a chart are no manifests, whoever renders it.
func (c *collector) claimsNothing(object) []string { return nil }

// helmRelease is the chart of a release with its values; unread is why there is none.
func (c *collector) helmRelease(o object) (ch chart, unread string) {
	var spec helmReleaseSpec
	node := yamlnode.Get(o.node, "spec")
	if node == nil {
		return ch, "it has no spec"
	}
	if err := node.Decode(&spec); err != nil {
		return ch, fmt.Sprintf("its spec is not that of a HelmRelease: %q", err)
	}
	ch = chart{by: &o, namespace: cmp.Or(spec.TargetNamespace, o.namespace())}
	ch.release = spec.ReleaseName
	if ch.release == "" && spec.TargetNamespace != "" {
		ch.release = spec.TargetNamespace + "-" + o.name()
	}
	ch.release = cmp.Or(ch.release, o.name())
	ch.arguments = []string{"--is-upgrade"} // what Flux does with all but the first state of a release
	if ch.directory, unread = c.chartOf(o, spec); unread != "" {
		return ch, unread
	}
	if len(spec.PostRenderers) > 0 {
		return ch, "what its postRenderers change is not known"
	}
	return ch, c.releaseValues(&ch, o, spec)
}

// chartOf is the directory of the tree that a release names as its chart.
func (c *collector) chartOf(o object, spec helmReleaseSpec) (directory, unread string) {
	switch {
	case spec.ChartRef != nil:
		return "", fmt.Sprintf("its chart is the %q, which is not in the tree", spec.ChartRef.Kind+" "+spec.ChartRef.Name)
	case spec.Chart == nil:
		return "", "it names no chart"
	}
	from := spec.Chart.Spec
	if from.SourceRef.Kind != "GitRepository" {
		return "", fmt.Sprintf("the chart %q is not in the tree", from.Chart)
	}
	asFlux := fluxSpec{}
	asFlux.SourceRef = from.SourceRef
	if unread := c.foreignSource(asFlux, o.namespace()); unread != "" {
		return "", unread
	}
	directory = strings.TrimPrefix(path.Clean("/"+from.Chart), "/")
	if !c.isChart(directory) {
		return "", fmt.Sprintf("the chart %q is not in the tree", from.Chart)
	}
	return directory, ""
}

// releaseValues gathers the values of a release, from those that lie lowest.
func (c *collector) releaseValues(ch *chart, o object, spec helmReleaseSpec) (unread string) {
	for _, name := range spec.Chart.Spec.ValuesFiles {
		file, unread := c.valuesFile(".", name)
		if unread != "" {
			return unread
		}
		ch.files = append(ch.files, file)
	}
	for _, from := range spec.ValuesFrom {
		text, found := c.configMapValue(o.namespace(), from.Name, cmp.Or(from.ValuesKey, "values.yaml"))
		switch {
		case from.Kind != "ConfigMap" && !from.Optional, from.TargetPath != "", len(c.secrets(o.namespace(), from.Name)) > 0 && from.Kind == "Secret":
			return fmt.Sprintf("its values from the %q are not in the tree", from.Kind+" "+from.Name)
		case !found && !from.Optional:
			return fmt.Sprintf("its values from the ConfigMap %q are not in the tree", from.Name)
		case found && from.Kind == "ConfigMap":
			ch.values = append(ch.values, []byte(text))
		}
	}
	if values := yamlnode.Get(o.node, "spec", "values"); values != nil {
		text, err := yaml.Marshal(values)
		if err != nil {
			return fmt.Sprintf("its values cannot be written: %q", err)
		}
		ch.values = append(ch.values, text)
	}
	return ""
}

// valuesFile is the name in the tree of a file with values, which is called from a directory, or from the root with a slash.
func (c *collector) valuesFile(directory, name string) (file, unread string) {
	if strings.Contains(name, "://") {
		return "", fmt.Sprintf("its values are on the network: %q", withoutCredentials(name))
	}
	if strings.HasPrefix(name, "/") {
		directory = "."
	}
	file = path.Join(directory, strings.TrimLeft(name, "/"))
	if _, err := manifest.Real(c.tree, file); err != nil {
		return "", fmt.Sprintf("its values file %q is not in the tree", name)
	}
	return file, ""
}

// configMapValue is an entry of a ConfigMap, as it would be applied or as it is written.
func (c *collector) configMapValue(namespace, name, key string) (string, bool) {
	for _, list := range [][]object{c.configMaps, c.rawObjects(groupKind{"", "ConfigMap"})} {
		for _, o := range list {
			if o.name() != name || o.namespace() != "" && namespace != "" && o.namespace() != namespace {
				continue
			}
			if value := yamlnode.Get(o.node, "data", key); value != nil && value.Kind == yaml.ScalarNode {
				return value.Value, true
			}
		}
	}
	return "", false
}

// makesRoutes tells whether values name parents of routes, which a chart makes routes of.
func makesRoutes(n *yaml.Node) bool {
	if n = yamlnode.Resolve(n); n == nil {
		return false
	}
	if refs := yamlnode.Get(n, "parentRefs"); refs != nil && refs.Kind == yaml.SequenceNode {
		return true
	}
	for _, child := range n.Content {
		if makesRoutes(child) {
			return true
		}
	}
	return false
}
