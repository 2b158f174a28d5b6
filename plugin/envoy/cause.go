package envoy

import (
	"context"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"
	"time"
)

// refusal is the error for counters that count refusals, with the reason as far as Envoy tells it: that of a listener through its
// admin interface, that of anything else only in its log.
func (b *barrier) refusal(ctx context.Context, counted []string) error {
	refused := &RefusedError{Step: b.step, Files: pathsOf(b.files), Counters: counted, log: b.log}
	if listeners, err := b.admin.listenerErrors(ctx); err == nil && b.step == "listeners" {
		for name, details := range listeners {
			// What could not be bound is there once more, without a name.
			if name != "" {
				refused.Causes = append(refused.Causes, "listener "+name+": "+details)
			}
		}
		slices.Sort(refused.Causes)
	}
	return refused
}

// explain adds to a refusal what the log has.
func (e *RefusedError) explain(ctx context.Context) {
	if len(e.Causes) == 0 {
		e.Causes = e.log.causes(ctx)
	}
}

// logMark is a place in Envoy's log: what comes after it was written since.
type logMark struct {
	path  string
	begin int64
}

// markLog marks the end of a log. One that cannot be read has no causes.
func markLog(path string) logMark {
	if path == "" {
		return logMark{}
	}
	info, err := os.Stat(path)
	if err != nil {
		return logMark{path: path}
	}
	return logMark{path: path, begin: info.Size()}
}

const (
	// maxLog bounds what is read of a log: Envoy prints a whole resource when a constraint of its API is violated.
	maxLog = 1 << 20
	// maxCauses and maxCause bound what is said.
	maxCauses = 5
	maxCause  = 400
	// Envoy writes its log every ten seconds by default (--file-flush-interval-msec).
	flushPause, flushPauses = 50 * time.Millisecond, 240
)

var (
	// entry begins a message in the log. Some go on over many lines.
	entry = regexp.MustCompile(`(?m)^\[\d{4}-\d\d-\d\d [^\]]*\]`)
	// refusedFile is what Envoy says of a file that it does not take, in the message.
	refusedFile = regexp.MustCompile(`Filesystem config update (?:rejected|failure): (.*)`)
	// violated is the cause where a resource breaks a constraint of the API: it stands behind all of the resource.
	violated = regexp.MustCompile(`Proto constraint validation failed \((.*)\)`)
)

// causes are the reasons that the log has, as soon as it has them.
func (m logMark) causes(ctx context.Context) []string {
	if m.path == "" {
		return nil
	}
	for range flushPauses {
		if causes := m.read(); len(causes) > 0 || sleep(ctx, flushPause) != nil {
			return causes
		}
	}
	return nil
}

func (m logMark) read() []string {
	file, err := os.Open(m.path)
	if err != nil {
		return nil
	}
	defer file.Close()
	text := make([]byte, maxLog)
	n, err := file.ReadAt(text, m.begin)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	return causesIn(string(text[:n]))
}

// causesIn finds the reasons in a part of the log.
func causesIn(text string) []string {
	var causes []string
	for _, message := range entry.Split(text, -1) {
		cause := refusedFile.FindStringSubmatch(message)
		if cause == nil || len(causes) == maxCauses {
			continue
		}
		if constraint := violated.FindStringSubmatch(message); constraint != nil {
			cause = constraint
		}
		causes = append(causes, cause[1][:min(len(cause[1]), maxCause)])
	}
	return causes
}
