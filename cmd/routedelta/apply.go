package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/routedelta/routedelta/plugin/envoy"
)

type applyCommand struct {
	streams
	to       string
	admin    string
	watch    bool
	interval time.Duration
	options  envoy.Options
}

func newApply(s streams) *cobra.Command {
	c := &applyCommand{streams: s}
	command := &cobra.Command{
		Use:   "apply RENDERING --to DIR",
		Short: "Install a rendering under a running Envoy without losing a request",
		Long: `Apply brings the Envoy that was started in DIR to a rendering (of one Gateway, made by render -o). It replaces the files in
the one order that loses no request, and waits after each step until Envoy's admin interface says that it has taken it. What Envoy refuses
is taken back: it serves on what it served before, and so it would after a restart. A run that was killed is completed by the next one.

What stands in the bootstrap does not reach a running Envoy; render with "listeners: file" in the configuration, so that listeners do not
stand there. A DIR without files is filled, and Envoy can be started in it.

With --watch it goes on, and installs what changes in RENDERING, beside an Envoy in its own container:

	routedelta apply --watch /git/current/rendered/infra-public --to /envoy`,
		Example: "  routedelta apply rendered/infra-public --to /etc/envoy/public\n  routedelta apply rendered/infra-public --to /etc/envoy/public --admin unix:/run/envoy/admin",
		Args:    cobra.ExactArgs(1),
		RunE:    func(command *cobra.Command, arguments []string) error { return c.run(command.Context(), arguments[0]) },
	}
	flags := command.Flags()
	flags.StringVar(&c.to, "to", "", "the `DIR` that Envoy was started in (required)")
	flags.StringVar(&c.admin, "admin", "", "Envoy's admin interface: http://HOST:PORT or unix:PATH (default: the one in its bootstrap)")
	flags.BoolVar(&c.options.Offline, "offline", false, "no Envoy runs in DIR: do not wait for one, and replace the bootstrap too")
	flags.DurationVar(&c.options.Patience, "timeout", time.Minute, "how long Envoy may take for one step")
	flags.DurationVar(&c.options.Linger, "linger", 10*time.Second, "how long clusters stay that no route leads to any more, for requests that wait for an external authorization or a retry")
	flags.StringVar(&c.options.Log, "envoy-log", "", "Envoy's log `FILE`, for the reason why it refuses something")
	flags.BoolVar(&c.watch, "watch", false, "go on, and install each change of RENDERING")
	flags.DurationVar(&c.interval, "interval", 2*time.Second, "how often --watch looks")
	return command
}

func (c *applyCommand) run(ctx context.Context, rendering string) error {
	if c.to == "" {
		return fail(codeInput, errors.New("want the directory that Envoy was started in"), "routedelta apply RENDERING --to DIR")
	}
	if err := c.prepare(); err != nil {
		return err
	}
	if c.watch {
		watcher := &envoy.Watcher{Source: rendering, Dir: c.to, Options: c.options, Interval: c.interval, Say: c.say}
		return watcher.Run(ctx)
	}
	wanted, found, err := envoy.ReadRendering(ctx, rendering)
	voice{c.err}.diagnostics(found)
	if err != nil {
		return err
	}
	if found.HasErrors() {
		return fail(codeInput, fmt.Errorf("%s: nothing was installed", inputErrors(found)), "")
	}
	served, err := envoy.Apply(ctx, wanted, c.to, c.options)
	if err != nil {
		return explainApply(ctx, err)
	}
	_, err = fmt.Fprintln(c.out, c.installed(served))
	return err
}

// installed says that it is done.
func (c *applyCommand) installed(served bool) string {
	if served {
		return c.to + ": Envoy serves the rendering"
	}
	return c.to + ": the rendering is installed for an Envoy that is started there"
}

// prepare makes the options of the flags.
func (c *applyCommand) prepare() error {
	switch {
	case c.options.Offline && c.watch:
		return errors.New("--offline and --watch exclude each other: --watch fills a directory in which no Envoy runs yet by itself")
	case c.interval <= 0 || c.options.Patience <= 0 || c.options.Linger < 0:
		return errors.New("--interval and --timeout have to be above zero, and --linger not below")
	}
	if c.admin != "" {
		admin, err := envoy.NewAdmin(c.admin)
		if err != nil {
			return err
		}
		c.options.Admin = admin
	}
	c.options.MaxWatches = maxWatches()
	c.options.Each = func(step envoy.Step) error { return tellStep(c.err, step) }
	return nil
}

// maxWatches is how many files Envoy, as the same user, can watch, or 0.
func maxWatches() int {
	text, err := os.ReadFile("/proc/sys/fs/inotify/max_user_instances")
	if err != nil {
		return 0
	}
	most, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return most
}

// tellStep says what was done.
func tellStep(w io.Writer, step envoy.Step) error {
	for _, done := range []struct {
		verb  string
		paths []string
	}{{"replaced", step.Replaced}, {"removed", step.Removed}} {
		if len(done.paths) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "routedelta: %s: %s %s\n", step.Name, done.verb, printable(strings.Join(done.paths, ", "))); err != nil {
			return err
		}
	}
	return nil
}

// say tells what --watch has done, or why not.
func (c *applyCommand) say(event envoy.Event) {
	voice{c.err}.diagnostics(event.Found)
	switch {
	case event.Err != nil:
		voice{c.err}.end(explainApply(context.Background(), event.Err))
	case event.Found.HasErrors():
		voice{c.err}.end(fmt.Errorf("%s: the rendering before stays", inputErrors(event.Found)))
	default:
		fmt.Fprintf(c.err, "routedelta: %s\n", c.installed(event.Served))
	}
}

// explainApply gives an error its exit code and its hint.
func explainApply(ctx context.Context, err error) error {
	var refused *envoy.RefusedError
	var restart *envoy.RestartError
	var watches *envoy.WatchesError
	switch {
	case ctx.Err() != nil:
		// Not the error of the context, for which nothing would be written.
		return fail(codeOutside, errors.New("interrupted between two steps; no request is lost"), "install again to complete it")
	case errors.As(err, &refused):
		return fail(codeInput, err, refused.Hint())
	case errors.As(err, &restart):
		return fail(codeInput, err, restart.Hint())
	case errors.As(err, &watches):
		return fail(codeInput, err, watches.Hint())
	case errors.Is(err, envoy.ErrBusy):
		return fail(codeOutside, err, "wait until it is done")
	case errors.Is(err, envoy.ErrRunning):
		return fail(codeInput, err, "leave out --offline")
	case errors.Is(err, envoy.ErrNoAdmin):
		return fail(codeInput, err, "name it with --admin, or stop Envoy and install with --offline")
	}
	return outside(err)
}
