package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/review"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/files"
)

type renderCommand struct {
	streams
	flags  renderFlags
	output string
	format string
	form   string
	check  string
}

func newRender(s streams) *cobra.Command {
	c := &renderCommand{streams: s}
	command := &cobra.Command{
		Use:   "render [PATH...]",
		Short: "Render manifests into Envoy files, one directory for each Gateway",
		Long: `Render reads manifests (files, directories, git:REVISION[:PATH], - for standard input; the current directory without
arguments) and writes the Envoy files that they mean: <namespace>-<gateway>/bootstrap.json and what it refers to. Envoy serves them as they are:

	routedelta render manifests -o rendered
	cd rendered/infra-public && envoy -c bootstrap.json`,
		Example: "  routedelta render manifests -o rendered\n  routedelta render --check rendered",
		RunE:    func(command *cobra.Command, paths []string) error { return c.run(command.Context(), paths) },
	}
	c.flags.add(command)
	flags := command.Flags()
	flags.StringVarP(&c.output, "output", "o", "-", "write into `DIR`, or print for -")
	flags.StringVar(&c.format, "format", "", "json (default), yaml or pb")
	flags.StringVar(&c.form, "form", "", "dynamic (default) or static: one merged bootstrap")
	flags.StringVar(&c.check, "check", "", "render nothing: check the Envoy files in `DIR`")
	return command
}

func (c *renderCommand) run(ctx context.Context, paths []string) error {
	if c.check != "" {
		return c.runCheck(ctx, paths)
	}
	configured, err := c.flags.configuration(".")
	if err != nil {
		return err
	}
	if c.format != "" {
		configured.Spec.Format = c.format
	}
	if c.form != "" {
		configured.Spec.Form = c.form
	}
	if err := configured.Validate("command line"); err != nil {
		return err
	}
	rendering, err := c.render(ctx, paths, configured)
	if err != nil {
		return err
	}
	return c.write(ctx, rendering, fileOptions(configured.Spec))
}

func (c *renderCommand) render(ctx context.Context, paths []string, configured *config.Config) (*render.Rendering, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	rendering, err := review.Render(ctx, paths, configured, review.Environment{Stdin: c.in, Dir: "."})
	if err != nil {
		return nil, outside(err)
	}
	voice{c.err}.diagnostics(rendering.Diagnostics)
	if rendering.Diagnostics.HasErrors() {
		return nil, fail(codeInput, fmt.Errorf("%s: nothing was written", inputErrors(rendering.Diagnostics)), "")
	}
	return rendering, nil
}

func (c *renderCommand) write(ctx context.Context, rendering *render.Rendering, options files.Options) error {
	var sets []*files.Set
	for _, gateway := range rendering.Gateways {
		sets = append(sets, gateway.Files)
	}
	if c.output != "-" {
		return files.Write(ctx, c.output, sets, options)
	}
	return printSets(c.out, sets, options)
}

// printSets prints one YAML stream (JSON is YAML): a document for each file, under a comment with its path. A single static
// bootstrap is printed bare, so that it can be piped to a file.
func printSets(out io.Writer, sets []*files.Set, options files.Options) error {
	for _, set := range sets {
		encoded, err := files.Encode(set, options)
		if err != nil {
			return err
		}
		for _, file := range encoded {
			if len(sets)+len(encoded) > 2 {
				if _, err := fmt.Fprintf(out, "---\n# %s/%s\n", set.Name, file.Path); err != nil {
					return err
				}
			}
			if _, err := out.Write(file.Data); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *renderCommand) runCheck(ctx context.Context, paths []string) error {
	if len(paths) > 0 {
		return fmt.Errorf("--check takes a directory with Envoy files and no manifests, have %q too", paths[0])
	}
	found, err := files.CheckDir(ctx, c.check)
	if err != nil {
		return err
	}
	voice{c.err}.diagnostics(found)
	if found.HasErrors() {
		return fail(codeInput, fmt.Errorf("%s: %s", c.check, inputErrors(found)), "")
	}
	_, err = fmt.Fprintf(c.out, "%s: every reference resolves, every value fits its slot\n", c.check)
	return err
}

func fileOptions(spec config.Spec) files.Options {
	return files.Options{Format: files.Format(spec.Format), Form: files.Form(spec.Form)}
}
