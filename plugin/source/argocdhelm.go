package source

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// argoHelm says how a chart is rendered.
type argoHelm struct {
	ReleaseName             string    `yaml:"releaseName"`
	Namespace               string    `yaml:"namespace"`
	ValueFiles              []string  `yaml:"valueFiles"`
	IgnoreMissingValueFiles bool      `yaml:"ignoreMissingValueFiles"`
	Values                  string    `yaml:"values"`
	ValuesObject            yaml.Node `yaml:"valuesObject"`
	Parameters              []struct {
		Name        string `yaml:"name"`
		Value       string `yaml:"value"`
		ForceString bool   `yaml:"forceString"`
	} `yaml:"parameters"`
	FileParameters []yaml.Node `yaml:"fileParameters"`
}

// argoChart renders the chart of an Application, with values as Argo CD lays them: files, then values, then parameters.
func (c *collector) argoChart(o object, spec argoSpec, from argoSource, directory string) error {
	h := argoHelm{}
	if from.Helm != nil {
		h = *from.Helm
	}
	ch := chart{by: &o, directory: directory, release: cmp.Or(h.ReleaseName, o.name()), namespace: cmp.Or(h.Namespace, spec.Destination.Namespace)}
	unread := ""
	switch {
	case !c.isChart(directory):
		unread = fmt.Sprintf("the directory %q is no chart", directory)
	case len(h.FileParameters) > 0:
		unread = "it sets values from files (fileParameters)"
	default:
		unread = c.argoValues(&ch, spec, h)
	}
	if unread != "" {
		c.withoutObject(o, formArgo, unread)
		c.chartUnread(ch, unread, diagnostic.Warning)
		return nil
	}
	return c.helm(ch)
}

func (c *collector) argoValues(ch *chart, spec argoSpec, h argoHelm) (unread string) {
	for _, name := range h.ValueFiles {
		file, unread := c.argoValuesFile(spec, ch.directory, name)
		if unread != "" && h.IgnoreMissingValueFiles && !strings.Contains(name, "://") {
			continue
		}
		if unread != "" {
			return unread
		}
		ch.files = append(ch.files, file)
	}
	// valuesObject takes the place of values.
	if object := yamlnode.Resolve(&h.ValuesObject); object != nil && object.Kind == yaml.MappingNode {
		text, err := yaml.Marshal(object)
		if err != nil {
			return fmt.Sprintf("its values cannot be written: %q", err)
		}
		ch.values = append(ch.values, text)
	} else if h.Values != "" {
		ch.values = append(ch.values, []byte(h.Values))
	}
	for _, parameter := range h.Parameters {
		flag := "--set"
		if parameter.ForceString {
			flag = "--set-string"
		}
		ch.arguments = append(ch.arguments, flag, parameter.Name+"="+escapeCommas(parameter.Value))
	}
	return ""
}

// argoValuesFile is a values file of the chart, of the root of the repository, or of another source of the Application ("$values/...").
func (c *collector) argoValuesFile(spec argoSpec, directory, name string) (file, unread string) {
	if !strings.HasPrefix(name, "$") {
		return c.valuesFile(directory, name)
	}
	ref, inside, _ := strings.Cut(name[1:], "/")
	for _, from := range spec.sources() {
		if from.Ref != ref {
			continue
		}
		if !c.isThisRepository(from.RepoURL) || pinned.MatchString(from.TargetRevision) {
			return "", fmt.Sprintf("its values file %q is not in the tree", name)
		}
		return c.valuesFile(".", path.Join("/", inside))
	}
	return "", fmt.Sprintf("no source of it is called %q", ref)
}

var bareComma = regexp.MustCompile(`(^|[^\\]),`)

// escapeCommas keeps a value one value, as Argo CD does (util/helm, cleanSetParameters); braces make a list of it.
func escapeCommas(value string) string {
	if strings.HasPrefix(value, "{") && strings.HasSuffix(value, "}") {
		return value
	}
	return bareComma.ReplaceAllString(value, `$1\,`)
}
