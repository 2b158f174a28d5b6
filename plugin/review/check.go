package review

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/routedelta/routedelta/diff/check"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// CheckOptions of a check.
type CheckOptions struct {
	Environment
	// Config says how manifests are rendered and which findings are suppressed; nil is the defaults.
	Config *config.Config
	// Targets of the configuration are looked at one by one, in place of the arguments; see TargetsOfSide.
	Targets []config.Target
	// Today decides which suppressions still hold.
	Today time.Time
}

func (o CheckOptions) configuration() *config.Config {
	return Options{Config: o.Config}.configuration()
}

// Check finds what is wrong with one side: the diagnostics of its rendering, and what its rules do to each other. Manifests of all
// sources are one input, as for Render; a source of Envoy files stands for itself.
func Check(ctx context.Context, arguments []string, options CheckOptions) (found *report.Check, err error) {
	list := newSuppressions(options.configuration().Spec.Check.Suppress, options.Today)
	if len(options.Targets) > 0 {
		found, err = checkTargets(ctx, options, list)
	} else {
		found, err = checkOne(ctx, arguments, options, list)
	}
	if err != nil {
		return nil, err
	}
	found.Findings = append(found.Findings, list.idle()...).Sort()
	return found, nil
}

// checkOne looks at one input.
func checkOne(ctx context.Context, arguments []string, options CheckOptions, list *suppressions) (*report.Check, error) {
	c := &checking{manifests: new(input), out: &report.Check{Tool: options.Tool, Sources: arguments}}
	if err := c.readAll(ctx, options.Environment, arguments, options.configuration().Spec.Sources); err != nil {
		return nil, err
	}
	rendering := options.configuration().RenderOptions()
	if err := c.look(ctx, rendering); err != nil {
		return nil, err
	}
	if err := c.lookByAge(ctx, rendering); err != nil {
		return nil, err
	}
	list.takeOut(c.out, annotated(c.manifests.objects))
	return c.out, nil
}

// CheckRendered is Check for who has read objects and rendered them: found is what was said of that.
func CheckRendered(ctx context.Context, objects *manifest.Objects, rendering *render.Rendering, found diagnostic.List, suppressed []config.Suppression, today time.Time) (diagnostic.List, error) {
	in := &input{objects: objects}
	in.takeRendering(rendering)
	c := &checking{manifests: in, out: &report.Check{Findings: found}}
	if err := c.lookAt(ctx, readTables(in.sets)); err != nil {
		return nil, err
	}
	suppress(c.out, suppressed, annotated(objects), today)
	return c.out.Findings.Sort(), nil
}

// checking is one side on its way to its findings.
type checking struct {
	// manifests of all sources, and those sources of them that are commits.
	manifests *input
	commits   []*input
	// sets of Envoy files that are sources themselves.
	sets []*files.Set
	out  *report.Check
}

// readAll reads every source: the texts of manifests together, and the sets of Envoy files.
func (c *checking) readAll(ctx context.Context, e Environment, arguments []string, sources config.Sources) error {
	for _, argument := range arguments {
		source, err := ParseSource(argument)
		if err != nil {
			return err
		}
		read, err := e.read(ctx, source, sources)
		if err != nil {
			return err
		}
		c.sets = append(c.sets, read.sets...)
		c.manifests.texts = append(c.manifests.texts, read.texts...)
		c.manifests.diagnostics = append(c.manifests.diagnostics, read.diagnostics...)
		if source.Kind == Revision && len(read.texts) > 0 {
			c.commits = append(c.commits, read)
		}
	}
	return nil
}

// look renders the manifests, and looks through the tables of all sources.
func (c *checking) look(ctx context.Context, options render.Options) error {
	sets := slices.Clone(c.sets)
	c.out.Findings = nil
	if len(c.manifests.texts) > 0 || len(sets) == 0 {
		c.manifests.parse(ctx)
		rendering, err := c.manifests.render(ctx, options)
		if err != nil {
			return err
		}
		c.out.Order, c.out.Findings = rendering.Dialect, rendering.Diagnostics
		sets = append(sets, c.manifests.sets...)
	}
	return c.lookAt(ctx, readTables(sets))
}

// lookAt looks through tables, and adds what their rules do to each other.
func (c *checking) lookAt(ctx context.Context, tables []*table.Table) error {
	c.out.Rules, c.out.Hosts = size(tables)
	found, err := check.Tables(ctx, tables)
	if err != nil {
		return err
	}
	said := checkWords{resolver{later: c.manifests}}
	c.out.Findings = append(c.out.Findings, said.diagnostics(found, c.out.Findings)...)
	return nil
}

// lookByAge looks once more, with the times at which the routes landed on their branch, where a name has decided and there is a
// history to ask (product.md, R9).
func (c *checking) lookByAge(ctx context.Context, options render.Options) error {
	tie := slices.ContainsFunc(c.out.Findings, func(d diagnostic.Diagnostic) bool {
		return d.Code == diagnostic.DecidedByName || d.Code == diagnostic.CrossingByAge
	})
	if !tie || len(c.commits) == 0 {
		return nil
	}
	ages := map[diagnostic.Object]model.Age{}
	for _, commit := range c.commits {
		commit.parse(ctx)
		landed, err := commit.landings(ctx)
		if err != nil {
			return err
		}
		maps.Copy(ages, landed)
	}
	options.Ages = ages
	return c.look(ctx, options)
}

// readTables reads the tables of all sets. What could not be read stands in their options.
func readTables(sets []*files.Set) []*table.Table {
	var tables []*table.Table
	for _, set := range sets {
		read, _ := table.Read(set)
		tables = append(tables, read...)
	}
	return tables
}

// size counts the rules and the domains that people have written: not those of hosts that only send a client to another connection, and
// no domain where nothing is read.
func size(tables []*table.Table) (rules, hosts int) {
	for _, t := range tables {
		for _, h := range t.Hosts {
			if onlyMisdirected(h) {
				continue
			}
			rules += len(h.Rules)
			if !t.PassesOn() {
				hosts += len(h.Domains)
			}
		}
	}
	return rules, hosts
}

// onlyMisdirected tells whether a host answers 421 to every request.
func onlyMisdirected(h table.Host) bool {
	misdirected := func(r table.Rule) bool { return r.Outcome.Kind == table.Answered && r.Outcome.Status == 421 }
	return len(h.Rules) > 0 && !slices.ContainsFunc(h.Rules, func(r table.Rule) bool { return !misdirected(r) })
}

// alreadySaid holds the rules of which the rendering has said, with the rung of the ladder, that one ahead of them has the same
// match.
func alreadySaid(list diagnostic.List) map[objectField]bool {
	said := map[objectField]bool{}
	for _, d := range list {
		if slices.Contains([]diagnostic.Code{diagnostic.Duplicate, diagnostic.DecidedByAge, diagnostic.DecidedByName}, d.Code) {
			said[objectField{d.Object, d.Field}] = true
		}
	}
	return said
}

type objectField struct {
	object diagnostic.Object
	field  string
}
