package source

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// What an object that points to others says in fields that nobody here reads may decide what is applied. So the fields are listed that
// are read, and those that only say when and how something is applied; of all others it is told where they change. A "*" stands for the items of a list; what is below a listed field is listed with it.

// lookedAt are the fields that are read, by kind.
func lookedAt(of groupKind) []string {
	source := []string{
		"repoURL", "path", "targetRevision", "chart", "ref", "name", "plugin",
		"kustomize.namePrefix", "kustomize.nameSuffix", "kustomize.namespace", "kustomize.commonLabels", "kustomize.commonAnnotations",
		"kustomize.components", "kustomize.patches", "kustomize.images", "kustomize.replicas", "kustomize.version",
		"kustomize.forceCommonLabels", "kustomize.forceCommonAnnotations", "kustomize.labelWithoutSelector", "kustomize.labelIncludeTemplates",
		"helm.releaseName", "helm.namespace", "helm.valueFiles", "helm.ignoreMissingValueFiles", "helm.values", "helm.valuesObject", "helm.parameters",
		"helm.fileParameters", "helm.version", "helm.skipCrds", "helm.skipTests", "helm.skipSchemaValidation", "helm.passCredentials",
		"directory.recurse", "directory.include", "directory.exclude",
	}
	application := slices.Concat(
		below("source.", source), below("sources.*.", source),
		[]string{"destination.namespace", "project", "syncPolicy", "ignoreDifferences", "info", "revisionHistoryLimit"},
	)
	switch of {
	case groupKind{"kustomize.toolkit.fluxcd.io", "Kustomization"}:
		return []string{
			"path", "sourceRef", "targetNamespace", "namePrefix", "nameSuffix", "components", "patches", "images", "commonMetadata",
			"postBuild.substitute", "postBuild.substituteFrom", "kubeConfig",
			"interval", "retryInterval", "timeout", "prune", "wait", "force", "dependsOn", "healthChecks", "healthCheckExprs", "serviceAccountName",
			"decryption", "deletionPolicy",
		}
	case groupKind{"helm.toolkit.fluxcd.io", "HelmRelease"}:
		return []string{
			"releaseName", "targetNamespace", "chart", "chartRef", "values", "valuesFrom", "postRenderers",
			"interval", "timeout", "install", "upgrade", "rollback", "test", "uninstall", "driftDetection", "maxHistory", "dependsOn",
			"serviceAccountName", "storageNamespace", "persistentClient",
		}
	case groupKind{"argoproj.io", "Application"}:
		return application
	case groupKind{"argoproj.io", "ApplicationSet"}:
		return slices.Concat(below("template.spec.", append(application, "destination")), []string{
			"generators.*.list.elements", "generators.*.git.repoURL", "generators.*.git.directories", "template.metadata",
			"goTemplate", "goTemplateOptions", "syncPolicy", "strategy", "preservedFields", "ignoreApplicationDifferences",
		})
	case groupKind{"source.toolkit.fluxcd.io", "GitRepository"}:
		return []string{"url", "interval", "timeout", "secretRef", "verify", "provider", "proxySecretRef", "recurseSubmodules"}
	}
	return nil
}

func below(field string, fields []string) []string {
	all := make([]string, len(fields))
	for i, name := range fields {
		all[i] = field + name
	}
	return all
}

// otherFields are what a spec says in fields that are not listed, by their names.
func otherFields(n *yaml.Node, listed []string) map[string][]*yaml.Node {
	found := map[string][]*yaml.Node{}
	var visit func(n *yaml.Node, at string)
	visit = func(n *yaml.Node, at string) {
		isAbove := func(field string) bool { return at == "" || strings.HasPrefix(field, at+".") }
		n = yamlnode.Resolve(n)
		switch {
		case slices.Contains(listed, at):
		case n.Kind == yaml.MappingNode && slices.ContainsFunc(listed, isAbove):
			for i := 0; i+1 < len(n.Content); i += 2 {
				visit(n.Content[i+1], strings.TrimPrefix(at+"."+n.Content[i].Value, "."))
			}
		case n.Kind == yaml.SequenceNode && slices.ContainsFunc(listed, func(field string) bool { return strings.HasPrefix(field, at+".*.") }):
			for _, item := range n.Content {
				visit(item, at+".*")
			}
		default:
			found[at] = append(found[at], n)
		}
	}
	visit(n, "")
	return found
}

