package envoy

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Event is what a turn of Watch has to say.
type Event struct {
	// Found is said of the rendering; with errors it is not installed.
	Found diagnostic.List
	// Served: an Envoy serves it. None may have been started yet.
	Served bool
	// Err is why it is not installed.
	Err error
	// Again: it will be tried again although the rendering stays as it is, as the reason is outside of it.
	Again bool
}

// Watcher keeps the Envoy of a directory at the rendering of another, which somebody else updates: git-sync, rsync, a volume.
type Watcher struct {
	// Source is the rendering, or a link to it that is swapped.
	Source string
	// Dir is where Envoy runs.
	Dir     string
	Options Options
	// Interval is how often the source is looked at.
	Interval time.Duration
	// Say is called with what is new: once for each rendering, and once for each reason why it cannot be installed.
	Say func(Event)
}

// Run installs until the context ends, which ends it without an error. A rendering that cannot be installed leaves the one before
// in its place. One that is being written is not looked at before it has stayed the same for an interval.
func (w *Watcher) Run(ctx context.Context) error {
	var seen, done, said string
	for ctx.Err() == nil {
		now := fingerprint(w.Source)
		if now == seen && now != done {
			event := w.turn(ctx)
			if ctx.Err() != nil {
				return nil
			}
			if text := fmt.Sprint(now, event); text != said || event.Err == nil {
				w.Say(event)
				said = text
			}
			if !event.Again {
				done = now
			}
		}
		seen = now
		if sleep(ctx, w.Interval) != nil {
			return nil
		}
	}
	return nil
}

// turn installs the rendering as it is now. The link is resolved once, so that a swap meanwhile does not mix two renderings.
func (w *Watcher) turn(ctx context.Context) Event {
	source, err := filepath.EvalSymlinks(w.Source)
	if err != nil {
		return Event{Err: err}
	}
	rendering, found, err := ReadRendering(ctx, source)
	if err != nil || found.HasErrors() {
		return Event{Found: found, Err: err}
	}
	served, err := Apply(ctx, rendering, w.Dir, w.Options)
	return Event{Found: found, Served: served, Err: err, Again: passes(err)}
}

// passes tells whether the reason may be gone a moment later: an Envoy that is starting, busy, or not yet there.
func passes(err error) bool {
	var unavailable *UnavailableError
	var timeout *TimeoutError
	var foreign *ForeignError
	return errors.Is(err, ErrBusy) || errors.As(err, &unavailable) || errors.As(err, &timeout) || errors.As(err, &foreign)
}

// fingerprint changes with the files of a directory: where a link leads, and name, size and time of each file. It reads none of them,
// since it is taken every few seconds. What cannot be looked at has a fingerprint too.
func fingerprint(source string) string {
	hash := sha256.New()
	resolved, err := filepath.EvalSymlinks(source)
	fmt.Fprintln(hash, resolved, err)
	_ = filepath.WalkDir(resolved, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			fmt.Fprintln(hash, path, err)
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			fmt.Fprintln(hash, path, err)
			return nil
		}
		target := ""
		if info.Mode()&fs.ModeSymlink != 0 {
			target, _ = os.Readlink(path)
		}
		if entry.IsDir() {
			fmt.Fprintln(hash, path)
		} else {
			fmt.Fprintln(hash, path, info.Mode(), info.Size(), info.ModTime().UnixNano(), target)
		}
		return nil
	})
	return string(hash.Sum(nil))
}
