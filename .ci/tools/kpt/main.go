// Command kpt is the real kpt with its command group "fn" alone. The whole program cannot be built from the module proxy: its group
// "alpha" needs a module that is served there in no version.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/kptdev/kpt/commands/fn"
	"github.com/kptdev/kpt/pkg/lib/errors/resolver"
	"github.com/kptdev/kpt/pkg/printer"
	"github.com/spf13/cobra"
)

func main() {
	ctx := printer.WithContext(context.Background(), printer.New(os.Stdout, os.Stderr))
	root := &cobra.Command{Use: "kpt", SilenceUsage: true, SilenceErrors: true}
	root.AddCommand(fn.GetCommand(ctx, "kpt"))
	if err := root.ExecuteContext(ctx); err != nil {
		os.Exit(explain(err))
	}
}

// explain says an error as kpt does, and gives its exit code.
func explain(err error) int {
	if resolved, ok := resolver.ResolveError(err); ok {
		fmt.Fprintln(os.Stderr, resolved.Message)
		return resolved.ExitCode
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}
