package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// streams is everything that a command may touch of its process.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
	env func(string) string
}

// run does what the arguments say and returns the exit code.
func run(ctx context.Context, args []string, s streams) int {
	out := bufio.NewWriter(output{s.out})
	voice := voice{err: s.err}
	if len(args) == 0 && !isTerminal(s.in) {
		args = []string{"fn"} // how kustomize, kpt and containers call a KRM function
	}
	root := newRoot(streams{in: s.in, out: out, err: s.err, env: s.env})
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if flushErr := out.Flush(); flushErr != nil && (err == nil || exitCode(err) == codeFindings) {
		err = flushErr
	}
	if ctx.Err() != nil && err != nil && errors.Is(err, context.Canceled) {
		err = fail(codeInput, errors.New("interrupted"), "nothing was written")
	}
	return voice.end(err)
}

// output says of its errors what was being done: a full disk and a closed pipe show nothing of it themselves.
type output struct{ io.Writer }

func (o output) Write(data []byte) (int, error) {
	n, err := o.Writer.Write(data)
	if err != nil {
		err = fmt.Errorf("writing the output: %w", err)
	}
	return n, err
}

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "routedelta",
		Short: "Render Gateway API routes into Envoy files, and say which requests a change moves",
		Long: `routedelta reads Gateway API manifests, renders them into the Envoy configuration that they mean, and compares two
renderings request by request: which requests change backend, why, and with which command you can see it.`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.AddCommand(newRender(s), newDiff(s), newShow(s), newComment(s), newFn(s), newCmp(s), newVersion(s))
	return root
}

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
