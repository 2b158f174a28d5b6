package source

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// mostUnfolded is by how many bytes the values of variables may make one text longer. A value may be used as often as one likes.
const mostUnfolded = 32 << 20

// substitute gives the variables of a text their values, line by line, so that each line keeps its place.
func substitute(data []byte, places []diagnostic.Position, values map[string]string) ([]byte, []diagnostic.Position) {
	if len(values) == 0 || !bytes.Contains(data, []byte("${")) {
		return data, places
	}
	var text bytes.Buffer
	var lines []diagnostic.Position
	number := 0
	left := mostUnfolded
	for line := range bytes.Lines(data) {
		replaced := manifest.Substitute(string(line), values, left)
		left -= max(0, len(replaced)-len(line))
		text.WriteString(replaced)
		var at diagnostic.Position
		if number < len(places) {
			at = places[number]
		}
		number++
		for range max(1, strings.Count(replaced, "\n")) {
			lines = append(lines, at)
		}
	}
	return text.Bytes(), lines
}

// use is a variable in an expression.
var use = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)`)

// withoutExpressions notes the values of variables that are left in a text in which values were put: they stand in expressions that are
// not known here (${NAME%suffix}), for which something else stands.
func (c *collector) withoutExpressions(name string, data []byte, values map[string]string) {
	if len(values) == 0 || !bytes.Contains(data, []byte("${")) {
		return
	}
	d := c.newDigest()
	for _, found := range use.FindAllSubmatch(data, -1) {
		if value, known := values[string(found[1])]; known {
			d.add(string(found[1]), value)
			d.routes = true
		}
	}
	c.note(Unread{
		Source:   report.Source{Path: name, Form: formManifests, Unread: "an expression of a variable is not known"},
		Position: diagnostic.Position{File: name},
	}, d)
}

// fluxValues are the values that a Flux Kustomization gives variables: those of ConfigMaps in their order, a later one over an earlier
// one, and over all its own. What the configuration says is for the rest. Values of Secrets are not read: something stands for them.
func (c *collector) fluxValues(o object, from *fluxPostBuild) map[string]string {
	values := maps.Clone(c.options.Sources.Variables)
	if values == nil {
		values = map[string]string{}
	}
	for _, ref := range from.SubstituteFrom {
		if ref.Kind != "ConfigMap" {
			c.withoutSecret(o, ref.Name, values)
			continue
		}
		found, known := c.configMap(o, ref.Name)
		if !known && !ref.Optional {
			c.Diagnostics = append(c.Diagnostics, diagnostic.Diagnostic{
				Code: diagnostic.PartNotRead, Severity: diagnostic.Info, Position: o.at,
				Object:  diagnostic.Object{Kind: o.groupKind().kind, Namespace: o.namespace(), Name: o.name()},
				Message: fmt.Sprintf("the ConfigMap %q is not in the tree: the values of its variables are not known", ref.Name),
				Hint:    "spec.sources.variables of the configuration can name them",
			})
		}
		maps.Copy(values, found)
	}
	maps.Copy(values, from.Substitute)
	maps.DeleteFunc(values, c.encrypted(o))
	return values
}

// configMap is the data of a ConfigMap that a Flux Kustomization names. It is in the same namespace. A repository of many clusters may
// hold many of one name: the nearest in the tree is meant.
func (c *collector) configMap(o object, name string) (map[string]string, bool) {
	var best *object
	candidates := slices.Concat(c.configMaps, c.rawObjects(groupKind{"", "ConfigMap"}))
	for i, candidate := range candidates {
		if candidate.name() != name || candidate.namespace() != "" && o.namespace() != "" && candidate.namespace() != o.namespace() {
			continue
		}
		if best == nil || shared(candidate.at.File, o.at.File) > shared(best.at.File, o.at.File) {
			best = &candidates[i]
		}
	}
	if best == nil {
		return nil, false
	}
	data := map[string]string{}
	if held := yamlnode.Get(best.node, "data"); held != nil {
		for i := 0; i+1 < len(held.Content); i += 2 {
			data[held.Content[i].Value] = yamlnode.Text(held.Content[i+1])
		}
	}
	return data, true
}

// shared counts the folders that two files have in common.
func shared(a, b string) int {
	steps, others := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	count := 0
	for count < min(len(steps), len(others)) && steps[count] == others[count] {
		count++
	}
	return count
}
