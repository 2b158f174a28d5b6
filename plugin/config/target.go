package config

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/routedelta/routedelta/render/precedence"
)

// Target is one cluster or environment of a repository: its manifests are compared by themselves.
type Target struct {
	// Name is what the report calls it.
	Name string `yaml:"name"`
	// Path from the root of the repository: a kustomization, a directory of Flux Kustomizations, of Argo CD Applications, of a Helm
	// chart, or of manifests as they are. What it is, is seen when it is read.
	Path string `yaml:"path"`
	// Dialect of this target, that of spec if empty.
	Dialect string `yaml:"dialect"`
	// Sources of this target: each field that is set stands in place of that of spec.
	Sources Sources `yaml:"sources"`
}

// Sources say how a tree becomes manifests.
type Sources struct {
	// Variables are the values of ${NAME} where no substitution in the tree gives one.
	Variables map[string]string `yaml:"variables"`
	// RenderCommand is run in a clean export of each commit, and prints manifests. It is no shell line: the program, then its arguments.
	// It is taken from the configuration of the base commit only, never from that under review.
	RenderCommand []string `yaml:"renderCommand"`
	// Exclude are paths that are not read, with what is below them, as patterns of path.Match from the root of the repository.
	Exclude []string `yaml:"exclude"`
}

// Over lays the fields that are set over those of spec.
func (s Sources) Over(below Sources) Sources {
	if s.RenderCommand == nil {
		s.RenderCommand = below.RenderCommand
	}
	if s.Exclude == nil {
		s.Exclude = below.Exclude
	}
	variables := maps.Clone(below.Variables)
	if variables == nil {
		variables = map[string]string{}
	}
	maps.Copy(variables, s.Variables)
	s.Variables = variables
	return s
}

// ForTarget is the configuration that the manifests of a target are rendered with.
func (c *Config) ForTarget(target Target) *Config {
	configured := *c
	configured.Spec.Sources = target.Sources.Over(configured.Spec.Sources)
	if target.Dialect != "" {
		configured.Spec.Dialect = target.Dialect
	}
	return &configured
}

// broken is the first pattern that is none.
func (s Sources) broken() error {
	for _, pattern := range s.Exclude {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("%q: %w", pattern, err)
		}
	}
	return nil
}

// targetName keeps a target's name readable in a heading and harmless in a file name.
var targetName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)

func (s Spec) validateTargets(d document) error {
	if err := s.Sources.broken(); err != nil {
		return fmt.Errorf("%s: %w", d.at("spec.sources.exclude"), err)
	}
	seen := map[string]bool{}
	for i, target := range s.Targets {
		at := func(field string) string { return d.at(fmt.Sprintf("spec.targets[%d].%s", i, field)) }
		switch {
		case !targetName.MatchString(target.Name):
			return fmt.Errorf("%s: %q: want letters, digits, '.', '_' and '-', at most 63", at("name"), target.Name)
		case seen[target.Name]:
			return fmt.Errorf("%s: %q is the name of another target too", at("name"), target.Name)
		case target.Path != "" && !filepath.IsLocal(filepath.FromSlash(target.Path)):
			return fmt.Errorf("%s: %q: want a path from the root of the repository that does not leave it", at("path"), target.Path)
		case target.Sources.broken() != nil:
			return fmt.Errorf("%s: %w", at("sources.exclude"), target.Sources.broken())
		case target.Dialect != "" && !slices.Contains(precedence.Names(), target.Dialect):
			return fmt.Errorf("%s: %q is none of %v", at("dialect"), target.Dialect, precedence.Names())
		}
		seen[target.Name] = true
	}
	return nil
}

// TargetNames are the names of targets.
func TargetNames(targets []Target) []string {
	all := make([]string, len(targets))
	for i, t := range targets {
		all[i] = t.Name
	}
	return all
}
