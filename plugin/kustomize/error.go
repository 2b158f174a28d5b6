package kustomize

import (
	"errors"
	"regexp"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// RefusedError says that a kustomization asks for what is not done here.
type RefusedError struct {
	Position diagnostic.Position
	Reason   string
}

func (e *RefusedError) Error() string { return e.Position.String() + ": " + e.Reason }

// absolute are the paths that the library names: for it the root of the tree is that of the machine.
var absolute = regexp.MustCompile(`(^|[\s'"=:(])/([^\s'":/])`)

// readable makes one line of an error of the library, with paths from the root of the tree.
func readable(err error) error {
	text := absolute.ReplaceAllString(strings.Join(strings.Fields(err.Error()), " "), "$1$2")
	return errors.New(text)
}
