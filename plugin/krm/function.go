package krm

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/krm/resourcelist"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// function is one call of the function.
type function struct {
	caller     Caller
	list       *resourcelist.List
	configured *config.Config
	items      []item
	found      diagnostic.List
}

func newFunction(caller Caller, list *resourcelist.List) *function {
	return &function{caller: caller, list: list, configured: new(config.Config)}
}

// run gives what is to be changed in the list: nothing where an error is found.
func (f *function) run(ctx context.Context) (resourcelist.Edit, error) {
	var nothing resourcelist.Edit
	if !f.configure() {
		return nothing, nil
	}
	objects, err := f.readItems(ctx)
	if err != nil {
		return nothing, err
	}
	if wrong := f.misplaced(); len(wrong) > 0 {
		f.found = append(f.found, wrong...).Sort()
		return nothing, nil
	}
	rendering, err := render.Render(ctx, objects, f.configured.RenderOptions())
	if err != nil {
		return nothing, err
	}
	f.found = append(f.found, rendering.Diagnostics...)
	if err := f.check(ctx, objects, rendering); err != nil {
		return nothing, err
	}
	edit := f.edit(rendering)
	f.found = append(f.found, f.unplaced()...).Sort()
	if f.found.HasErrors() {
		return nothing, nil
	}
	return edit, nil
}

// configure reads the configuration and tells whether it is good.
func (f *function) configure() bool {
	node := f.list.FunctionConfig
	if node == nil || node.Tag == yaml.NodeTagNull {
		return true
	}
	text, err := encoded(node)
	if err == nil {
		f.configured, err = config.Parse("functionConfig", text)
	}
	if err == nil {
		return true
	}
	for line := range strings.Lines(manifest.WithoutText(err).Error()) {
		f.found = append(f.found, diagnostic.Diagnostic{
			Code: diagnostic.BadConfiguration, Severity: diagnostic.Error, Message: strings.TrimRight(line, "\n"),
			Hint: "docs/configuration.md lists the fields",
		})
	}
	return false
}

// check looks at the rules where the mode says that this is what the function is for.
func (f *function) check(ctx context.Context, objects *manifest.Objects, rendering *render.Rendering) error {
	mode := f.configured.Spec.Mode
	if f.caller.Check == nil || mode != config.ModeCheck && mode != config.ModeValidate {
		return nil
	}
	found, err := f.caller.Check(ctx, objects, rendering, f.found, f.configured.Spec.Check.Suppress)
	if err == nil {
		f.found = found
	}
	return err
}

func encoded(node *yaml.Node) ([]byte, error) {
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	if err := encoder.Encode(node); err != nil {
		return nil, manifest.WithoutText(err)
	}
	return text.Bytes(), encoder.Close()
}

// edit is what a rendering changes in the list, by the mode.
func (f *function) edit(rendering *render.Rendering) resourcelist.Edit {
	made, found := f.configMaps(rendering)
	f.found = append(f.found, found...)
	switch cmp.Or(f.configured.Spec.Mode, config.ModeRender) {
	case config.ModeCheck:
		return resourcelist.Edit{}
	case config.ModeValidate:
		return f.emptied()
	}
	edit := f.replaced(made)
	if left := len(f.items) + len(edit.Added); left > 0 && left == len(edit.Replaced) && !anyObject(edit.Replaced) {
		f.found = append(f.found, f.refusedEmpty("nothing comes in but ConfigMaps of an earlier run: without a Gateway to render the list would be empty, and what runs be deleted")...)
	}
	return edit
}

// emptied is a list without items, which is what kustomize wants of a validator.
func (f *function) emptied() resourcelist.Edit {
	edit := resourcelist.Edit{Replaced: map[int]resourcelist.Object{}}
	for i := range f.items {
		edit.Replaced[i] = nil
	}
	return edit
}

// replaced puts each ConfigMap where an earlier run put it, takes out those that are no more, and adds those that are new.
func (f *function) replaced(made []ConfigMap) resourcelist.Edit {
	edit := resourcelist.Edit{Replaced: map[int]resourcelist.Object{}}
	earlier := map[name]int{}
	for i, one := range f.items {
		if one.isRendered() {
			edit.Replaced[i] = nil
			earlier[one.name()] = i
		}
	}
	for _, configMap := range made {
		if i, known := earlier[configMap.name()]; known {
			edit.Replaced[i] = configMap.annotatedAs(f.items[i].Annotations)
		} else {
			edit.Added = append(edit.Added, configMap)
		}
	}
	return edit
}

func anyObject(items map[int]resourcelist.Object) bool {
	for _, object := range items {
		if object != nil {
			return true
		}
	}
	return false
}
