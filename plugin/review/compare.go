package review

import (
	"context"
	"fmt"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/git"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// Options of a comparison.
type Options struct {
	Environment
	// Config says how both sides are rendered; nil is the defaults.
	Config *config.Config
	// Notes are what InForce has to say about the configuration.
	Notes diagnostic.List
	// Targets are compared one by one, each with its own path, sources and dialect; without any, the sources are. ChooseTargets sets them.
	Targets []config.Target
}

// Compare says which requests change from one source to the other. An error in the manifests of the later side is an *InputError;
// one in those of the earlier side only takes the broken object away, which the cluster does not serve either.
//
// Of several targets, one that cannot be compared is a part of the report that is not decided, and hides none of the others.
func Compare(ctx context.Context, before, after Source, options Options) (*report.Report, error) {
	if len(options.Targets) > 1 {
		return options.compareTargets(ctx, before, after)
	}
	earlier, later, err := options.bothSides(ctx, before, after)
	if err != nil {
		return nil, err
	}
	found, _, err := options.compare(ctx, earlier, later)
	return found, err
}

// bothSides reads and renders the sides, or what one target has of them.
func (o Options) bothSides(ctx context.Context, before, after Source) (earlier, later *input, err error) {
	one, before, after, err := o.single(ctx, before, after)
	if err != nil {
		return nil, nil, err
	}
	earlier, later, err = one.readBoth(ctx, before, after)
	if err != nil && len(o.Targets) == 1 {
		return nil, nil, ofTarget(o.configuration(), o.Targets[0], err)
	}
	if err != nil {
		return nil, nil, err
	}
	return earlier, later, one.renderBoth(ctx, earlier, later)
}

// compare compares the sides, and says of each finding what the manifests tell about it.
func (o Options) compare(ctx context.Context, earlier, later *input) (*report.Report, []diff.Compared, error) {
	compared, err := diff.Compare(ctx, earlier.sets, later.sets, diff.Options{})
	if err != nil {
		return nil, nil, err
	}
	found := compared.Report
	found.Tool = o.Tool
	found.Before, found.After = earlier.named(found.Before), later.named(found.After)
	resolver{earlier, later}.resolve(compared)
	found.Effectless = append(found.Effectless, unattached(earlier, later)...)
	found.Uncompared = uncompared(earlier, later)
	found.Sources = partsOfBoth(earlier, later)
	found.Diagnostics = unsaid(states(earlier.diagnosed(), later.diagnosed()), found)
	for _, target := range o.Targets {
		found.Targets = append(found.Targets, told(target, later.side.Order, report.TargetCompared))
	}
	o.note(found)
	found.Count()
	return found, compared.Compared, nil
}

// note adds to a report what is to be said of the configuration.
func (o Options) note(found *report.Report) {
	for _, note := range o.Notes {
		found.Diagnostics = append(found.Diagnostics, report.Diagnostic{Diagnostic: note, State: "introduced"})
	}
}

func (o Options) readBoth(ctx context.Context, before, after Source) (earlier, later *input, err error) {
	if earlier, err = o.read(ctx, before, o.configuration().Spec.Sources); err != nil {
		return nil, nil, err
	}
	if later, err = o.read(ctx, after, o.configuration().Spec.Sources); err != nil {
		return nil, nil, err
	}
	if earlier.absent && later.absent {
		return nil, nil, fmt.Errorf("reading %s: neither on disk nor in commit %s", after, earlier.commit.Short)
	}
	if before.Kind == Revision && after.Kind == Directory && later.sets == nil && !later.absent {
		if err = o.inWorkTree(ctx, later); err != nil {
			return nil, nil, err
		}
	}
	return earlier, later, o.link(ctx, earlier, later)
}

// link finds out where the files can be seen.
func (o Options) link(ctx context.Context, sides ...*input) error {
	for i, side := range sides {
		if side.repository == nil || side.commit.Hash == "" {
			continue
		}
		if i == len(sides)-1 && o.BlobURL != "" {
			side.side.BlobURL = o.BlobURL
			continue
		}
		remote, err := side.repository.RemoteURL(ctx, "origin")
		if err != nil {
			return err
		}
		side.side.BlobURL = git.BlobURL(remote, side.commit)
	}
	return nil
}

// renderBoth renders the sides that are manifests, with what one side tells of the other: ages, and objects that are gone.
func (o Options) renderBoth(ctx context.Context, earlier, later *input) error {
	configured := o.Config
	if configured == nil {
		configured = new(config.Config)
	}
	forEarlier, forLater := configured.RenderOptions(), configured.RenderOptions()
	for _, side := range []*input{earlier, later} {
		if side.sets == nil {
			side.parse(ctx)
		}
	}
	settle(configured.RenderOptions(), earlier, later)
	if earlier.objects != nil && later.objects != nil {
		forLater.Ages = newcomers(earlier.objects, later.objects)
		forLater.Gone = gone(earlier.objects, later.objects)
		forLater.Labels = labelsLeft(earlier.objects, later.objects)
	}
	if err := renderSide(ctx, earlier, forEarlier); err != nil {
		return err
	}
	if err := renderSide(ctx, later, forLater); err != nil {
		return err
	}
	if err := landed(ctx, earlier, later, forEarlier, forLater); err != nil {
		return err
	}
	if later.rendering != nil && later.rendering.Diagnostics.HasErrors() {
		return &InputError{Source: later.source.String(), Diagnostics: later.rendering.Diagnostics}
	}
	if missed := missedParts(earlier, later); missed != nil {
		return &InputError{Source: later.source.String(), Diagnostics: missed}
	}
	return nil
}

// settle lets each side tell the other the namespaces that its manifests leave open. A controller is told by whoever applies them, so
// strict leaves them as they are.
func settle(options render.Options, earlier, later *input) {
	if earlier.objects == nil || later.objects == nil || options.References == render.Strict {
		return
	}
	earlier.parsed = append(earlier.parsed, manifest.Settle(earlier.objects, later.objects)...)
	later.parsed = append(later.parsed, manifest.Settle(later.objects, earlier.objects)...)
}

func renderSide(ctx context.Context, side *input, options render.Options) error {
	if side.objects == nil {
		return nil
	}
	_, err := side.render(ctx, options)
	if err != nil {
		return fmt.Errorf("rendering %s: %w", side.source, err)
	}
	return nil
}

// named adds what is known of a side to what the comparison has found out about it.
func (in *input) named(compared report.Side) report.Side {
	side := in.side
	side.Digest = compared.Digest
	return side
}

func (in *input) diagnosed() diagnostic.List {
	if in.rendering != nil {
		return in.rendering.Diagnostics
	}
	return in.diagnostics
}
