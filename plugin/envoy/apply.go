package envoy

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Options of Apply.
type Options struct {
	// Admin is the interface of the Envoy that runs in the directory; nil is the one that its bootstrap has.
	Admin *Admin
	// Offline: no Envoy runs in the directory, and nothing is waited for. That none does is checked as far as Admin goes.
	Offline bool
	// Patience is how long Envoy may take for one step: a minute by default. A table of 50,000 routes takes it ten seconds.
	Patience time.Duration
	// Linger is how long clusters stay to which no route leads any more. A request that was routed before and waits, for an external
	// authorization or for its next try, looks for its cluster only then.
	Linger time.Duration
	// Log is Envoy's log file, or "". It alone has the reason for which Envoy refuses anything but a listener.
	Log string
	// MaxWatches is how many files Envoy can watch (fs.inotify.max_user_instances); beyond it Envoy aborts. 0 is not known.
	MaxWatches int
	// Each is called with each step that changed something, when it is done. An error ends the run there and leaves everything as it
	// is, as a kill would.
	Each func(Step) error
}

// Step is what was done in one.
type Step struct {
	Name string
	// Replaced and Removed are paths of files in the directory.
	Replaced, Removed []string
}

// ErrRunning is the error for a directory in which no Envoy ought to run.
var ErrRunning = errors.New("an Envoy runs in the directory")

// Apply brings the Envoy that runs in a directory to a rendering. Without an error Envoy serves the rendering; with
// one Envoy serves what it served before, and the directory holds that, except after a cancelled context, an error of
// Options.Each, or a failed undoing, which the error tells: then the directory is between the two, Envoy serves from it without losing
// a request, and the next run goes on from there.
//
// A directory without files is filled, for an Envoy that is started then: served tells whether one serves the rendering already.
func Apply(ctx context.Context, wanted *Rendering, dir string, options Options) (served bool, err error) {
	l, err := openLive(dir)
	if err != nil {
		return false, fmt.Errorf("installing into %s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, l.close()) }()
	change, err := newChange(ctx, l, wanted, options)
	if err == nil {
		err = change.run(ctx)
	}
	if err != nil {
		return false, fmt.Errorf("installing into %s: %w", dir, err)
	}
	return change.options.Admin != nil, nil
}