// withoutFields notes the fields of an object that nobody reads.
func (c *collector) withoutFields(o object, form string) {
	spec := yamlnode.Get(o.node, "spec")
	if spec == nil {
		return
	}
	found := otherFields(spec, lookedAt(o.groupKind()))
	if len(found) == 0 {
		return
	}
	d := c.newDigest()
	names := slices.Sorted(maps.Keys(found))
	for _, name := range names {
		d.add(name)
		for _, n := range found[name] {
			d.node(n)
		}
	}
	d.routes = true
	for i := range names {
		names[i] = shown(strings.ReplaceAll(names[i], ".*", ""))
	}
	c.note(Unread{
		Source:   report.Source{Path: o.at.File, Form: form, Unread: fmt.Sprintf("what it says in %s is not read", strings.Join(names, ", "))},
		Object:   o.identified(),
		Position: o.at,
	}, d)
}

// withoutObject notes an object that is not followed, with all that it says. Most charts of others make no routes: only what its values
// and patches say of routes counts.
func (c *collector) withoutObject(o object, form, reason string) {
	spec := yamlnode.Get(o.node, "spec")
	d := c.newDigest()
	switch o.groupKind() {
	case groupKind{"helm.toolkit.fluxcd.io", "HelmRelease"}:
		d.node(yamlnode.Get(spec, "postRenderers"))
		c.releaseTexts(d, o)
	case groupKind{"argoproj.io", "Application"}:
		d.node(spec)
		c.applicationFiles(d, o)
		d.routes = d.routes || !isOfCharts(o)
	default:
		d.node(spec)
		c.generatorFiles(d, o)
		d.routes = true
	}
	c.note(Unread{Source: report.Source{Path: o.at.File, Form: form, Unread: reason}, Object: o.identified(), Position: o.at}, d)
}

// releaseTexts takes in the values that a release has from ConfigMaps and Secrets of the tree.
func (c *collector) releaseTexts(d *digest, o object) {
	if list := yamlnode.Get(o.node, "spec", "valuesFrom"); list != nil {
		for _, from := range list.Content {
			key := yamlnode.Text(from, "valuesKey")
			if key == "" {
				key = "values.yaml"
			}
			name := yamlnode.Text(from, "name")
			if text, found := c.configMapValue(o.namespace(), name, key); found && yamlnode.Text(from, "kind") == "ConfigMap" {
				d.text([]byte(text))
			}
			for _, secret := range c.secrets(o.namespace(), name) {
				d.node(yamlnode.Get(secret.node, "data"))
				d.node(yamlnode.Get(secret.node, "stringData"))
			}
		}
	}
}

// applicationFiles takes in the files of the tree that an Application gives to the charts of others.
func (c *collector) applicationFiles(d *digest, o object) {
	spec, unread := readArgo(o)
	if unread != "" {
		return
	}
	for _, from := range spec.sources() {
		if from.Chart == "" && from.Path != "" && c.isThisRepository(from.RepoURL) {
			d.file(path.Clean(from.Path))
		}
		if from.Helm == nil {
			continue
		}
		for _, parameter := range from.Helm.FileParameters {
			d.file(path.Join(from.Path, yamlnode.Text(&parameter, "path")))
		}
		for _, name := range from.Helm.ValueFiles {
			if file, unread := c.argoValuesFile(spec, from.Path, name); unread == "" {
				d.file(file)
			}
		}
	}
}

// generatorFiles takes in the files of the tree that the generators of an ApplicationSet name, or the folders in which their patterns begin.
func (c *collector) generatorFiles(d *digest, o object) {
	generators := yamlnode.Get(o.node, "spec", "generators")
	if generators == nil {
		return
	}
	text, err := yaml.NewRNode(generators).String()
	if err != nil {
		return
	}
	for _, name := range texts(text) {
		if before, _, isPattern := strings.Cut(name, "*"); isPattern {
			name = path.Dir(before + "x")
		}
		if name = path.Clean(name); name != "." {
			d.file(name)
		}
	}
}

// isOfCharts tells whether an Application is made of charts of chart repositories only.
func isOfCharts(o object) bool {
	spec, unread := readArgo(o)
	return unread == "" && !slices.ContainsFunc(spec.sources(), func(from argoSource) bool { return from.Chart == "" && (from.Path != "" || from.Ref == "") })
}

// Pointer is an object that points to other parts of the tree, and whether these were read.
type Pointer struct {
	diagnostic.Object
	Position diagnostic.Position
	// Unread is why it was not followed; "" means that it was.
	Unread string
}
