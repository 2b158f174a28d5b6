package envoy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/routedelta/routedelta/render/files"
)

// change brings a directory from one state to another.
type change struct {
	live          *live
	options       Options
	before, after *state
	format        files.Format
	steps         []step
}

func newChange(ctx context.Context, l *live, wanted *Rendering, options Options) (*change, error) {
	before, format, err := l.read(ctx)
	if err != nil {
		return nil, err
	}
	if before == nil {
		format = files.JSON
	} else if options.Admin == nil {
		if options.Admin, err = adminOf(before.set, l.dir); err != nil && !options.Offline {
			return nil, err
		}
	}
	if options.Patience == 0 {
		options.Patience = time.Minute
	}
	after, err := newState(wanted, format)
	if err != nil {
		return nil, err
	}
	c := &change{live: l, options: options, before: before, after: after, format: format}
	if err := c.refuseImpossible(ctx); err != nil {
		return nil, err
	}
	c.steps, err = plan(before, after, format)
	return c, err
}

// run does the steps; after a refusal it undoes them.
func (c *change) run(ctx context.Context) error {
	if err := c.stageAll(); err != nil {
		return err
	}
	err := c.do(ctx)
	var ended *endedError
	if err == nil || c.before == nil || ctx.Err() != nil || errors.As(err, &ended) {
		return err
	}
	undo := c.undo(ctx, err)
	if refused := new(RefusedError); errors.As(err, &refused) {
		refused.explain(ctx)
	}
	if undo != nil {
		return fmt.Errorf("%w; taking it back: %w", err, undo)
	}
	return err
}

// undo is the same change the other way round. Of an Envoy that does not answer nothing is expected: it will start from the old files.
func (c *change) undo(ctx context.Context, cause error) error {
	back := &change{live: c.live, options: c.options, before: c.after, after: c.before, format: c.format}
	back.options.Linger, back.options.Each = 0, nil
	if gone := new(UnavailableError); errors.As(cause, &gone) {
		back.options.Admin = nil
	}
	if err := c.live.clearStaging(); err != nil {
		return err
	}
	var err error
	if back.steps, err = plan(back.before, back.after, back.format); err != nil {
		return err
	}
	if err := back.stageAll(); err != nil {
		return err
	}
	return back.do(ctx)
}

// stageAll writes the files of all steps, so that a full disk is found before anything is changed. The clusters of the new side alone
// replace what an earlier step puts there, not what is there now.
func (c *change) stageAll() error {
	for number, s := range c.steps {
		for _, file := range s.put {
			if _, equal, err := c.live.holds(file); err != nil {
				return err
			} else if equal && !s.lingers {
				continue
			}
			if err := c.live.stage(number, file); err != nil {
				return err
			}
		}
	}
	return nil
}

// endedError is an error of Options.Each.
type endedError struct{ err error }

func (e *endedError) Error() string { return e.err.Error() }
func (e *endedError) Unwrap() error { return e.err }

func (c *change) do(ctx context.Context) error {
	for number, s := range c.steps {
		replaced, err := c.step(ctx, number, s)
		if err != nil {
			return err
		}
		if err := c.tell(Step{Name: s.name, Replaced: replaced}); err != nil {
			return err
		}
	}
	removed, err := c.removeStale()
	if err != nil {
		return err
	}
	return c.tell(Step{Name: "removal", Removed: removed})
}

func (c *change) tell(done Step) error {
	if len(done.Replaced)+len(done.Removed) == 0 || c.options.Each == nil {
		return nil
	}
	if err := c.options.Each(done); err != nil {
		return &endedError{err}
	}
	return nil
}

func (c *change) removeStale() ([]string, error) {
	stale, err := c.live.stale(c.after.files)
	if err != nil {
		return nil, err
	}
	for _, path := range stale {
		if err := c.live.root.Remove(path); err != nil {
			return nil, fmt.Errorf("removing a file that nothing names: %w", err)
		}
	}
	return stale, nil
}

// step renames the files of one step into their places and waits until Envoy has taken them.
func (c *change) step(ctx context.Context, number int, s step) ([]string, error) {
	b, err := c.newBarrier(ctx, s)
	if err != nil {
		return nil, err
	}
	changed, err := c.changed(number, s, b)
	if err != nil || len(changed) == 0 {
		return nil, err
	}
	if s.lingers && c.options.Admin != nil {
		if err := sleep(ctx, c.options.Linger); err != nil {
			return nil, err
		}
	}
	for _, file := range changed {
		if err := c.live.put(number, file.Path); err != nil {
			return nil, err
		}
	}
	return pathsOf(changed), b.wait(ctx)
}

// changed are the files of a step that have to be put, staged. Those that replace others are expected by the barrier.
func (c *change) changed(number int, s step, b *barrier) ([]files.File, error) {
	var changed []files.File
	for _, file := range s.put {
		exists, equal, err := c.live.holds(file)
		if err != nil {
			return nil, err
		}
		// What is there and was not taken, by a run that was killed or by a refusal, is shown to Envoy once more.
		if equal && b.taken(file) {
			continue
		}
		if equal {
			if err := c.live.stage(number, file); err != nil {
				return nil, err
			}
		}
		changed = append(changed, file)
		if exists {
			b.expect(file)
		}
	}
	return changed, nil
}

func pathsOf(list []files.File) []string {
	var paths []string
	for _, file := range list {
		paths = append(paths, file.Path)
	}
	slices.Sort(paths)
	return paths
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
