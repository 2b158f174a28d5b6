package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/git"
	"github.com/routedelta/routedelta/plugin/layout"
	"github.com/routedelta/routedelta/plugin/source"
)

type initCommand struct {
	streams
	print bool
}

func newInit(s streams) *cobra.Command {
	c := &initCommand{streams: s}
	command := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Find the clusters of a repository and write its configuration",
		Long: `Init looks through a repository (the current directory by default) for clusters and environments: clusters/*, overlays/*, folders with apps
of their own, and folders that hold the same objects. It writes ` + config.FileName + ` with a target for each, and comments on what was found. A file that is
there is never written over. Until the file is committed it is in force as it lies on the disk.`,
		Example: "  routedelta init\n  routedelta init --print\n  routedelta diff --base HEAD^",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(command *cobra.Command, arguments []string) error { return c.run(command.Context(), arguments) },
	}
	command.Flags().BoolVar(&c.print, "print", false, "print the configuration, and write nothing")
	return command
}

func (c *initCommand) run(ctx context.Context, arguments []string) error {
	directory := "."
	if len(arguments) == 1 {
		directory = arguments[0]
	}
	found, err := findLayout(ctx, directory)
	if err != nil {
		return err
	}
	if len(found.Targets) == 0 {
		return fail(codeInput, fmt.Errorf("%s holds no Gateway API route", directory), "name the root of a repository; what a program renders has to be asked for: spec.sources.renderCommand in "+config.FileName)
	}
	text := found.Document()
	if _, err := config.Parse(config.FileName, text); err != nil {
		return fmt.Errorf("the configuration that was made is wrong: %w", err)
	}
	if c.print {
		_, err = c.out.Write(text)
		return err
	}
	if err := writeNew(filepath.Join(directory, config.FileName), text); err != nil {
		return err
	}
	for _, target := range found.Targets {
		fmt.Fprintf(c.err, "routedelta: target %s: %s in %s\n", printable(target.Name), target.Counts(), printable(target.Path))
	}
	fmt.Fprintf(c.err, "routedelta: hint: read %s, then try it: %s\n", config.FileName, firstTry(ctx, directory))
	return nil
}

// firstTry is a command that has something to look at: where there is no earlier commit, it compares nothing.
func firstTry(ctx context.Context, directory string) string {
	if repository, err := git.Open(ctx, directory); err == nil {
		if _, err := repository.Resolve(ctx, "HEAD^"); err == nil {
			return "routedelta diff --base HEAD^"
		}
	}
	return "routedelta check"
}

// findLayout looks through a directory; of a work tree, through what a commit of it would have.
func findLayout(ctx context.Context, directory string) (*layout.Layout, error) {
	root, err := os.OpenRoot(directory)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	tree := source.WorkTree(root.FS())
	repository, err := git.Open(ctx, directory)
	var outside *git.RepositoryError
	switch {
	case errors.As(err, &outside):
		return layout.Find(ctx, tree)
	case err != nil:
		return nil, err
	}
	if inside, err := repository.Inside(directory); err != nil || inside != "" {
		return nil, fail(codeInput, fmt.Errorf("%s is not the root of its repository", directory), "the configuration of a repository is in its root: routedelta init "+repository.Root)
	}
	names, err := repository.Present(ctx, git.Limits{})
	if err != nil {
		return nil, err
	}
	return layout.Find(ctx, source.Only(tree, names))
}

// writeNew writes a file that is not there yet.
func writeNew(name string, text []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fail(codeInput, fmt.Errorf("%s is there already", name), "routedelta init --print shows what it would hold")
	}
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err != nil {
		os.Remove(name)
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}
