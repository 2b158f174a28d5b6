package kustomize

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// RefusedError says that a kustomization asks for what is not done here.
type RefusedError struct {
	Position diagnostic.Position
	Reason   string
}

func (e *RefusedError) Error() string { return e.Position.String() + ": " + e.Reason }

// BrokenError says what is wrong in a file that kustomize needs.
type BrokenError struct {
	Position diagnostic.Position
	Reason   string
}

func (e *BrokenError) Error() string { return e.Position.String() + ": " + e.Reason }

// errBroken is all that is told of an error that is not among those below.
var errBroken = errors.New("kustomize cannot build it")

// told are the errors of the library that are told, by what is told of them. Many others print whole objects, generators and literals, of
// which some are secret, into their text.
var told = []*regexp.Regexp{
	regexp.MustCompile(`json: (unknown field "[^"]{1,80}")`),
	regexp.MustCompile(`json: (cannot unmarshal \w+ into Go (?:struct field|value) \S+ of type \S+)`),
	regexp.MustCompile(`(yaml: line \d+: [^\n']*) in File: (\S+)`),
	regexp.MustCompile(`(cycle detected: candidate root '[^']*' contains visited root '[^']*')`),
	regexp.MustCompile(`(may not add resource with an already registered id: [^'\n]*)`),
	regexp.MustCompile(`(no matches for Id [^;\n]*)`),
	regexp.MustCompile(`(unable to find patch target "[^"]*") in`),
	regexp.MustCompile(`(no resource matches strategic merge patch "[^"]*")`),
	regexp.MustCompile(`(multiple matches for Id [^;\n]*)`),
	regexp.MustCompile(`security; (file '[^']*' is not in or below '[^']*')`),
	regexp.MustCompile(`[fF]ound (multiple kustomization files) under`),
	regexp.MustCompile(`(kustomization.yaml is empty)`),
	regexp.MustCompile(`(unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '[^']*')`),
	regexp.MustCompile(`(expected kind '[^']*' for path '[^']*' but got '[^']*')`),
	regexp.MustCompile(`(expected kind != 'Component' for path '[^']*')`),
	regexp.MustCompile(`(kind should be Kustomization or Component|apiVersion for \w+ should be \S+)`),
	regexp.MustCompile(`(missing metadata.name)`),
	regexp.MustCompile(`(external plugins disabled; unable to load external plugin '[^']*')`),
	regexp.MustCompile(`(?:stat|open|read)(?:at)? ([^\s:]+: (?:file does not exist|no such file or directory|is a directory|not a directory|permission denied))`),
}

// absolute are the paths that the library names: for it the root of the tree is that of the machine.
var absolute = regexp.MustCompile(`(^|[\s'"=:(])/([^\s'":/])`)

// malformed is how the library begins its word that a file is no YAML. Its line is that of a document, mostly.
const malformed = "MalformedYAMLError"

// broken finds the file that is no YAML, of those that were read.
func broken(files []*File) *BrokenError {
	for _, file := range slices.Backward(files) {
		if file.broken != nil {
			return file.broken
		}
	}
	return nil
}

// readable makes one short line of an error of the library, with paths from the root of the tree and without the text of any object.
func readable(err error) error {
	text := err.Error()
	for _, known := range told {
		found := known.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		short := strings.Join(strings.Fields(strings.Join(found[1:], " in ")), " ")
		return manifest.WithoutText(errors.New(diagnostic.Clip(absolute.ReplaceAllString(short, "$1$2"))))
	}
	return errBroken
}
