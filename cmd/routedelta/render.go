package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/envoy"
	"github.com/routedelta/routedelta/plugin/review"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/status"
)

type renderCommand struct {
	streams
	flags   renderFlags
	output  string
	format  string
	form    string
	secrets string
	status  string
	check   string
	keep    string
}

func newRender(s streams) *cobra.Command {
	c := &renderCommand{streams: s}
	command := &cobra.Command{
		Use:   "render [PATH...]",
		Short: "Render manifests into Envoy files, one directory for each Gateway",
		Long: `Render reads manifests (files, directories, git:REVISION[:PATH], - for standard input; without arguments the current directory,
or the target of its configuration that --target names) and writes the Envoy files that they mean: <namespace>-<gateway>/bootstrap.json and what it refers to. Envoy serves them as they are:

	routedelta render manifests -o rendered
	cd rendered/infra-public && envoy -c bootstrap.json

With --status it also writes what a controller would write into the status of each object. The exit code is 0 whatever that says: that a
route is not accepted is no error of the input.`,
		Example: "  routedelta render manifests -o rendered\n  routedelta render manifests --status -\n  routedelta render --check rendered",
		RunE:    func(command *cobra.Command, paths []string) error { return c.run(command.Context(), paths) },
	}
	c.flags.add(command)
	c.flags.addTargets(command, "render the target of this `NAME` in the configuration")
	flags := command.Flags()
	flags.StringVarP(&c.output, "output", "o", "", "write into `DIR`, or print for - (default)")
	flags.StringVar(&c.format, "format", "", "json (default), yaml or pb")
	flags.StringVar(&c.form, "form", "", "dynamic (default) or static: one merged bootstrap")
	flags.StringVar(&c.secrets, "secrets", "", "where certificates and keys are: reference (default), files or none")
	flags.StringVar(&c.status, "status", "", "write the status of each object to `FILE`, or print that alone for -")
	flags.StringVar(&c.keep, "keep-clusters-from", "", "also write the clusters that the rendering in `DIR` uses, for volumes whose files all change at once")
	flags.StringVar(&c.check, "check", "", "render nothing: check the Envoy files in `DIR`")
	return command
}

func (c *renderCommand) run(ctx context.Context, paths []string) error {
	if c.check != "" {
		return c.runCheck(ctx, paths)
	}
	configured, err := c.configuration()
	if err != nil {
		return err
	}
	if err := c.checkOutputs(configured.Spec); err != nil {
		return err
	}
	paths, configured, err = c.target(ctx, paths, configured)
	if err != nil {
		return outside(err)
	}
	made, err := c.render(ctx, paths, configured)
	if err != nil {
		return err
	}
	return c.write(ctx, made, fileOptions(configured.Spec))
}

// configuration is the file's with the flags laid over it.
func (c *renderCommand) configuration() (*config.Config, error) {
	configured, err := c.flags.configuration(".")
	if err != nil {
		return nil, err
	}
	spec := &configured.Spec
	for _, flag := range []struct {
		value string
		field *string
	}{{c.format, &spec.Format}, {c.form, &spec.Form}, {c.secrets, &spec.Secrets}} {
		if flag.value != "" {
			*flag.field = flag.value
		}
	}
	return configured, configured.Validate("command line")
}

// target is the path and the configuration of the target that is to be rendered, or of the paths that the caller names.
func (c *renderCommand) target(ctx context.Context, paths []string, configured *config.Config) ([]string, *config.Config, error) {
	target, err := review.OneTarget("a rendering", configured, paths, c.flags.targets)
	switch {
	case err != nil:
		return nil, nil, err
	case target != nil:
		name, err := review.Environment{Dir: "."}.PathOf(ctx, *target)
		return []string{name}, configured.ForTarget(*target), err
	case len(paths) == 0:
		paths = []string{"."}
	}
	return paths, configured, nil
}

// prints tells whether the Envoy files are printed. Where the status is printed they are not.
func (c *renderCommand) prints() bool { return c.output == "-" || c.output == "" && c.status != "-" }

// checkOutputs refuses two outputs in one place, and keys on standard output.
func (c *renderCommand) checkOutputs(spec config.Spec) error {
	switch {
	case c.output == "-" && c.status == "-":
		return fail(codeInput, errors.New("the files and the status cannot both be printed"), "write the files into a directory: -o DIR")
	case spec.Secrets == string(render.SecretsFiles) && c.prints():
		return fail(codeInput, errors.New("private keys are not printed"), "write the files into a directory: -o DIR")
	case spec.Secrets == string(render.SecretsFiles) && c.keep != "":
		return fail(codeInput, errors.New("the keys of clusters that are kept are not written"), "install it with routedelta apply, which keeps clusters by itself")
	}
	return nil
}

// rendered is what is to be written.
type rendered struct {
	*render.Rendering
	keys []files.File
}

func (c *renderCommand) render(ctx context.Context, paths []string, configured *config.Config) (made rendered, err error) {
	network, done := c.flags.network()
	defer done()
	environment := review.Environment{Stdin: c.in, Dir: ".", RunCommands: c.flags.vouched(), Network: network}
	if configured.Spec.Secrets == string(render.SecretsFiles) {
		made.Rendering, made.keys, err = review.RenderWithKeys(ctx, paths, configured, environment)
	} else {
		made.Rendering, err = review.Render(ctx, paths, configured, environment)
	}
	if err != nil {
		return made, outside(err)
	}
	voice{c.err}.diagnostics(made.Diagnostics)
	if made.Diagnostics.HasErrors() {
		return made, fail(codeInput, fmt.Errorf("%s: nothing was written", inputErrors(made.Diagnostics)), "")
	}
	return made, nil
}

func (c *renderCommand) write(ctx context.Context, made rendered, options files.Options) error {
	said, err := c.encodeStatus(made.Status)
	if err != nil {
		return err
	}
	var sets []*files.Set
	for _, gateway := range made.Gateways {
		sets = append(sets, gateway.Files)
	}
	if c.keep != "" {
		if sets, err = envoy.KeepClustersFrom(ctx, c.keep, sets); err != nil {
			return err
		}
	}
	switch {
	case c.prints():
		err = printSets(c.out, sets, options)
	case c.output != "":
		err = files.WriteWithKeys(ctx, c.output, sets, made.keys, options)
	}
	if err != nil {
		return err
	}
	return c.writeStatus(said)
}

func (c *renderCommand) encodeStatus(said render.Status) ([]byte, error) {
	if c.status == "" {
		return nil, nil
	}
	documents, err := said.Documents()
	if err != nil {
		return nil, err
	}
	return status.Encode(documents)
}

func (c *renderCommand) writeStatus(text []byte) error {
	switch c.status {
	case "":
		return nil
	case "-":
		_, err := c.out.Write(text)
		return err
	}
	return replaceFile(c.status, text)
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
