package source

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/kustomize"
	"github.com/routedelta/routedelta/plugin/yamlnode"
)

// argoSpec is what is read of the spec of an Argo CD Application (argoproj.io/v1alpha1).
type argoSpec struct {
	Source      *argoSource  `yaml:"source"`
	Sources     []argoSource `yaml:"sources"`
	Destination struct {
		Namespace string `yaml:"namespace"`
	} `yaml:"destination"`
}

// argoSource is one place that an Application reads.
type argoSource struct {
	RepoURL        string         `yaml:"repoURL"`
	Path           string         `yaml:"path"`
	TargetRevision string         `yaml:"targetRevision"`
	Chart          string         `yaml:"chart"`
	Ref            string         `yaml:"ref"`
	Kustomize      *argoKustomize `yaml:"kustomize"`
	Helm           *argoHelm      `yaml:"helm"`
	Directory      argoDirectory  `yaml:"directory"`
	Plugin         *yaml.Node     `yaml:"plugin"`
}

// argoKustomize is laid over the kustomization of the path.
type argoKustomize struct {
	NamePrefix        string            `yaml:"namePrefix"`
	NameSuffix        string            `yaml:"nameSuffix"`
	Namespace         string            `yaml:"namespace"`
	CommonLabels      map[string]string `yaml:"commonLabels"`
	CommonAnnotations map[string]string `yaml:"commonAnnotations"`
	Components        []string          `yaml:"components"`
	Patches           []types.Patch     `yaml:"patches"`
	// node is where it stands.
	node *yaml.Node
}

// followArgo reads what an Application applies: kustomize, Helm or files as they are, by what its path holds.
func (c *collector) followArgo(o object) error {
	spec, unread := readArgo(o)
	if unread != "" {
		c.notFollowed(o, formArgo, unread)
		return nil
	}
	for i, from := range spec.sources() {
		if from.Path == "" && from.Chart == "" && from.Ref != "" {
			continue // only others name its files
		}
		directory, unread := c.argoDirectory(from)
		if unread != "" {
			c.notFollowed(o, formArgo, unread)
			continue
		}
		if from.Kustomize != nil {
			from.Kustomize.node = yamlnode.Get(sourceNode(o, i), "kustomize")
		}
		if err := c.argoSource(o, spec, from, directory); err != nil {
			return err
		}
	}
	return nil
}

func readArgo(o object) (spec argoSpec, unread string) {
	node := yamlnode.Get(o.node, "spec")
	if node == nil {
		return spec, "it has no spec"
	}
	if err := node.Decode(&spec); err != nil {
		return spec, fmt.Sprintf("its spec is not that of an Application: %q", err)
	}
	return spec, ""
}

// sources are all of them: where there is a list, the single one does not count.
func (s argoSpec) sources() []argoSource {
	if len(s.Sources) == 0 && s.Source != nil {
		return []argoSource{*s.Source}
	}
	return s.Sources
}

// sourceNode is where the source of that number stands.
func sourceNode(o object, number int) *yaml.Node {
	if list := yamlnode.Get(o.node, "spec", "sources"); list != nil && number < len(list.Content) {
		return yamlnode.Resolve(list.Content[number])
	}
	return yamlnode.Get(o.node, "spec", "source")
}

// pinned is a revision that does not move with the branch: a release or a commit.
var pinned = regexp.MustCompile(`^(v?[0-9]+(\.[0-9]+)*([-+].*)?|[0-9a-f]{40})$`)

// argoDirectory is the directory of the tree that a source of an Application is; unread is why it is none.
func (c *collector) argoDirectory(from argoSource) (directory, unread string) {
	switch {
	case from.Chart != "":
		return "", fmt.Sprintf("the chart %q is in a chart repository", from.Chart)
	case !c.isThisRepository(from.RepoURL):
		return "", fmt.Sprintf("its source is another repository: %q", withoutCredentials(from.RepoURL))
	case pinned.MatchString(from.TargetRevision):
		return "", fmt.Sprintf("its source is a revision that does not move: %q", from.TargetRevision)
	case from.Plugin != nil:
		return "", "it is rendered by a plugin"
	}
	directory = strings.TrimPrefix(path.Clean("/"+from.Path), "/")
	if directory == "" {
		directory = "."
	}
	if !c.isDirectory(directory) {
		return "", fmt.Sprintf("the directory %q is not in the tree", directory)
	}
	return directory, ""
}

// argoClaims are the directories that an Application applies.
func (c *collector) argoClaims(o object) []string {
	spec, unread := readArgo(o)
	if unread != "" {
		return nil
	}
	var claimed []string
	for _, from := range spec.sources() {
		if directory, unread := c.argoDirectory(from); unread == "" && from.Path != "" {
			claimed = append(claimed, directory)
		}
	}
	return claimed
}

// argoSource reads a directory by what it is, in the order in which Argo CD finds it out.
func (c *collector) argoSource(o object, spec argoSpec, from argoSource, directory string) error {
	namespace := spec.Destination.Namespace
	c.withoutArgoFiles(o, directory)
	switch {
	case from.Helm != nil || c.isChart(directory):
		return c.argoChart(o, spec, from, directory)
	case from.Kustomize != nil || kustomize.FileIn(c.tree, directory) != "":
		b := building{
			form: formArgo, directory: directory, by: &o, each: inNamespace(namespace), values: c.options.Sources.Variables,
		}
		if from.Kustomize != nil {
			b.over, b.says = from.Kustomize.over, from.Kustomize.node
		}
		return c.build(b)
	}
	return c.argoFiles(o, from.Directory, directory, namespace)
}

func (k argoKustomize) over(file *types.Kustomization) {
	if k.NamePrefix != "" {
		file.NamePrefix = k.NamePrefix
	}
	if k.NameSuffix != "" {
		file.NameSuffix = k.NameSuffix
	}
	if k.Namespace != "" {
		file.Namespace = k.Namespace
	}
	if len(k.CommonLabels) > 0 {
		file.Labels = append(file.Labels, types.Label{Pairs: k.CommonLabels})
	}
	if len(k.CommonAnnotations) > 0 && file.CommonAnnotations == nil {
		file.CommonAnnotations = map[string]string{}
	}
	for name, value := range k.CommonAnnotations {
		file.CommonAnnotations[name] = value
	}
	file.Components = append(file.Components, k.Components...)
	file.Patches = append(file.Patches, k.Patches...)
}

// inNamespace gives objects that name no namespace the one that they are applied to.
func inNamespace(namespace string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if namespace == "" || isClusterKind(yamlnode.Text(n, "kind")) || yamlnode.Text(n, "metadata", "namespace") != "" {
			return
		}
		_ = yaml.NewRNode(n).PipeE(yaml.LookupCreate(yaml.MappingNode, "metadata"), yaml.SetField("namespace", yaml.NewStringRNode(namespace)))
	}
}

// isClusterKind tells of the kinds that are looked at, and of those that stand beside them, which have no namespace.
func isClusterKind(kind string) bool {
	switch kind {
	case "Namespace", "GatewayClass", "CustomResourceDefinition", "ClusterRole", "ClusterRoleBinding", "PersistentVolume", "StorageClass",
		"PriorityClass", "IngressClass", "APIService", "ClusterIssuer", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration":
		return true
	}
	return false
}
