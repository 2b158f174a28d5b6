package krm

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// Where a kustomization can list a function. What the function gets says nothing of it, so it has to be looked up.
const (
	underTransformers = "transformers"
	underValidators   = "validators"
)

// misplaced says that the function stands where it cannot do its work, or would do harm.
func (f *function) misplaced() diagnostic.List {
	if !slices.ContainsFunc(f.items, func(one item) bool { return !one.isConfiguration() }) {
		return f.refusedEmpty("no resources come in: kustomize gives a function under generators: none of them")
	}
	if !f.underKustomize() || f.caller.Dir == nil {
		return nil
	}
	wrong := diagnostic.Diagnostic{Code: diagnostic.WrongPlace, Severity: diagnostic.Error}
	validates := f.configured.Spec.Mode == config.ModeValidate
	switch listedUnder(f.caller.Dir, f.configured.Metadata.Name) {
	case underValidators:
		if validates {
			return nil
		}
		wrong.Message = "the kustomization lists the function under validators:, where kustomize refuses every function that gives back what it got"
		wrong.Hint = "list it under transformers: of the outermost overlay, or set spec.mode: validate to have the routes checked only"
	case underTransformers:
		if !validates {
			return nil
		}
		wrong.Message = "the kustomization lists the function under transformers:, where spec.mode: validate would delete every resource"
		wrong.Hint = "set spec.mode: check, which gives everything back, or list the function under validators:"
	default:
		return nil
	}
	return diagnostic.List{wrong}
}

// refusedEmpty refuses a list that is empty, unless the configuration expects one.
func (f *function) refusedEmpty(message string) diagnostic.List {
	if f.configured.Spec.AllowEmpty {
		return nil
	}
	return diagnostic.List{{
		Code: diagnostic.EmptyList, Severity: diagnostic.Error, Message: message,
		Hint: "list the function under transformers: of the outermost overlay; spec.allowEmpty permits an empty list",
	}}
}

// unplaced tells whoever sees findings without a file how to have files named.
func (f *function) unplaced() diagnostic.List {
	nameless := func(d diagnostic.Diagnostic) bool {
		return d.Severity != diagnostic.Info && d.Object.Name != "" && d.Position.File == ""
	}
	if !f.underKustomize() || !slices.ContainsFunc(f.found, nameless) {
		return nil
	}
	return diagnostic.List{{
		Code: diagnostic.OriginUnknown, Severity: diagnostic.Info,
		Message: "the files that the objects come from are not known", Hint: "add to the kustomization: buildMetadata: [originAnnotations]",
	}}
}

// listedUnder is where the kustomization of a folder lists the function of a name, "" if that is not clear.
func listedUnder(dir fs.FS, function string) string {
	var listed struct {
		Transformers []string `yaml:"transformers"`
		Validators   []string `yaml:"validators"`
	}
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		text, err := readSmall(dir, name)
		if err != nil {
			continue
		}
		if yaml.Unmarshal(text, &listed) != nil {
			return ""
		}
		transforms := slices.ContainsFunc(listed.Transformers, func(entry string) bool { return isFunction(dir, entry, function) })
		validates := slices.ContainsFunc(listed.Validators, func(entry string) bool { return isFunction(dir, entry, function) })
		switch {
		case validates && !transforms:
			return underValidators
		case transforms && !validates:
			return underTransformers
		}
		return ""
	}
	return ""
}

// isFunction tells whether an entry, a file or the text itself, holds the configuration of the function of a name.
func isFunction(dir fs.FS, entry, function string) bool {
	text := []byte(entry)
	if !strings.Contains(entry, "\n") {
		var err error
		if text, err = readSmall(dir, path.Clean(entry)); err != nil {
			return false
		}
	}
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var head struct {
			APIVersion string `yaml:"apiVersion"`
			Kind       string `yaml:"kind"`
			Metadata   struct {
				Name string `yaml:"name"`
			} `yaml:"metadata"`
		}
		if decoder.Decode(&head) != nil {
			return false
		}
		if head.APIVersion == config.APIVersion && head.Kind == config.Kind && head.Metadata.Name == function {
			return true
		}
	}
}

var errNotSmall = errors.New("the file is too large")

// readSmall reads a file that people write by hand.
func readSmall(dir fs.FS, name string) ([]byte, error) {
	const most = 1 << 20
	file, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, errNotSmall)
	}
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && len(text) > most {
		err = errNotSmall
	}
	return text, err
}
