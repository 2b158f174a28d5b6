package krm

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
)

const (
	// RenderedLabel marks the ConfigMaps that hold a rendering, so that a second run replaces them.
	RenderedLabel = "routedelta.dev/rendered"
	// GatewayAnnotation names the Gateway whose files a ConfigMap holds.
	GatewayAnnotation = "routedelta.dev/gateway"
	// DigestAnnotation is the digest of the Gateway's files: put it into a pod template to restart on change.
	DigestAnnotation = "routedelta.dev/digest"
)

// ErrKeys says that keys are wanted in files, which ConfigMaps are not.
var ErrKeys = errors.New("spec.secrets: files writes private keys, which have no place in a ConfigMap: use reference, and mount the Secrets")

// ErrBinary says that a format is wanted that is no text.
var ErrBinary = errors.New("spec.format: pb is no text, which is what a ConfigMap holds: use json or yaml")

// ConfigMap is a v1 ConfigMap, as far as it is needed to hold files.
type ConfigMap struct {
	Name, Namespace     string
	Labels, Annotations map[string]string
	Data                map[string]string
}

// ConfigMaps packs each Gateway of a rendering into ConfigMaps of at most 1 MB: <gateway>-envoy, and more where one is too small: see
// pack. Project all of a Gateway's into one directory and start Envoy in it: file names are flat there ("rds.http-80.json"), and
// Envoy watches the directory, since a ConfigMap volume swaps all its files at once (a rename that Envoy does not see without
// watched_directory).
func ConfigMaps(rendering *render.Rendering, options config.Spec) ([]ConfigMap, error) {
	switch {
	case options.Secrets == string(render.SecretsFiles):
		return nil, ErrKeys
	case options.Format == "pb":
		return nil, ErrBinary
	}
	var all []ConfigMap
	taken := map[name]string{}
	for _, gateway := range rendering.Gateways {
		made, err := gatewayConfigMaps(gateway, options)
		if err != nil {
			return nil, fmt.Errorf("gateway %s: %w", gateway.Model.Name, err)
		}
		for _, configMap := range made {
			if other, is := taken[configMap.name()]; is {
				return nil, fmt.Errorf("gateway %s: its ConfigMap %s/%s is that of gateway %s as well: rename one of the two", gateway.Model.Name, configMap.Namespace, configMap.Name, other)
			}
			taken[configMap.name()] = gateway.Model.Name.String()
		}
		all = append(all, made...)
	}
	return all, nil
}

func gatewayConfigMaps(gateway render.Gateway, options config.Spec) ([]ConfigMap, error) {
	set := gateway.Files
	form := files.Dynamic
	if options.Form == string(files.Static) {
		form = files.Static
	} else {
		flat, err := files.Flatten(set)
		if err != nil {
			return nil, err
		}
		set = flat
	}
	encoded, err := files.Encode(set, files.Options{Format: files.Format(cmp.Or(options.Format, string(files.JSON))), Form: form})
	if err != nil {
		return nil, err
	}
	parts, err := pack(encoded)
	if err != nil {
		return nil, err
	}
	digest := files.Digest(gateway.Files)
	made := make([]ConfigMap, len(parts))
	for i, part := range parts {
		made[i] = newConfigMap(gateway.Model.Name, digest, part, options.ConfigMap)
	}
	return made, nil
}

func newConfigMap(gateway model.Name, digest string, part part, options config.ConfigMap) ConfigMap {
	configMap := ConfigMap{
		Name:        gateway.Name + "-envoy",
		Namespace:   gateway.Namespace,
		Labels:      maps.Clone(options.Labels),
		Annotations: map[string]string{GatewayAnnotation: gateway.String(), DigestAnnotation: digest},
		Data:        part.data,
	}
	if part.suffix != "" {
		configMap.Name += "-" + part.suffix
	}
	if options.Namespace != "" {
		// Gateways of several namespaces meet in one: only the full name keeps them apart.
		configMap.Name = gateway.Namespace + "-" + configMap.Name
		configMap.Namespace = options.Namespace
	}
	if options.HashSuffix {
		configMap.Name += "-" + configMap.hash()
	}
	configMap.Name = objectName(configMap.Name)
	if options.LocalConfig {
		configMap.Annotations[localConfig] = "true"
	}
	if configMap.Labels == nil {
		configMap.Labels = map[string]string{}
	}
	configMap.Labels[RenderedLabel] = "true"
	return configMap
}

// Keys in the order in which they are printed.
func (c ConfigMap) Keys() []string { return slices.Sorted(maps.Keys(c.Data)) }

func (c ConfigMap) name() name { return name{c.Namespace, c.Name} }

// hash is equal for equal data.
func (c ConfigMap) hash() string {
	sum := sha256.New()
	for _, key := range c.Keys() {
		fmt.Fprintf(sum, "%d:%s%d:%s", len(key), key, len(c.Data[key]), c.Data[key])
	}
	return hex.EncodeToString(sum.Sum(nil))[:10]
}

// annotatedAs gives a ConfigMap the caller's notes on the one in whose place it is put: the file that it stands in, for one.
func (c ConfigMap) annotatedAs(annotations map[string]string) ConfigMap {
	c.Annotations = maps.Clone(c.Annotations)
	for key, value := range annotations {
		if bookkeeping(key) {
			c.Annotations[key] = value
		}
	}
	return c
}

// validName is a name that an API server takes for a ConfigMap (RFC 1123 subdomain).
var validName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

// objectName is a name that an API server takes; one that had to be changed gets a digest, so that two names stay two.
func objectName(name string) string {
	const longest = 253
	if len(name) <= longest && validName.MatchString(name) {
		return name
	}
	readable := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, strings.ToLower(name))
	sum := sha256.Sum256([]byte(name))
	return strings.Trim(readable[:min(len(readable), 200)], "-") + "-" + hex.EncodeToString(sum[:6])
}
