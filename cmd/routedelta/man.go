package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// newMan is hidden: whoever makes a release calls it, and puts the pages where man finds them.
func newMan(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIRECTORY",
		Short:  "Write the manual pages into a directory",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, arguments []string) error {
			directory := arguments[0]
			if err := os.MkdirAll(directory, 0o755); err != nil {
				return fmt.Errorf("writing manual pages: %w", err)
			}
			// Pages of one version are the same whenever they are made: the day of making is left out.
			noDay := time.Unix(0, 0).UTC()
			root.DisableAutoGenTag = true
			return doc.GenManTree(root, &doc.GenManHeader{
				Title: "ROUTEDELTA", Section: "1", Source: "routedelta " + toolVersion(), Manual: "routedelta", Date: &noDay,
			}, directory)
		},
	}
}
