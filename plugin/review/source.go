package review

import (
	"fmt"
	"strings"
)

// SourceKind says how a side is read.
type SourceKind int

const (
	// Directory is a file or directory of manifests, or a rendering: what it is, is seen when it is read.
	Directory SourceKind = iota
	// Revision is a tree of a git commit.
	Revision
	// Stdin is a stream of manifests.
	Stdin
)

// Source is one side of a comparison as the caller names it.
type Source struct {
	Kind SourceKind
	// Path of a directory or file; for a Revision inside the repository ("" is all of it), from its root or, if Relative, from
	// the directory that the caller stands in.
	Path string
	// Relative marks the two sides of a comparison of one path at a revision and on disk: a side that does not have the path is
	// empty then, as long as the other one has it.
	Relative bool
	// Revision as git understands it.
	Revision string
	// named is the directory that the caller has named, where Path is that of a target in it.
	named string
}

// ParseSource reads "-", "git:REVISION[:PATH]" or a path.
func ParseSource(argument string) (Source, error) {
	rest, isGit := strings.CutPrefix(argument, "git:")
	switch {
	case argument == "":
		return Source{}, fmt.Errorf("want a directory, git:REVISION[:PATH] or -, have nothing")
	case argument == "-":
		return Source{Kind: Stdin}, nil
	case isGit:
		revision, path, _ := strings.Cut(rest, ":")
		if revision == "" {
			return Source{}, fmt.Errorf("%q names no revision: want git:REVISION[:PATH]", argument)
		}
		return Source{Kind: Revision, Revision: revision, Path: strings.Trim(path, "/")}, nil
	}
	return Source{Kind: Directory, Path: argument}, nil
}

// String is what the caller wrote.
func (s Source) String() string {
	switch {
	case s.Kind == Stdin:
		return "-"
	case s.Kind == Revision && s.Path != "":
		return "git:" + s.Revision + ":" + s.Path
	case s.Kind == Revision:
		return "git:" + s.Revision
	}
	return s.Path
}
