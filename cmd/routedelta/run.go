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
	if flushErr := out.Flush(); flushErr != nil && (err == nil || err.Error() == "") {
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
		Args:          cobra.ArbitraryArgs,
		RunE:          wantSubcommand,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(command *cobra.Command, err error) error {
		if words := command.Flags().Args(); command.HasSubCommands() && len(words) > 0 {
			return wantSubcommand(command, words) // a flag of a command whose name is misspelt
		}
		return fail(codeInput, err, command.CommandPath()+" --help")
	})
	root.Version = versionLine()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.AddCommand(newRender(s), newApply(s), newDiff(s), newInit(s), newCheck(s), newVerify(s), newShow(s), newComment(s), newReport(s), newAction(s), newFn(s), newCmp(s), newVersion(s), newMan(root))
	root.SetHelpCommand(newHelp(root))
	hintArguments(root)
	return root
}

// newHelp is the help of a command by its name.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about a command",
		RunE: func(_ *cobra.Command, words []string) error {
			found, rest, err := root.Find(words)
			if err != nil {
				found, rest = root, words
			}
			if len(rest) > 0 {
				return wantSubcommand(found, rest)
			}
			return found.Help()
		},
	}
}

// hintArguments has the commands say, with a wrong number of arguments, where it is told which they take.
func hintArguments(command *cobra.Command) {
	if check := command.Args; check != nil {
		command.Args = func(command *cobra.Command, words []string) error {
			if err := check(command, words); err != nil {
				return fail(codeInput, err, command.CommandPath()+" --help")
			}
			return nil
		}
	}
	for _, below := range command.Commands() {
		hintArguments(below)
	}
}

// wantSubcommand is what a command does that only groups others: a misspelt name must not pass for success in a script.
func wantSubcommand(command *cobra.Command, arguments []string) error {
	if len(arguments) == 0 {
		return command.Help()
	}
	hint := command.CommandPath() + " --help"
	command.SuggestionsMinimumDistance = 2
	if close := command.SuggestionsFor(arguments[0]); len(close) > 0 {
		hint = "did you mean " + command.CommandPath() + " " + close[0] + "?"
	}
	return fail(codeInput, fmt.Errorf("unknown command %q for %q", arguments[0], command.CommandPath()), hint)
}

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
