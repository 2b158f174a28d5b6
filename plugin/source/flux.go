package source

import (
	"fmt"
	"path"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// fluxSpec is what is read of the spec of a Flux Kustomization (kustomize.toolkit.fluxcd.io/v1).
type fluxSpec struct {
	Path      string `yaml:"path"`
	SourceRef struct {
		Kind      string `yaml:"kind"`
		Name      string `yaml:"name"`
		Namespace string `yaml:"namespace"`
	} `yaml:"sourceRef"`
	TargetNamespace string        `yaml:"targetNamespace"`
	NamePrefix      string        `yaml:"namePrefix"`
	NameSuffix      string        `yaml:"nameSuffix"`
	Components      []string      `yaml:"components"`
	Patches         []types.Patch `yaml:"patches"`
	Images          []types.Image `yaml:"images"`
	CommonMetadata  struct {
		Labels      map[string]string `yaml:"labels"`
		Annotations map[string]string `yaml:"annotations"`
	} `yaml:"commonMetadata"`
	PostBuild  *fluxPostBuild `yaml:"postBuild"`
	KubeConfig *yaml.Node     `yaml:"kubeConfig"`
}

// fluxPostBuild says where the values of variables are.
type fluxPostBuild struct {
	Substitute     map[string]string `yaml:"substitute"`
	SubstituteFrom []struct {
		Kind     string `yaml:"kind"`
		Name     string `yaml:"name"`
		Optional bool   `yaml:"optional"`
	} `yaml:"substituteFrom"`
}

// readFlux reads a Flux Kustomization, and finds the directory that it applies; unread is why there is none here.
func (c *collector) readFlux(o object) (spec fluxSpec, directory, unread string) {
	node := yamlnode.Get(o.node, "spec")
	if node == nil {
		return spec, "", "it has no spec"
	}
	if err := node.Decode(&spec); err != nil {
		return spec, "", "its spec is not that of a Flux Kustomization"
	}
	directory = strings.TrimPrefix(path.Clean("/"+spec.Path), "/")
	if directory == "" {
		directory = "."
	}
	switch unread = c.foreignSource(spec, o.namespace()); {
	case unread != "":
	case spec.KubeConfig != nil:
		unread = "it is applied to another cluster (kubeConfig)"
	case !c.isDirectory(directory):
		unread = fmt.Sprintf("the directory %q is not in the tree", directory)
	}
	return spec, directory, unread
}

// fluxClaims is the directory that a Flux Kustomization applies.
func (c *collector) fluxClaims(o object) []string {
	_, directory, unread := c.readFlux(o)
	if unread != "" {
		return nil
	}
	return []string{directory}
}

// followFlux builds what a Flux Kustomization applies, as its controller does: its fields are merged into the kustomization of its path
// (fluxcd/pkg/kustomize, Generator), then variables are substituted.
func (c *collector) followFlux(o object) error {
	spec, directory, unread := c.readFlux(o)
	if unread != "" {
		c.notFollowed(o, formFlux, unread)
		return nil
	}
	b := building{
		form: formFlux, directory: directory, by: &o, says: yamlnode.Get(o.node, "spec"),
		over: spec.over, anyFile: true, each: spec.mark, keepVariables: keepsVariables,
		values: c.options.Sources.Variables,
	}
	if spec.PostBuild != nil {
		b.values = c.fluxValues(o, spec.PostBuild)
	}
	return c.build(b)
}

// notFollowed says why an object is not followed.
func (c *collector) notFollowed(o object, form, reason string) {
	c.unread(o.at.File, form, fmt.Sprintf("%s %s: %s", o.groupKind().kind, shown(o.name()), reason))
	c.withoutObject(o, form, reason)
	c.Pointers = append(c.Pointers, Pointer{Object: o.identified(), Position: o.at, Unread: reason})
	c.Diagnostics = append(c.Diagnostics, diagnostic.Diagnostic{
		Code: diagnostic.PartNotRead, Severity: diagnostic.Warning, Position: o.at,
		Object:  diagnostic.Object{Kind: o.groupKind().kind, Namespace: o.namespace(), Name: o.name()},
		Message: "it is not followed: " + reason,
		Hint:    "to have its routes in the answer, give them as a directory or a stream of their own",
	})
}

// over lays the fields of a Flux Kustomization over that of its path.
func (s fluxSpec) over(k *types.Kustomization) {
	if s.TargetNamespace != "" {
		k.Namespace = s.TargetNamespace
	}
	if s.NamePrefix != "" {
		k.NamePrefix = s.NamePrefix
	}
	if s.NameSuffix != "" {
		k.NameSuffix = s.NameSuffix
	}
	k.Components = append(k.Components, s.Components...)
	k.Patches = append(k.Patches, s.Patches...)
	k.Images = append(k.Images, s.Images...)
}

// mark adds the common labels and annotations to an object.
func (s fluxSpec) mark(object *yaml.Node) {
	if len(s.CommonMetadata.Labels)+len(s.CommonMetadata.Annotations) == 0 {
		return
	}
	resource := yaml.NewRNode(object)
	for name, value := range s.CommonMetadata.Labels {
		_ = resource.PipeE(yaml.SetLabel(name, value)) // of a mapping it cannot fail
	}
	for name, value := range s.CommonMetadata.Annotations {
		_ = resource.PipeE(yaml.SetAnnotation(name, value))
	}
}

// disabled is how an object says that its variables are text (Flux, "Post build variable substitution").
const disabled = "kustomize.toolkit.fluxcd.io/substitute"

func keepsVariables(object *yaml.Node) bool {
	return yamlnode.Text(object, "metadata", "annotations", disabled) == "disabled" || yamlnode.Text(object, "metadata", "labels", disabled) == "disabled"
}
