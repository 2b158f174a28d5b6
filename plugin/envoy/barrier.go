package envoy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/routedelta/routedelta/render/files"
)

// silence is how long an admin interface may refuse connections before Envoy is taken for ended. One that is busy accepts them and
// answers late.
const silence = 5 * time.Second

// barrier waits until Envoy has taken a step: every one who watches a file of it reports its version, nothing is warming, and no
// counter of refusals has moved. Without an Envoy there is nothing to wait for.
//
// Workers learn of what the main thread has taken a moment later, but in the order in which it took it: what matters to a worker is
// that no step overtakes another.
type barrier struct {
	admin   *Admin
	options Options
	step    string
	// running is what the directory held before the change, and before what Envoy said then.
	running      *state
	before       Statistics
	certificates map[leaf]bool
	log          logMark

	files []files.File
	// shown are the certificates that have to be in use.
	shown []leaf
}

func (c *change) newBarrier(ctx context.Context, s step) (*barrier, error) {
	b := &barrier{admin: c.options.Admin, options: c.options, step: s.name, running: c.before}
	if b.admin == nil {
		return b, nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.options.Patience)
	defer cancel()
	b.log = markLog(c.options.Log)
	var err error
	if b.before, err = b.admin.Statistics(ctx); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(s.put, func(f files.File) bool { return kindOf(f.Path) == "secrets" }) {
		b.certificates, err = b.admin.certificates(ctx)
	}
	return b, err
}

// taken tells whether Envoy has a file that was there before. A file whose reader is not there yet is read when it comes.
func (b *barrier) taken(file files.File) bool {
	if b.admin == nil {
		return true
	}
	for _, scope := range b.before.subscriptions(file, b.running.set) {
		if b.before[scope+versionText] != file.Version {
			return false
		}
	}
	return true
}

// expect has the barrier wait for a file that is about to replace another. A key is waited for where the certificate that it replaces
// is in use.
func (b *barrier) expect(file files.File) {
	if b.admin == nil {
		return
	}
	b.files = append(b.files, file)
	if kindOf(file.Path) != "secrets" {
		return
	}
	old := slices.IndexFunc(b.running.files, func(f files.File) bool { return f.Path == file.Path })
	if old < 0 {
		return
	}
	replaced, err := leafOf(b.running.files[old].Data)
	next, nextErr := leafOf(file.Data)
	if err == nil && nextErr == nil && b.certificates[replaced] {
		b.shown = append(b.shown, next)
	}
}

// wait polls Envoy, less and less often.
func (b *barrier) wait(ctx context.Context) error {
	if b.admin == nil {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, b.options.Patience)
	defer cancel()
	var silent time.Duration
	reason := "Envoy has not answered"
	for pause := 2 * time.Millisecond; ; pause = min(pause*3/2, 100*time.Millisecond) {
		missing, err := b.missing(bounded)
		var unavailable *UnavailableError
		switch {
		case err == nil && missing == "":
			return nil
		case err == nil:
			reason, silent = missing, 0
		case bounded.Err() != nil:
		case errors.As(err, &unavailable) && silent < silence:
			silent += pause
		default:
			return err
		}
		if err := sleep(bounded, pause); err != nil {
			if ctx.Err() != nil {
				return fmt.Errorf("waiting for Envoy to take the %s: %w", b.step, ctx.Err())
			}
			return &TimeoutError{Step: b.step, Patience: b.options.Patience, Missing: reason}
		}
	}
}

// missing says what Envoy has not taken yet, "" where it has taken everything, or a *RefusedError.
func (b *barrier) missing(ctx context.Context) (string, error) {
	now, err := b.admin.Statistics(ctx)
	if err != nil {
		return "", err
	}
	if refused := b.refused(now); len(refused) > 0 {
		return "", b.refusal(ctx, refused)
	}
	for _, file := range b.files {
		for _, scope := range b.before.subscriptions(file, b.running.set) {
			if now[scope+versionText] != file.Version || now.number(scope+updateSuccess) <= b.before.number(scope+updateSuccess) {
				return fmt.Sprintf("%s%s is %v, and %s is %s", scope, versionText, now[scope+versionText], file.Path, file.Version), nil
			}
		}
	}
	if warming := now.Warming(); warming != "" || len(b.shown) == 0 {
		return warming, nil
	}
	return b.missingCertificate(ctx)
}

func (b *barrier) missingCertificate(ctx context.Context) (string, error) {
	used, err := b.admin.certificates(ctx)
	if err != nil {
		return "", err
	}
	for _, wanted := range b.shown {
		if !used[wanted] {
			return "the certificate with serial number " + wanted.serial + " is not in use", nil
		}
	}
	return "", nil
}

// refused are the counters of refusals since the step began. Certificates that are mounted change while it lasts, and in between do
// not fit their keys: that is none of its business.
func (b *barrier) refused(now Statistics) []string {
	return slices.DeleteFunc(now.Refused(b.before), func(counted string) bool {
		return len(b.shown) == 0 && strings.Contains(counted, ".key_rotation_failed ")
	})
}
