package review

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/git"
)

// TargetsOfSide are the targets that one side is read as, without a comparison: those that names name, or all of the configuration where
// the caller names neither a target nor a path. A path that the caller names stands for itself.
func TargetsOfSide(configured *config.Config, paths, names []string) ([]config.Target, error) {
	switch {
	case len(names) > 0 && len(paths) > 0:
		return nil, errTargetAndPath
	case len(names) > 0:
		return targetsNamed(configured.Spec.Targets, names)
	case len(paths) > 0:
		return nil, nil
	}
	return configured.Spec.Targets, nil
}

// OneTarget is TargetsOfSide for what can be of one target only, which it names: "a rendering". None is the path of the caller.
func OneTarget(what string, configured *config.Config, paths, names []string) (*config.Target, error) {
	targets, err := TargetsOfSide(configured, paths, names)
	switch {
	case err != nil || len(targets) == 0:
		return nil, err
	case len(targets) == 1:
		return &targets[0], nil
	}
	return nil, &TargetError{what + " is of one target", "name it: --target " + targets[0].Name + "; targets are " + strings.Join(config.TargetNames(targets), ", ")}
}

// ofTarget says of an error in which target it is, and where that is named.
func ofTarget(configured *config.Config, target config.Target, err error) error {
	return fmt.Errorf("target %s (%s): %w", target.Name, configured.PlaceOf(target.Name), err)
}

// PathOf is the path of a target as the caller would type it: from the root of the repository that Dir is in, or from Dir outside of git.
func (e Environment) PathOf(ctx context.Context, target config.Target) (string, error) {
	name, err := e.fromHere(ctx, target.Path)
	var outside *git.RepositoryError
	if errors.As(err, &outside) {
		return filepath.Join(".", filepath.FromSlash(target.Path)), nil
	}
	if err != nil {
		return "", err
	}
	return name, nil
}
