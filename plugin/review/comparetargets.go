package review

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// single are the options and sides of the only target, or those that the caller named. What is about both sides as a whole, such as a
// certificate, is about one target.
func (o Options) single(ctx context.Context, before, after Source) (Options, Source, Source, error) {
	switch len(o.Targets) {
	case 0:
		return o, before, after, nil
	case 1:
		return o.forTarget(ctx, o.Targets[0], before, after)
	}
	return o, before, after, &TargetError{"a certificate is of one target", "name it: --target " + o.Targets[0].Name}
}

// compareTargets compares each target by itself, and joins the reports.
func (o Options) compareTargets(ctx context.Context, before, after Source) (*report.Report, error) {
	var parts []diff.Part
	for _, target := range o.Targets {
		part, err := o.compareTarget(ctx, target, before, after)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			part = o.notCompared(target, err)
		}
		parts = append(parts, part)
	}
	joined := diff.Join(parts)
	joined.Tool = o.Tool
	joined.Before.Source, joined.After.Source = before.String(), after.String()
	joined.After = dirty(joined.After, parts)
	o.note(joined)
	joined.Count()
	return joined, nil
}

// dirty is the later side as a whole: a work tree, if that is what one target has of it.
func dirty(side report.Side, parts []diff.Part) report.Side {
	for _, p := range parts {
		if p.Report != nil && p.Report.After.Label != "" && p.Report.After.Revision == "" {
			side.Label, side.Revision, side.BlobURL = p.Report.After.Label, "", p.Report.After.BlobURL
		}
	}
	return side
}

func (o Options) compareTarget(ctx context.Context, target config.Target, before, after Source) (diff.Part, error) {
	one, before, after, err := o.forTarget(ctx, target, before, after)
	if err != nil {
		return diff.Part{}, err
	}
	earlier, later, err := one.readBoth(ctx, before, after)
	if err != nil {
		return diff.Part{}, ofTarget(o.configuration(), target, err)
	}
	if sameInput(earlier, later) {
		sides := &report.Report{Tool: o.Tool, Before: earlier.side, After: later.side, Sources: partsOfBoth(earlier, later)}
		return diff.Part{Target: told(target, one.Config.Spec.Dialect, report.TargetUnchanged), Report: sides}, nil
	}
	if err := one.renderBoth(ctx, earlier, later); err != nil {
		return diff.Part{}, err
	}
	found, _, err := one.compare(ctx, earlier, later)
	return diff.Part{Target: told(target, later.side.Order, report.TargetCompared), Report: found}, err
}

// notCompared is the part of a target that cannot be compared. What is wrong with its manifests is said with it.
func (o Options) notCompared(target config.Target, err error) diff.Part {
	anything := class.Terms{Include: []class.Term{{Kind: class.TermAny}}}
	everything := report.Undecided{Area: report.Area{Hosts: anything, Paths: anything}, Reason: err.Error()}
	found := &report.Report{Tool: o.Tool, Undecided: []report.Undecided{everything}}
	var bad *InputError
	if errors.As(err, &bad) {
		errors := slices.DeleteFunc(slices.Clone(bad.Diagnostics), func(d diagnostic.Diagnostic) bool { return d.Severity != diagnostic.Error })
		found.Undecided[0].Reason = fmt.Sprintf("%s: %s", counted(len(errors)), quotedOnce(errors[0].String()))
		for _, d := range errors {
			found.Diagnostics = append(found.Diagnostics, report.Diagnostic{Diagnostic: d, State: "introduced"})
		}
	}
	return diff.Part{Target: told(target, "", report.TargetUndecided), Report: found}
}

// quotedOnce quotes a text, with marks of another kind for what is quoted in it.
func quotedOnce(text string) string {
	return strconv.Quote(strings.NewReplacer(`\"`, "'", `"`, "'").Replace(text))
}

// counted says how many errors keep a target from being rendered.
func counted(errors int) string {
	if errors == 1 {
		return "its manifests have an error"
	}
	return fmt.Sprintf("its manifests have %d errors, the first of them", errors)
}

// told is a target as the report has it.
func told(target config.Target, order string, state report.TargetState) report.Target {
	return report.Target{Name: target.Name, Path: cmp.Or(target.Path, "."), Order: order, State: state}
}

// alike tells whether two findings say the same, wherever they stand.
func alike(a, b diagnostic.Diagnostic) bool { return unplaced(a) == unplaced(b) }

// sameInput tells whether what was read is the same on both sides, to the names and lines. Then nothing needs to be rendered to know
// that nothing changes.
func sameInput(earlier, later *input) bool {
	same := func(a, b manifest.Source) bool {
		return earlier.fromRoot(a.Name) == later.fromRoot(b.Name) && bytes.Equal(a.Data, b.Data)
	}
	return earlier.sets == nil && later.sets == nil && len(earlier.texts) > 0 && sameUnread(earlier, later) &&
		slices.EqualFunc(earlier.texts, later.texts, same) && slices.EqualFunc(earlier.diagnostics, later.diagnostics, alike)
}
