package review

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/git"
)

// TargetError is a choice of targets that cannot be made.
type TargetError struct{ Reason, hint string }

func (e *TargetError) Error() string { return e.Reason }

// Hint says what to do.
func (e *TargetError) Hint() string { return e.hint }

// errTargetAndPath says that the caller names both.
var errTargetAndPath = &TargetError{"a target and a path are named", "a target has its own path: leave yours out, or the target"}

// ChooseTargets sets Targets: those of the configuration that names name, or all of them where the sides are two states of a whole
// repository. A path inside of it that the caller names stands for itself.
func (o *Options) ChooseTargets(ctx context.Context, before, after Source, names []string) error {
	configured := o.configuration().Spec.Targets
	if len(configured) == 0 {
		_, err := targetsNamed(configured, names)
		return err
	}
	whole, err := o.wholeRepository(ctx, before, after)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		if whole {
			o.Targets = configured
		}
		return nil
	}
	if !whole && (before.Kind != Directory || after.Kind != Directory) {
		return errTargetAndPath
	}
	o.Targets, err = targetsNamed(configured, names)
	return err
}

// targetsNamed are the targets of these names, in the order in which they are named.
func targetsNamed(configured []config.Target, names []string) ([]config.Target, error) {
	if len(configured) == 0 && len(names) > 0 {
		return nil, &TargetError{"the configuration names no targets", "routedelta init writes one; without targets, name the path"}
	}
	var found []config.Target
	for _, name := range names {
		at := slices.IndexFunc(configured, func(t config.Target) bool { return t.Name == name })
		if at < 0 {
			return nil, &TargetError{fmt.Sprintf("no target is named %q", name), "targets are " + strings.Join(config.TargetNames(configured), ", ")}
		}
		found = append(found, configured[at])
	}
	return found, nil
}

func (o Options) configuration() *config.Config {
	if o.Config == nil {
		return new(config.Config)
	}
	return o.Config
}

// wholeRepository tells whether both sides are all of one repository, at a commit or as it is on disk.
func (e Environment) wholeRepository(ctx context.Context, before, after Source) (bool, error) {
	if before.Kind != Revision || after.Kind == Stdin {
		return false, nil
	}
	repository, err := git.Open(ctx, e.Dir)
	if err != nil {
		return false, err
	}
	for _, side := range []Source{before, after} {
		inside := side.Path
		if side.Relative || side.Kind == Directory {
			inside, err = e.inside(repository, side.Path)
		}
		var outside *git.RepositoryError
		if errors.As(err, &outside) {
			return false, nil
		}
		if err != nil || inside != "" {
			return false, err
		}
	}
	return true, nil
}

// forTarget are the options and the sides of one target. A side that does not have the path is empty, as long as the other one has it.
func (o Options) forTarget(ctx context.Context, target config.Target, before, after Source) (Options, Source, Source, error) {
	o.Config, o.Targets, o.Notes = o.configuration().ForTarget(target), nil, nil
	before.Relative, after.Relative = true, true
	if before.Kind == Directory {
		before.named, after.named = before.Path, after.Path
		before.Path, after.Path = filepath.Join(before.Path, filepath.FromSlash(target.Path)), filepath.Join(after.Path, filepath.FromSlash(target.Path))
		return o, before, after, nil
	}
	name, err := o.fromHere(ctx, target.Path)
	before.Path, after.Path = name, name
	return o, before, after, err
}

// fromHere is a path of the repository as the caller would type it.
func (e Environment) fromHere(ctx context.Context, inside string) (string, error) {
	repository, err := git.Open(ctx, e.Dir)
	if err != nil {
		return "", err
	}
	here, err := repository.Inside(e.Dir)
	if err != nil {
		return "", err
	}
	return filepath.Rel(filepath.FromSlash("/"+here), filepath.FromSlash(path.Join("/", inside)))
}
