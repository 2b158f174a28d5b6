package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/plugin/argocd"
)

func newCmp(s streams) *cobra.Command {
	command := &cobra.Command{
		Use:   "cmp",
		Short: "Run as an Argo CD config management plugin",
		Args:  cobra.ArbitraryArgs,
		RunE:  wantSubcommand,
	}
	command.AddCommand(&cobra.Command{
		Use:   "generate",
		Short: "Print ConfigMaps with the Envoy files of the application in the current directory",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			found, err := argocd.Generate(command.Context(), argocd.Application{Dir: ".", Env: s.env}, s.out)
			voice{s.err}.diagnostics(found)
			switch {
			case err != nil:
				return err
			case found.HasErrors():
				return fail(codeInput, fmt.Errorf("%s: nothing was generated", inputErrors(found)), "")
			}
			return nil
		},
	})
	return command
}
