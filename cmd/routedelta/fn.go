package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/krm"
	"github.com/routedelta/routedelta/plugin/review"
	"github.com/routedelta/routedelta/plugin/source"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

func newFn(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "fn",
		Short: "Run as a KRM function: ResourceList in, ResourceList with ConfigMaps out",
		Long: `Fn is a KRM function for kustomize and kpt: it reads a ResourceList, renders its routes and adds ConfigMaps that hold the Envoy
files. Under kustomize it belongs into transformers: of the outermost overlay. routedelta without arguments does the same.`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			boundMemory()
			// Nothing outside of the folder is looked at, wherever a link in it leads.
			here, err := os.OpenRoot(".")
			if err != nil {
				return fmt.Errorf("opening the working directory: %w", err)
			}
			defer here.Close()
			found, err := krm.Run(command.Context(), s.in, s.out, krm.Caller{Dir: source.WorkTree(here.FS()), Check: checkRendered})
			voice{s.err}.diagnostics(found)
			switch {
			case err != nil:
				return err
			case found.HasErrors():
				return fail(codeFindings, nil, "") // the contract of KRM functions: 1 for results of severity error
			}
			return nil
		},
	}
}

// checkRendered is what routedelta check says.
func checkRendered(ctx context.Context, objects *manifest.Objects, rendering *render.Rendering, found diagnostic.List, suppressed []config.Suppression) (diagnostic.List, error) {
	return review.CheckRendered(ctx, objects, rendering, found, suppressed, time.Now())
}

// functionMemory is what a function takes before it works for each megabyte: most run in a container beside others, with a limit.
const functionMemory = 480 << 20

// boundMemory has garbage collected more often where memory gets short. It is no limit on what is in use. Who sets GOMEMLIMIT gets what he
// asks for.
func boundMemory() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(functionMemory)
	}
}
