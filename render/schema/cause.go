package schema

import (
	"cmp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Cause is one reason why the API server refuses an object, in its own words: what it answers in status.details.causes.
type Cause struct {
	// Field is the path of the field: spec.rules[0].matches[1].path.value.
	Field string
	// Reason is the type of the cause: FieldValueInvalid, FieldValueRequired... It is empty for what the server refuses before it
	// looks at values, an unknown field or metadata of another type: there it answers with a message and no causes.
	Reason metav1.CauseType
	// Message is the server's.
	Message string
	// Value is what the message is about, where the server tells it.
	Value any
}

// causes gives errors as the server answers them, sorted, since the server finds them in the order of Go's maps.
func causes(errs field.ErrorList) []Cause {
	list := make([]Cause, 0, len(errs))
	for _, err := range errs {
		list = append(list, Cause{Field: err.Field, Reason: metav1.CauseType(err.Type), Message: err.ErrorBody(), Value: err.BadValue})
	}
	slices.SortStableFunc(list, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Message, b.Message))
	})
	return list
}

// notChecked is how the server says that it has not looked at the rules of an object, because of other causes.
const notChecked = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"

// NotChecked tells whether a cause says only that rules were not looked at, because of the others.
func (c Cause) NotChecked() bool { return strings.HasSuffix(c.Message, notChecked) }
