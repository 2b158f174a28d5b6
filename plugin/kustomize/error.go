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

// told is an error of the library that is told, since what is told of it holds no value of an object. Many others print whole objects,
// generators and literals, of which some are secret, into their text.
type told struct {
	// about is what somebody has done wrong.
	about   string
	pattern *regexp.Regexp
	// words are what is told, with the groups of the pattern.
	words string
	// pointer: what is told is a JSON pointer, of which the slash at the beginning is no root of a machine.
	pointer bool
}

// toldErrors are looked for in this order.
var toldErrors = []told{
	{"a field of the kustomization", regexp.MustCompile(`json: (unknown field "[^"]{1,80}")`), "$1", false},
	{"a value of the kustomization", regexp.MustCompile(`json: (cannot unmarshal \w+ into Go (?:struct field|value) \S+ of type \S+)`), "$1", false},
	{"syntax", regexp.MustCompile(`(yaml: line \d+: [^\n']*) in File: (\S+)`), "$1 in $2", false},
	{"a kustomization in itself", regexp.MustCompile(`(cycle detected: candidate root '[^']*' contains visited root '[^']*')`), "$1", false},
	{"an object twice", regexp.MustCompile(`(may not add resource with an already registered id: [^'\n]*)`), "$1", false},
	{"a patch without an object", regexp.MustCompile(`(no matches for Id [^;\n]*)`), "$1", false},
	{"a patch without an object", regexp.MustCompile(`(unable to find patch target "[^"]*") in`), "$1", false},
	{"a patch without an object", regexp.MustCompile(`(no resource matches strategic merge patch "[^"]*")`), "$1", false},
	{"a patch of several objects", regexp.MustCompile(`(multiple matches for Id [^;\n]*)`), "$1", false},
	{"a JSON patch of a field that is not there", regexp.MustCompile(`(\w+ operation does not apply: doc is missing (?:path|key|from path): "?/[^\s":]*"?)`), "$1", true},
	{"a JSON patch of an item that is not there", regexp.MustCompile(`(error in \w+ for path: '[^'\n]*': Unable to (?:access invalid index|remove nonexistent key): [^:\s]{1,80})`), "$1", true},
	{"a JSON patch that tests", regexp.MustCompile(`(testing value [^\s:]+ failed)`), "$1", true},
	{"a patch that is none", regexp.MustCompile(`(unable to parse SM or JSON patch) from`), "$1", false},
	{"a patch that is none", regexp.MustCompile(`(must specify a target for JSON patch|must specify one of patch and path)`), "$1", false},
	{"a replacement of nothing", regexp.MustCompile("(fieldPath `[^`\\n]*` is missing for replacement source \\S+)"), "$1", false},
	{"a replacement of nothing", regexp.MustCompile(`(unable to find field "[^"\n]*" in replacement target)`), "$1", false},
	{"a replacement by nothing", regexp.MustCompile(`(nothing selected by \S+)`), "$1", false},
	{"a generator without a name", regexp.MustCompile(`(a (?:configmap|secret) must have a name)`), "$1", false},
	{"a generator over nothing", regexp.MustCompile(`Kind:"(\w+)"[^}]*\}, Name:"([^"]*)", Namespace:"[^"]*"\} does not exist; cannot merge or replace`), "$1 $2 does not exist; cannot merge or replace", false},
	{"a file outside", regexp.MustCompile(`security; (file '[^']*' is not in or below '[^']*')`), "$1", false},
	{"two kustomizations", regexp.MustCompile(`[fF]ound (multiple kustomization files) under`), "$1", false},
	{"an empty kustomization", regexp.MustCompile(`(kustomization.yaml is empty)`), "$1", false},
	{"a folder without a kustomization", regexp.MustCompile(`(unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '[^']*')`), "$1", false},
	{"a component in the wrong place", regexp.MustCompile(`(expected kind '[^']*' for path '[^']*' but got '[^']*')`), "$1", false},
	{"a component in the wrong place", regexp.MustCompile(`(expected kind != 'Component' for path '[^']*')`), "$1", false},
	{"a kustomization of another kind", regexp.MustCompile(`(kind should be Kustomization or Component|apiVersion for \w+ should be \S+)`), "$1", false},
	{"an object without a name or kind", regexp.MustCompile(`accumulating resources from '([^'\n]*)': (missing kind|missing metadata.name) in object`), "$2 in $1", false},
	{"an object without a name", regexp.MustCompile(`(missing metadata.name)`), "$1", false},
	{"a program", regexp.MustCompile(`(external plugins disabled; unable to load external plugin '[^']*')`), "$1", false},
	{"a file that is not there", regexp.MustCompile(`(?:stat|open|read)(?:at)? ([^\s:]+: (?:file does not exist|no such file or directory|is a directory|not a directory|permission denied))`), "$1", false},
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
	for _, known := range toldErrors {
		found := known.pattern.FindStringSubmatchIndex(text)
		if found == nil {
			continue
		}
		words := known.pattern.ExpandString(nil, known.words, text, found)
		short := strings.Join(strings.Fields(strings.ReplaceAll(string(words), `"`, "'")), " ") // whoever tells it quotes it
		if !known.pointer {
			short = absolute.ReplaceAllString(short, "$1$2")
		}
		return manifest.WithoutText(errors.New(diagnostic.Clip(short)))
	}
	return errBroken
}
