package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/plugin/argocd"
	"github.com/routedelta/routedelta/render/diagnostic"
)

func newCmp(s streams) *cobra.Command {
	command := &cobra.Command{
		Use:   "cmp",
		Short: "Run as an Argo CD config management plugin",
		Args:  cobra.ArbitraryArgs,
		RunE:  wantSubcommand,
	}
	application := argocd.Application{Dir: ".", Env: s.env}
	command.AddCommand(
		&cobra.Command{
			Use:   "discover",
			Short: "Print the name of the configuration if the application in the current directory has one",
			Args:  cobra.NoArgs,
			RunE:  func(*cobra.Command, []string) error { return argocd.Discover(application, s.out) },
		},
		&cobra.Command{
			Use:   "parameters",
			Short: "Print the parameters of the application in the current directory as JSON",
			Args:  cobra.NoArgs,
			RunE:  func(*cobra.Command, []string) error { return argocd.Announce(application, s.out) },
		},
		&cobra.Command{
			Use:   "generate",
			Short: "Print ConfigMaps with the Envoy files of the application in the current directory",
			Args:  cobra.NoArgs,
			RunE: func(command *cobra.Command, _ []string) error {
				found, err := argocd.Generate(command.Context(), application, s.out)
				if err == nil && !found.HasErrors() {
					voice{s.err}.diagnostics(found)
					return nil
				}
				return failGenerate(s, found, err)
			},
		},
	)
	return command
}

// mostErrors is how many errors Argo CD gets to see: its interface shows the whole of standard error when an application fails.
const mostErrors = 5

// failGenerate says what is wrong and nothing else: no warnings, and of many errors the first.
func failGenerate(s streams, found diagnostic.List, err error) error {
	if err != nil {
		return outside(err)
	}
	var errors diagnostic.List
	for _, d := range found {
		if d.Severity == diagnostic.Error {
			errors = append(errors, d)
		}
	}
	voice{s.err}.diagnostics(errors[:min(len(errors), mostErrors)])
	if more := len(errors) - mostErrors; more > 0 {
		return fail(codeInput, fmt.Errorf("%s, of which %d more are not shown: nothing was generated", inputErrors(found), more), "`routedelta render` in the directory of the application shows all")
	}
	return fail(codeInput, fmt.Errorf("%s: nothing was generated", inputErrors(found)), "")
}
