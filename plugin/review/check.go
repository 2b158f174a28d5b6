package review

import (
	"context"
	"slices"
	"time"

	"github.com/routedelta/routedelta/diff/check"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
)

// CheckOptions of a check.
type CheckOptions struct {
	Environment
	// Config says how manifests are rendered and which findings are suppressed; nil is the defaults.
	Config *config.Config
	// Today decides which suppressions still hold.
	Today time.Time
}

// Check finds what is wrong with one side: the diagnostics of its rendering, and what its rules do to each other. Manifests of all
// sources are one input, as for Render; a source of Envoy files stands for itself.
func Check(ctx context.Context, arguments []string, options CheckOptions) (*report.Check, error) {
	configured := options.Config
	if configured == nil {
		configured = new(config.Config)
	}
	manifests, sets, err := options.readAll(ctx, arguments)
	if err != nil {
		return nil, err
	}
	out := &report.Check{Tool: options.Tool, Sources: arguments}
	if len(manifests.texts) > 0 || len(sets) == 0 {
		manifests.parse(ctx)
		rendering, err := manifests.render(ctx, configured.RenderOptions())
		if err != nil {
			return nil, err
		}
		out.Order, out.Findings = rendering.Dialect, rendering.Diagnostics
		sets = append(sets, manifests.sets...)
	}
	tables := readTables(sets)
	out.Rules, out.Hosts = size(tables)
	found, err := check.Tables(ctx, tables)
	if err != nil {
		return nil, err
	}
	said := checkWords{resolver: resolver{later: manifests}}
	out.Findings = append(out.Findings, said.diagnostics(found, out.Findings)...)
	suppress(out, configured.Spec.Check.Suppress, annotated(manifests.objects), options.Today)
	out.Findings = out.Findings.Sort()
	return out, nil
}

// readAll reads every source: the texts of manifests together, and the sets of Envoy files.
func (e Environment) readAll(ctx context.Context, arguments []string) (*input, []*files.Set, error) {
	manifests := new(input)
	var sets []*files.Set
	for _, argument := range arguments {
		source, err := ParseSource(argument)
		if err != nil {
			return nil, nil, err
		}
		read, err := e.read(ctx, source)
		if err != nil {
			return nil, nil, err
		}
		sets = append(sets, read.sets...)
		manifests.texts = append(manifests.texts, read.texts...)
		manifests.diagnostics = append(manifests.diagnostics, read.diagnostics...)
	}
	return manifests, sets, nil
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

// size counts the rules and the domains.
func size(tables []*table.Table) (rules, hosts int) {
	for _, t := range tables {
		for _, h := range t.Hosts {
			rules += len(h.Rules)
			hosts += len(h.Domains)
		}
	}
	return rules, hosts
}

// said tells of the findings that the rendering has said already, with the rung of the ladder: that a rule has the same match
// as one ahead of it.
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
