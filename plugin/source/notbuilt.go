package source

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"strconv"

	"github.com/routedelta/routedelta/plugin/kustomize"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// notBuilt says why a directory is not read. It is an error where routes are missed for it: a tree that nobody can build is not one
// without routes.
func (c *collector) notBuilt(b building, file string, built *kustomize.Result, err error) error {
	if c.ctx.Err() != nil {
		return err
	}
	d := diagnostic.Diagnostic{
		Code: diagnostic.PartNotRead, Severity: diagnostic.Warning,
		Position: c.placeOf(b, file),
		Message:  fmt.Sprintf("%q is not read: %q", cmp.Or(b.directory, "."), err.Error()),
		Hint:     fmt.Sprintf("kustomize build %q shows it; correct it, or give the output of what renders it", cmp.Or(b.directory, ".")),
	}
	reason := strconv.Quote(err.Error())
	var refused *kustomize.RefusedError
	if errors.As(err, &refused) {
		reason = shown(refused.Position.String()) + ": " + refused.Reason
		d.Position = refused.Position
		d.Message = fmt.Sprintf("%q is not read: %s", cmp.Or(b.directory, "."), refused.Reason)
		d.Hint = "nothing is fetched or run for a kustomization; give the output of what renders it"
	}
	var broken *kustomize.BrokenError
	if errors.As(err, &broken) {
		reason = shown(broken.Position.String()) + ": " + broken.Reason
		d.Position = broken.Position
		d.Message = fmt.Sprintf("%q is not read: %s", cmp.Or(b.directory, "."), broken.Reason)
		d.Hint = "correct the syntax at or above this line"
	}
	if c.withoutBuilding(b, file, built, d.Position, reason) && refused == nil {
		d.Severity = diagnostic.Error
	}
	c.Diagnostics = append(c.Diagnostics, d)
	c.unread(b.directory, b.form, reason)
	return nil
}

// placeOf is where people look at a building: its kustomization, or, where that was made for it, the object that asks for it.
func (c *collector) placeOf(b building, file string) diagnostic.Position {
	if file != "" && kustomize.FileIn(c.tree, b.directory) == file {
		return diagnostic.Position{File: file, Line: 1}
	}
	if b.by != nil {
		return b.by.at
	}
	return diagnostic.Position{File: b.directory}
}

// leftOut says what a kustomization was built without.
func (c *collector) leftOut(b building, left kustomize.LeftOut) {
	d := diagnostic.Diagnostic{
		Code: diagnostic.PartNotRead, Severity: diagnostic.Info, Position: left.Position,
		Message: fmt.Sprintf("%q is left out: %s", left.What, left.Why),
	}
	switch left.Why {
	case kustomize.NotInTree:
		d.Severity = diagnostic.Warning
		d.Hint = "kustomize build fails for it; add the file, or take it out of the kustomization"
	case kustomize.Outside: // it may hold all routes that there are
		d.Severity = diagnostic.Error
		d.Hint = "name the folder that holds both, or have both in one git repository"
	case kustomize.NoHelm:
		d.Hint = "to have the routes of the chart in the answer, give the output of kustomize build --enable-helm as well"
	case kustomize.NotFetched:
		d.Hint = "to have its routes in the answer, keep a copy in the repository, allow the network (--allow-network), or give the output of kustomize build"
	}
	why := string(left.Why)
	if left.Failed != "" { // without what the caller wants to have fetched the routes of it would look lost
		why = fmt.Sprintf("it cannot be fetched: %q", diagnostic.Clip(left.Failed))
		d.Severity = diagnostic.Error
		d.Message = fmt.Sprintf("%q is not read: %s", left.What, why)
		d.Hint = "correct the reference; servers are asked without credentials, by http or https"
	}
	c.Diagnostics = append(c.Diagnostics, d)
	what := path.Join(path.Dir(left.Position.File), left.What)
	if left.Why == kustomize.NotFetched {
		what = "<" + left.What + ">" // an address, and no name of a file
	}
	c.unread(what, b.form, fmt.Sprintf("%s (%s)", why, shown(left.Position.String())))
}
