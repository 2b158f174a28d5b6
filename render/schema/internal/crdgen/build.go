package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/routedelta/routedelta/render/schema/internal/bundle"
	"github.com/routedelta/routedelta/render/schema/internal/definition"
)

// channels of the Gateway API, as its folders are named.
var channels = []string{"standard", "experimental"}

// builder collects the files of a bundle.
type builder struct {
	files map[string][]byte
}

// build reads the definitions under config/crd and gives the files of the bundle by name. Kinds of gateway.networking.k8s.io are
// taken; those of gateway.networking.x-k8s.io are not read by anyone yet.
func build(root string) (map[string][]byte, error) {
	b := builder{files: map[string][]byte{}}
	kinds := map[string][]bundle.Kind{}
	for _, channel := range channels {
		paths, err := filepath.Glob(filepath.Join(root, channel, "gateway.networking.k8s.io_*.yaml"))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			kind, err := b.file(path)
			if err != nil {
				return nil, fmt.Errorf("reading %s: %w", filepath.Base(path), err)
			}
			if kind.Kind != "" {
				kinds[channel] = append(kinds[channel], kind)
			}
		}
	}
	index, err := json.Marshal(kinds)
	b.files[bundle.ChannelsFile] = index
	return b.files, err
}

// file reads one definition; a file of another kind (an admission policy) gives none.
func (b *builder) file(path string) (bundle.Kind, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return bundle.Kind{}, err
	}
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(data, &crd); err != nil || crd.Kind != "CustomResourceDefinition" {
		return bundle.Kind{}, err
	}
	if conversion := crd.Spec.Conversion; conversion != nil && conversion.Strategy != apiextensionsv1.NoneConverter {
		return bundle.Kind{}, fmt.Errorf("conversion strategy %s is not known", conversion.Strategy)
	}
	kind := bundle.Kind{
		Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind,
		Namespaced: crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
	}
	for i := range crd.Spec.Versions {
		version, err := b.version(&crd, &crd.Spec.Versions[i])
		if err != nil {
			return bundle.Kind{}, fmt.Errorf("version %s: %w", crd.Spec.Versions[i].Name, err)
		}
		kind.Versions = append(kind.Versions, version)
	}
	return kind, nil
}

// version stores the schema of one version and the rules in it.
func (b *builder) version(crd *apiextensionsv1.CustomResourceDefinition, of *apiextensionsv1.CustomResourceDefinitionVersion) (bundle.Version, error) {
	version := bundle.Version{
		Name: of.Name, Served: of.Served, Storage: of.Storage,
		Status: of.Subresources != nil && of.Subresources.Status != nil,
	}
	if of.Deprecated {
		// The words of the API server where the definition has none (apiextensions-apiserver, crdHandler.getOrCreateServingInfoFor).
		version.Warning = fmt.Sprintf("%s/%s %s is deprecated", crd.Spec.Group, of.Name, crd.Spec.Names.Kind)
		if of.DeprecationWarning != nil {
			version.Warning = *of.DeprecationWarning
		}
	}
	properties := of.Schema.OpenAPIV3Schema
	definition.DropDescriptions(properties)
	data, err := json.Marshal(properties)
	if err != nil {
		return version, err
	}
	version.Schema = bundle.SchemasFolder + bundle.Digest(data)
	b.files[version.Schema] = data

	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(properties, &internal, nil); err != nil {
		return version, err
	}
	structural, err := structuralschema.NewStructural(&internal)
	if err != nil {
		return version, err
	}
	return version, b.rules(structural, true)
}

// pack writes the files of a bundle: the same bytes for the same files, so without times.
func pack(files map[string][]byte) ([]byte, error) {
	var data bytes.Buffer
	archive := zip.NewWriter(&data)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file, err := archive.Create(name)
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return data.Bytes(), nil
}
