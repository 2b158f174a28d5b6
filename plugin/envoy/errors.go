package envoy

import (
	"fmt"
	"strings"
	"time"
)

// RefusedError says that Envoy does not take a step. What it served before it still serves.
type RefusedError struct {
	Step string
	// Files are those of the step, by path.
	Files []string
	// Counters are Envoy's that tell.
	Counters []string
	// Causes are Envoy's reasons, where it tells them.
	Causes []string
	// log is where Envoy's log was when the step began.
	log logMark
}

func (e *RefusedError) Error() string {
	said := strings.Join(e.Causes, "; ")
	if said == "" {
		said = strings.Join(e.Counters, ", ")
	}
	return fmt.Sprintf("Envoy refuses the %s (%s): %s", e.Step, strings.Join(e.Files, ", "), said)
}

// Hint tells where the reason is.
func (e *RefusedError) Hint() string {
	if len(e.Causes) > 0 || e.log.path != "" {
		return "what was served before is served on; correct what the rendering is made of and install it again"
	}
	return `what was served before is served on; the reason is in Envoy's log, behind "Filesystem config update rejected": name the log with --envoy-log to see it here`
}

// RestartError says that a rendering needs another Envoy.
type RestartError struct {
	// Fields of the bootstrap that differ.
	Fields []string
}

func (e *RestartError) Error() string {
	return "a running Envoy does not take up what differs in its bootstrap: " + strings.Join(e.Fields, ", ")
}

// Hint tells what to do about it.
func (e *RestartError) Hint() string {
	hint := "stop Envoy, install with --offline, start it again"
	if strings.Contains(e.Error(), "static_resources.listeners") {
		hint += "; `listeners: file` in the configuration makes renderings whose listeners change without that"
	}
	return hint
}

// WatchesError says that Envoy would abort, as it may not watch that many files.
type WatchesError struct{ Watched, Most int }

func (e *WatchesError) Error() string {
	return fmt.Sprintf("for the time of the change Envoy would watch %d files; fs.inotify.max_user_instances is %d, and beyond it Envoy aborts", e.Watched, e.Most)
}

// Hint tells what to do about it.
func (e *WatchesError) Hint() string {
	return "raise it (sysctl fs.inotify.max_user_instances), or render with `endpoints: inline`"
}

// TimeoutError says that Envoy has neither taken nor refused a step.
type TimeoutError struct {
	Step     string
	Patience time.Duration
	// Missing is what was waited for.
	Missing string
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("Envoy has not taken the %s within %s: %s", e.Step, e.Patience, e.Missing)
}

// Hint tells what to do about it.
func (e *TimeoutError) Hint() string {
	return "install again once Envoy is less busy, or with a longer --timeout"
}

// ForeignError says that the Envoy that answers runs from another directory.
type ForeignError struct {
	Address string
	// Node is who answers, Wanted who the directory's bootstrap makes an Envoy.
	Node, Wanted string
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("at %s another Envoy answers: it is node %q, and the directory is that of node %q", e.Address, e.Node, e.Wanted)
}

// Hint tells what to do about it.
func (e *ForeignError) Hint() string {
	return "name the admin interface of the Envoy that runs in the directory: --admin URL"
}
