// Package config reads the one configuration kind that every home of routedelta shares.
//
// In comes a document of kind RouteDelta (a file .routedelta.yaml, the functionConfig of a KRM function, the parameters of
// an Argo CD application); out go the options that render and review take. Decoding is strict: an unknown field or a value of
// the wrong type is an error with its line.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/precedence"
)

const (
	// APIVersion and Kind of the document.
	APIVersion = "routedelta.dev/v1alpha1"
	Kind       = "RouteDelta"
	// FileName is where the command line and the Action look for it, in the root of what they read.
	FileName = ".routedelta.yaml"
)

// Config is the document.
type Config struct {
	APIVersion string   `yaml:"apiVersion"`
	Kind       string   `yaml:"kind"`
	Metadata   Metadata `yaml:"metadata"`
	Spec       Spec     `yaml:"spec"`

	document document
}

// Metadata as Kubernetes has it. Only the names are used; the rest is what kustomize and kpt add.
type Metadata struct {
	Name        string            `yaml:"name"`
	Namespace   string            `yaml:"namespace"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

// Spec holds the choices. Every field is optional.
type Spec struct {
	// References: "assume" (default) or "strict".
	References string `yaml:"references"`
	// Dialect: the order of competing rules, "gateway-api" by default.
	Dialect string `yaml:"dialect"`
	// Endpoints: "files" (default) or "inline".
	Endpoints string `yaml:"endpoints"`
	// Listeners: "bootstrap" (default) or "file".
	Listeners string `yaml:"listeners"`
	// Secrets: "reference" (default), "files" or "none".
	Secrets string `yaml:"secrets"`
	// GatewayClasses restricts the rendering; empty is all.
	GatewayClasses []string `yaml:"gatewayClasses"`
	// ClusterDomain of Service names, "cluster.local" by default.
	ClusterDomain string `yaml:"clusterDomain"`
	// ListenAddress of the listeners, "0.0.0.0" by default.
	ListenAddress string `yaml:"listenAddress"`
	Admin         Admin  `yaml:"admin"`
	// Format of the files: "json" (default), "yaml" or "pb" (not in ConfigMaps).
	Format string `yaml:"format"`
	// Form: "dynamic" (default) or "static".
	Form      string    `yaml:"form"`
	ConfigMap ConfigMap `yaml:"configMap"`
	// Mode of the KRM function: ModeRender (default), ModeCheck or ModeValidate.
	Mode string `yaml:"mode"`
	// LocalConfig says whether the KRM function reads objects that are applied to no cluster (config.kubernetes.io/local-config): "skip"
	// (default) or "read".
	LocalConfig string `yaml:"localConfig"`
	// AllowEmpty: an input without routes is no error in the Argo CD plugin, nor a list without objects in the KRM function (which would
	// delete what runs).
	AllowEmpty bool  `yaml:"allowEmpty"`
	Check      Check `yaml:"check"`
	// Targets are the clusters or environments that the repository holds; none is one target, which is what the caller names.
	Targets []Target `yaml:"targets"`
	// Sources say how a tree becomes manifests, for every target that does not say it itself.
	Sources Sources `yaml:"sources"`
	// Policy says which changes fail a review.
	Policy Policy `yaml:"policy"`
}

// Admin is Envoy's admin interface.
type Admin struct {
	// Address is 127.0.0.1 by default, Port 19000; a negative port leaves the interface out.
	Address string `yaml:"address"`
	Port    int    `yaml:"port"`
}

// ConfigMap says how ConfigMaps with rendered files look.
type ConfigMap struct {
	// Namespace of the ConfigMaps; the Gateway's own by default.
	Namespace string            `yaml:"namespace"`
	Labels    map[string]string `yaml:"labels"`
	// HashSuffix ends the names with a digest of the data, so that what refers to them restarts on change.
	HashSuffix bool `yaml:"hashSuffix"`
	// LocalConfig keeps the ConfigMaps from being applied to a cluster (config.kubernetes.io/local-config).
	LocalConfig bool `yaml:"localConfig"`
}

// What the KRM function does.
const (
	// ModeRender adds ConfigMaps.
	ModeRender = "render"
	// ModeCheck adds nothing, and fails where rendering would.
	ModeCheck = "check"
	// ModeValidate is ModeCheck for a place under "validators:" of kustomize, which wants nothing back. Anywhere else all resources would be
	// lost.
	ModeValidate = "validate"
)

// Parse reads a document. name is used in errors. A v1 ConfigMap is taken as well, as kpt makes it of key=value arguments: its
// data are the fields of spec that hold one value.
func Parse(name string, data []byte) (*Config, error) {
	var head struct {
		APIVersion string            `yaml:"apiVersion"`
		Kind       string            `yaml:"kind"`
		Data       map[string]string `yaml:"data"`
	}
	if err := yaml.Unmarshal(data, &head); err != nil {
		return nil, readable(name, err)
	}
	if head.APIVersion == "v1" && head.Kind == "ConfigMap" {
		config := new(Config)
		return config, config.Set(name, head.Data)
	}
	if head.APIVersion != APIVersion || head.Kind != Kind {
		return nil, fmt.Errorf("%s: want apiVersion %s and kind %s, have %q and %q", name, APIVersion, Kind, head.APIVersion, head.Kind)
	}
	return decode(name, data)
}

func decode(name string, data []byte) (*Config, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	config := new(Config)
	if err := decoder.Decode(config); err != nil && !errors.Is(err, io.EOF) {
		return nil, readable(name, err)
	}
	if err := decoder.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: want one document, have more", name)
	}
	config.document = document{name, data}
	return config, config.validate(config.document)
}

// Set lays values over the fields of spec that hold one value each, by their names. name is used in errors.
func (c *Config) Set(name string, values map[string]string) error {
	var node yaml.Node
	if err := node.Encode(values); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for i := 1; i < len(node.Content); i += 2 {
		// Written bare, "true" is what the field wants: a boolean for one, a string for another.
		node.Content[i].Style, node.Content[i].Tag = 0, ""
	}
	text, err := yaml.Marshal(&node)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&c.Spec); err != nil && !errors.Is(err, io.EOF) {
		// The lines are those of the text above, which nobody has written.
		return errors.New(line.ReplaceAllString(readable(name, err).Error(), "$1: "))
	}
	return c.Validate(name)
}

var line = regexp.MustCompile(`(?m)^([^\n:]*):\d+: `)

// choices are the fields of spec that take one word of a few, by their names; "" is the default of each.
func choices() map[string][]string {
	return map[string][]string{
		"references":  {string(render.Assume), string(render.Strict)},
		"dialect":     precedence.Names(),
		"endpoints":   {"files", "inline"},
		"listeners":   {"bootstrap", "file"},
		"secrets":     {string(render.SecretsReference), string(render.SecretsFiles), string(render.SecretsNone)},
		"format":      {"json", "yaml", "pb"},
		"form":        {"dynamic", "static"},
		"mode":        {ModeRender, ModeCheck, ModeValidate},
		"localConfig": {"skip", "read"},
	}
}

// Words are those that a field of spec takes, the default first.
func Words(field string) []string { return choices()[field] }

// Validate holds each field that is one word of a few against its choices. name is used in errors: that of what was laid over the document.
func (c *Config) Validate(name string) error { return c.validate(document{name: name}) }

func (c *Config) validate(d document) error {
	s := c.Spec
	words := choices()
	for _, field := range []struct{ name, value string }{
		{"references", s.References}, {"dialect", s.Dialect}, {"endpoints", s.Endpoints}, {"listeners", s.Listeners},
		{"secrets", s.Secrets}, {"format", s.Format}, {"form", s.Form}, {"mode", s.Mode}, {"localConfig", s.LocalConfig},
	} {
		if field.value != "" && !slices.Contains(words[field.name], field.value) {
			return fmt.Errorf("%s: %q is none of %s", d.at("spec."+field.name), field.value, strings.Join(words[field.name], ", "))
		}
	}
	if s.Admin.Port > 65535 {
		return fmt.Errorf("%s: %d is no port", d.at("spec.admin.port"), s.Admin.Port)
	}
	if err := s.validateTargets(d); err != nil {
		return err
	}
	return errors.Join(s.Policy.validate(d, s.Targets), s.Check.validate(d))
}

// RenderOptions are the options for render.Render.
func (c *Config) RenderOptions() render.Options {
	s := c.Spec
	return render.Options{
		References:     render.References(s.References),
		Dialect:        s.Dialect,
		Endpoints:      s.Endpoints,
		Listeners:      s.Listeners,
		Secrets:        render.Secrets(s.Secrets),
		GatewayClasses: s.GatewayClasses,
		ClusterDomain:  s.ClusterDomain,
		ListenAddress:  s.ListenAddress,
		AdminAddress:   s.Admin.Address,
		AdminPort:      s.Admin.Port,
	}
}
