package layout

import (
	"cmp"
	"errors"
	"io/fs"
	"regexp"
	"slices"

	"github.com/routedelta/routedelta/plugin/source"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// variableName is how a message names a variable.
var variableName = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// look reads a path as diff would. A path that is not there holds nothing.
func (l *finder) look(folder string) (Content, error) {
	if content, known := l.seen[folder]; known {
		return content, nil
	}
	collected, err := source.Collect(l.ctx, l.tree, source.Options{Path: folder})
	if errors.Is(err, fs.ErrNotExist) {
		return Content{}, nil
	}
	if err != nil {
		return Content{}, err
	}
	objects, found := manifest.NewReader(manifest.Limits{}).Read(l.ctx, collected.Texts)
	if err := l.ctx.Err(); err != nil {
		return Content{}, err
	}
	content := Content{Gateways: len(objects.Gateways)}
	for _, gateway := range objects.Gateways {
		content.files = append(content.files, gateway.Places.Document.File)
	}
	for route := range objects.Routes() {
		content.Routes++
		content.files = append(content.files, route.Places.Document.File)
	}
	for _, class := range objects.GatewayClasses {
		content.Controllers = append(content.Controllers, string(class.Object.Spec.ControllerName))
	}
	for _, d := range append(slices.Clone(collected.Diagnostics), found...) {
		if d.Severity == diagnostic.Error && d.Code != diagnostic.DuplicateObject {
			content.Broken = append(content.Broken, d.Position.File)
			content.Error = cmp.Or(content.Error, d.String())
		}
		switch d.Code {
		case diagnostic.DuplicateObject:
			content.twice = true
			content.files = append(content.files, d.Position.File)
		case diagnostic.UnsetVariable:
			for _, match := range variableName.FindAllStringSubmatch(d.Message, 1) {
				content.Variables = append(content.Variables, match[1])
			}
		}
	}
	for _, part := range collected.Parts {
		if part.Unread != "" {
			content.Unread++
		}
	}
	for _, list := range []*[]string{&content.files, &content.Broken, &content.Controllers, &content.Variables} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	l.seen[folder] = content
	return content, nil
}
