package files

import (
	"errors"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// checkConstraints runs the constraints that stand in Envoy's own definitions (protoc-gen-validate). Those of go-control-plane
// do not look into packed messages; Envoy does.
func (c *checker) checkConstraints() {
	c.validate("", c.current.message)
	each(c, func(path string, packed *anypb.Any) {
		if inner, err := packed.UnmarshalNew(); err == nil {
			c.validate(path, inner)
		}
	})
}

func (c *checker) validate(path string, message proto.Message) {
	validated, ok := message.(interface{ ValidateAll() error })
	if !ok {
		return
	}
	c.reportViolations(path, validated.ValidateAll())
}

// violation is what protoc-gen-validate generates for each message.
type violation interface {
	error
	Field() string
	Reason() string
	Cause() error
}

// reportViolations notes the innermost causes, each with the path of fields that leads to it.
func (c *checker) reportViolations(path string, err error) {
	if err == nil {
		return
	}
	if many, ok := err.(interface{ AllErrors() []error }); ok {
		for _, one := range many.AllErrors() {
			c.reportViolations(path, one)
		}
		return
	}
	var v violation
	if !errors.As(err, &v) {
		c.errorf(diagnostic.BrokenResource, path, "%s", err)
		return
	}
	field := at(path, snakeCase(v.Field()))
	if v.Cause() != nil {
		c.reportViolations(field, v.Cause())
		return
	}
	c.errorf(diagnostic.BrokenResource, field, "%s", v.Reason())
}

// snakeCase turns the Go name of a field ("VirtualHosts[0]") into Envoy's ("virtual_hosts[0]").
func snakeCase(name string) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
