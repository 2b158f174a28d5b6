package source

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// chart is a Helm chart of the tree, with the values that somebody gives it.
type chart struct {
	// by is what asks for it, nil for the caller.
	by                 *object
	directory          string
	release, namespace string
	// files with values, by their names in the tree, then values that stand elsewhere: the later one wins.
	files  []string
	values [][]byte
	// arguments set single values.
	arguments []string
}

// isChart tells whether a directory of the tree is a Helm chart.
func (c *collector) isChart(directory string) bool {
	info, err := fs.Stat(c.tree, path.Join(directory, "Chart.yaml"))
	return err == nil && info.Mode().IsRegular()
}

// releaseName is what Helm takes as the name of a release, or Kubernetes as that of a namespace.
var releaseName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

const (
	// maxRelease is Helm's limit of a release's name.
	maxRelease = 53
	// gatewayVersions are what charts ask for before they write routes: what a cluster with the Gateway API says that it serves.
	gatewayVersions = "gateway.networking.k8s.io/v1,gateway.networking.k8s.io/v1/Gateway,gateway.networking.k8s.io/v1/HTTPRoute," +
		"gateway.networking.k8s.io/v1/GRPCRoute,gateway.networking.k8s.io/v1beta1,gateway.networking.k8s.io/v1beta1/ReferenceGrant"
	// noProxy keeps what would ask the network from doing so: nothing listens there.
	noProxy = "http://127.0.0.1:9"
	// maxHelmMemory bounds templates, which are a stranger's programs: they can double a text as often as they like.
	maxHelmMemory = 2 << 30
)

// helm renders a chart with the helm program of this machine, in a copy of the tree and without network. A chart that fails is an
// error where its templates seem to hold routes, as they would look lost; that there is no helm holds for both sides of a comparison.
func (c *collector) helm(ch chart) error {
	if !releaseName.MatchString(ch.release) || len(ch.release) > maxRelease || ch.namespace != "" && !releaseName.MatchString(ch.namespace) {
		c.chartUnread(ch, fmt.Sprintf("Helm takes no release %q in the namespace %q", ch.release, ch.namespace), diagnostic.Warning)
		return nil
	}
	if _, err := findProgram("helm"); err != nil {
		c.chartUnread(ch, "helm is not in PATH", diagnostic.Warning)
		return nil
	}
	text, err := c.runHelm(ch)
	switch {
	case c.ctx.Err() != nil:
		return c.ctx.Err()
	case err != nil && strings.Contains(err.Error(), "missing in charts/"):
		c.chartUnread(ch, "the charts that it depends on are not in the tree", diagnostic.Warning)
		return nil
	case err != nil:
		c.chartUnread(ch, strconv.Quote(err.Error()), c.severityOf(ch))
		return nil
	}
	c.read(ch.directory, formHelm)
	c.charts = append(c.charts, ch.directory)
	c.rendered(ch.by)
	return c.chartObjects(ch, text)
}

// severityOf a chart that cannot be rendered.
func (c *collector) severityOf(ch chart) diagnostic.Severity {
	templates, _, err := manifest.WalkFS(c.ctx, c.tree, path.Join(ch.directory, "templates"), c.options.Limits)
	if err != nil {
		return diagnostic.Warning
	}
	for _, text := range templates {
		if manifest.MentionsRoutes(text.Data) {
			return diagnostic.Error
		}
	}
	return diagnostic.Warning
}

func (c *collector) runHelm(ch chart) ([]byte, error) {
	shop, err := c.copied()
	if err != nil {
		return nil, err
	}
	inTree := func(name string) string { return filepath.Join(shop.tree(), filepath.FromSlash(name)) }
	command := []string{"helm", "template", ch.release, inTree(ch.directory), "--skip-tests", "--api-versions", gatewayVersions}
	if ch.namespace != "" {
		command = append(command, "--namespace", ch.namespace)
	}
	for _, name := range ch.files {
		command = append(command, "--values", inTree(name))
	}
	for i, text := range ch.values {
		file := filepath.Join(shop.temporary(), fmt.Sprintf("values-%d.yaml", i))
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return nil, err
		}
		command = append(command, "--values", file)
	}
	return shop.run(c.ctx, job{
		directory: shop.tree(), command: append(command, ch.arguments...), environment: []string{"HTTP_PROXY=" + noProxy, "HTTPS_PROXY=" + noProxy},
		memory: maxHelmMemory,
	})
}

// copied is the workshop with a copy of the tree, made when it is first needed. Collect removes it.
func (c *collector) copied() (*workshop, error) {
	if c.shop != nil {
		return c.shop, nil
	}
	shop, err := newWorkshop()
	if err != nil {
		return nil, err
	}
	if err := export(c.ctx, c.tree, shop.tree()); err != nil {
		return nil, errors.Join(err, shop.remove())
	}
	c.shop = shop
	return shop, nil
}

// chartUnread says why a chart is not read.
func (c *collector) chartUnread(ch chart, reason string, severity diagnostic.Severity) {
	c.withoutChart(ch, reason)
	if ch.by != nil {
		c.notFollowed(*ch.by, formHelm, reason)
	} else {
		c.unread(ch.directory, formHelm, reason)
		c.Diagnostics = append(c.Diagnostics, diagnostic.Diagnostic{
			Code: diagnostic.PartNotRead, Position: diagnostic.Position{File: path.Join(ch.directory, "Chart.yaml"), Line: 1},
			Message: "the chart is not read: " + reason, Hint: "to have its routes in the answer, give the output of helm template",
		})
	}
	c.Diagnostics[len(c.Diagnostics)-1].Severity = severity
}

// chartObjects takes what Helm has printed in: each object in the namespace of the release where it names none, each line led to the
// template that it comes from.
func (c *collector) chartObjects(ch chart, text []byte) error {
	var all bytes.Buffer
	var lines []diagnostic.Position
	for _, document := range documentsOf(text) {
		template := c.templateOf(ch, document)
		root := firstDocument(document)
		if root == nil {
			continue // a template that printed nothing
		}
		for _, o := range objectsOf(root, template.name) {
			inNamespace(ch.namespace)(o.node)
			data, err := yaml.Marshal(o.node)
			if err != nil {
				return err
			}
			places := template.places(data)
			fmt.Fprintln(&all, "---")
			all.Write(data)
			lines = append(append(lines, diagnostic.Position{File: template.name, Line: 1}), places...)
			c.seen(data, places)
		}
	}
	c.Texts = append(c.Texts, manifest.Source{Name: path.Join(ch.directory, "Chart.yaml"), Data: all.Bytes(), Lines: lines})
	return nil
}

// documentsOf splits what Helm prints, each document behind the comment that names its template.
func documentsOf(text []byte) [][]byte {
	var documents [][]byte
	start := 0
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			break
		}
		if line := bytes.TrimRight(text[at:at+end], " \r"); string(line) == "---" {
			documents = append(documents, text[start:at])
			start = at + end + 1
		}
		at += end + 1
	}
	return append(documents, text[start:])
}

// firstDocument is the object of a document; nil if there is none, or if it is more than may be read.
func firstDocument(document []byte) *yaml.Node {
	roots, _ := yamlnode.Documents(document) // Helm has parsed it
	if len(roots) == 0 || manifest.CheckBounds(roots[0], manifest.Limits{}) != nil {
		return nil
	}
	return roots[0]
}
