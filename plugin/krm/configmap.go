package krm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

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

	// maxData keeps a ConfigMap with its names and annotations below the API server's limit of 1 MiB.
	maxData = 1000 * 1000
)

// ErrKeys says that keys are wanted in files, which ConfigMaps are not.
var ErrKeys = errors.New("spec.secrets: files writes private keys, which have no place in a ConfigMap: use reference, and mount the Secrets")

// ConfigMap is a v1 ConfigMap, as far as it is needed to hold files.
type ConfigMap struct {
	Name, Namespace     string
	Labels, Annotations map[string]string
	Data                map[string]string
}

// ConfigMaps packs each Gateway of a rendering into ConfigMaps of at most 1 MB: <gateway>-envoy, and <gateway>-envoy-2... where
// one is too small. Project all of a Gateway's into one directory and start Envoy in it: file names are flat there
// ("rds.http-80.json"), and Envoy watches the directory, since a ConfigMap volume swaps all its files at once
// (a rename that Envoy does not see without watched_directory).
func ConfigMaps(rendering *render.Rendering, options config.Spec) ([]ConfigMap, error) {
	if options.Secrets == string(render.SecretsFiles) {
		return nil, ErrKeys
	}
	var maps []ConfigMap
	for _, gateway := range rendering.Gateways {
		made, err := gatewayConfigMaps(gateway, options)
		if err != nil {
			return nil, fmt.Errorf("gateway %s: %w", gateway.Model.Name, err)
		}
		maps = append(maps, made...)
	}
	return maps, nil
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
	format := files.JSON
	if options.Format == string(files.YAML) {
		format = files.YAML
	}
	encoded, err := files.Encode(set, files.Options{Format: format, Form: form})
	if err != nil {
		return nil, err
	}
	packed, err := pack(encoded)
	if err != nil {
		return nil, err
	}
	return wrap(gateway.Model.Name, files.Digest(gateway.Files), packed, options.ConfigMap), nil
}

// pack spreads files over as few data maps as a first fit in the order of the names needs: a file that grows moves few others.
func pack(encoded []files.File) ([]map[string]string, error) {
	var packed []map[string]string
	size := 0
	for _, file := range encoded {
		file.Data = tightened(file)
		if len(file.Data) > maxData {
			return nil, fmt.Errorf("%s has %d bytes and fits no ConfigMap (limit %d): split the Gateway's routes over more listeners, or mount the files another way", file.Path, len(file.Data), maxData)
		}
		if len(packed) == 0 || size+len(file.Data) > maxData {
			packed, size = append(packed, map[string]string{}), 0
		}
		packed[len(packed)-1][files.FlatName(file.Path)] = string(file.Data)
		size += len(file.Data)
	}
	return packed, nil
}

// tightened takes the white space out of a JSON file that is too large with it (to about a fourth): a file that can be applied is worth
// more than one that reads well.
func tightened(file files.File) []byte {
	if len(file.Data) <= maxData || path.Ext(file.Path) != ".json" {
		return file.Data
	}
	var tight bytes.Buffer
	if json.Compact(&tight, file.Data) != nil {
		return file.Data
	}
	return tight.Bytes()
}

func wrap(name model.Name, digest string, packed []map[string]string, options config.ConfigMap) []ConfigMap {
	var made []ConfigMap
	for i, data := range packed {
		configMap := ConfigMap{
			Name:        name.Name + "-envoy",
			Namespace:   name.Namespace,
			Labels:      map[string]string{RenderedLabel: "true"},
			Annotations: map[string]string{GatewayAnnotation: name.String(), DigestAnnotation: digest},
			Data:        data,
		}
		if i > 0 {
			configMap.Name = fmt.Sprintf("%s-%d", configMap.Name, i+1)
		}
		if options.Namespace != "" {
			// Gateways of several namespaces meet in one: only the full name keeps them apart.
			configMap.Name = name.Namespace + "-" + configMap.Name
			configMap.Namespace = options.Namespace
		}
		maps.Copy(configMap.Labels, options.Labels)
		made = append(made, configMap)
	}
	return made
}

// Keys in the order in which they are printed.
func (c ConfigMap) Keys() []string { return slices.Sorted(maps.Keys(c.Data)) }
