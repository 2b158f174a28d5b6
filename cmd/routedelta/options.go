package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/fetch"
	"github.com/routedelta/routedelta/plugin/review"
)

// renderFlags are the flags that override the configuration, shared by every command that renders.
type renderFlags struct {
	file           string
	references     string
	dialect        string
	endpoints      string
	listeners      string
	gatewayClasses []string
	renderCommand  string
	allowNetwork   bool
	// targets are names of the configuration.
	targets []string
}

func (f *renderFlags) add(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&f.file, "config", "", "read the configuration from `FILE` ("+config.FileName+" where it is there; between commits that of the earlier one)")
	flags.StringVar(&f.references, "references", "", "what becomes of references to objects that are not in the input: assume or strict")
	flags.StringVar(&f.dialect, "dialect", "", "whose order of competing rules: gateway-api, envoy-gateway-1.8...")
	flags.StringVar(&f.listeners, "listeners", "", "where listeners go: bootstrap, or file to change them without a restart")
	flags.StringVar(&f.endpoints, "endpoints", "", "where known addresses go: files or inline")
	flags.StringSliceVar(&f.gatewayClasses, "gateway-class", nil, "render the Gateways of this `CLASS` only (can be repeated)")
	flags.StringVar(&f.renderCommand, "render-command", "", "get the manifests from `PROGRAM ARGUMENTS`, split at blanks and run without a shell in a copy of each side")
	flags.BoolVar(&f.allowNetwork, "allow-network", false, "fetch the bases and resources that kustomizations name on the network, by http and without credentials")
}

// network is where things may be fetched from, nil if the caller has not allowed it. The function closes it.
func (f *renderFlags) network() (network *fetch.Network, done func()) {
	if !f.allowNetwork {
		return nil, func() {}
	}
	network = fetch.New()
	return network, func() { _ = network.Close() } // a directory that stays is no reason to withhold an answer
}

// compareTargets is the usage of --target of commands that compare.
const compareTargets = "compare the target of this `NAME` in the configuration only (can be repeated)"

// addTargets adds the flags of commands that know the targets of a configuration; does is what they do with one.
func (f *renderFlags) addTargets(command *cobra.Command, does string) {
	command.Flags().StringSliceVar(&f.targets, "target", nil, does)
}

// configuration reads the file named by --config, else the one in dir if there is one, and lays the flags over it.
func (f *renderFlags) configuration(dir string) (*config.Config, error) {
	configured, err := f.read(dir)
	if err != nil {
		return nil, err
	}
	return f.override(configured)
}

// vouched tells whether a render command is the caller's own: named, and not just found.
func (f *renderFlags) vouched() bool { return f.file != "" || f.renderCommand != "" }

// configure fills in the configuration that two sides are compared with: the file named by --config, else the one in force, with the
// flags laid over it.
func (f *renderFlags) configure(ctx context.Context, options *review.Options, before, after review.Source) (err error) {
	options.RunCommands = f.vouched() || before.Kind == review.Revision
	if f.file != "" {
		options.Config, err = f.read(".")
	} else {
		options.Config, options.Notes, err = options.InForce(ctx, before, after)
	}
	if err != nil {
		return err
	}
	if options.Config, err = f.override(options.Config); err != nil {
		return err
	}
	return options.ChooseTargets(ctx, before, after, f.targets)
}

func (f *renderFlags) read(dir string) (*config.Config, error) {
	name := f.file
	if name == "" {
		name = filepath.Join(dir, config.FileName)
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && f.file == "" {
		return new(config.Config), nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	return config.Parse(name, text)
}

func (f *renderFlags) override(configured *config.Config) (*config.Config, error) {
	spec := &configured.Spec
	for _, flag := range []struct {
		value string
		field *string
	}{{f.references, &spec.References}, {f.dialect, &spec.Dialect}, {f.endpoints, &spec.Endpoints}, {f.listeners, &spec.Listeners}} {
		if flag.value != "" {
			*flag.field = flag.value
		}
	}
	if f.dialect != "" {
		spec.Targets = slices.Clone(spec.Targets)
		for i := range spec.Targets {
			spec.Targets[i].Dialect = ""
		}
	}
	if f.renderCommand != "" {
		spec.Sources.RenderCommand = strings.Fields(f.renderCommand)
		spec.Targets = slices.Clone(spec.Targets)
		for i := range spec.Targets {
			spec.Targets[i].Sources.RenderCommand = nil
		}
	}
	if f.gatewayClasses != nil {
		spec.GatewayClasses = f.gatewayClasses
	}
	return configured, configured.Validate("command line")
}
