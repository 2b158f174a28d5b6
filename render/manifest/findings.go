package manifest

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/schema"
)

// mostFindings of one object are kept: a hostile one could have a million.
const mostFindings = 100

// bounded cuts the findings of one object.
func bounded(found diagnostic.List) diagnostic.List {
	if len(found) <= mostFindings {
		return found
	}
	refused := found.HasErrors()
	found = found.Sort()
	found = found[:min(len(found), mostFindings)]
	last := &found[len(found)-1]
	last.Hint = "more findings in this object are not shown: correct these first"
	if refused { // whichever finding is not shown, the object is refused
		last.Severity = diagnostic.Error
	}
	return found
}

// refusal tells what the API server says about an object: its words, the place of the field, and what to do.
type refusal struct {
	object diagnostic.Object
	places *Places
	shape  *shape
	value  map[string]any
	// standing are the places of variables without a value.
	standing map[diagnostic.Position]bool
}

// diagnostics gives the causes of the API server as findings. That it has not checked on is none: it says what is to be
// done anyway.
func (r refusal) diagnostics(causes []schema.Cause) diagnostic.List {
	var found diagnostic.List
	for _, cause := range causes {
		if cause.NotChecked() {
			continue
		}
		if cause.Field == noField {
			cause.Field = fieldIn(cause.Message)
		}
		if cause.Field == "metadata" && cause.Reason == "" {
			if wrong := r.metadata(); len(wrong) > 0 {
				found = append(found, wrong...)
				continue
			}
		}
		position := r.places.At(cause.Field)
		found = append(found, diagnostic.Diagnostic{
			Code: codeOf(cause), Severity: diagnostic.Error, Object: r.object, Field: visiblePath(cause.Field),
			Position: position, Message: spoken(cause.Message), Hint: r.hint(cause, position),
		})
	}
	return found
}

// metadataShape is what the metadata of any object looks like. It is made once and never changes.
var metadataShape = shapes{}.of(reflect.TypeFor[metav1.PartialObjectMetadata]())

// metadata finds the fields of metadata that have another type: the server names none where it cannot decode it.
func (r refusal) metadata() diagnostic.List {
	d := decoder{object: r.object, places: r.places}
	d.decode(map[string]any{"metadata": r.value["metadata"]}, metadataShape, reflect.New(reflect.TypeFor[metav1.PartialObjectMetadata]()).Elem())
	return d.found
}

// noField is how the server writes that a cause has no field.
const noField = "<nil>"

var fieldInWords = regexp.MustCompile(`"(\w[^"]*)" must validate| in (\w\S*)$`)

// fieldIn is the field of a cause that has it in its words only, or "".
func fieldIn(message string) string {
	found := fieldInWords.FindStringSubmatch(message)
	if found == nil {
		return ""
	}
	return found[1] + found[2]
}

// spoken is a message of the server as it may stand in a line of output: one that quotes a long value is cut, and what does not print
// is escaped.
func spoken(message string) string {
	const longest = 600
	if len(message) > longest {
		message = message[:longest/2] + "..." + message[len(message)-longest/2:]
	}
	var b strings.Builder
	for _, r := range message { // what is cut in half reads as U+FFFD
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// hint says what to do about a cause.
func (r refusal) hint(cause schema.Cause, position diagnostic.Position) string {
	name := fieldName(cause.Field)
	value, _ := r.lookup(cause.Field)
	switch codeOf(cause) {
	case diagnostic.UnknownField:
		return unknownFieldHint(name, r.above(cause.Field))
	case diagnostic.WrongType:
		if r.standing[position] {
			return "the variable has no value here: give the manifests as they are after substitution"
		}
		if of := r.shape.at(cause.Field); of != nil {
			return wrongTypeHint(value, of)
		}
	case diagnostic.TooManyItems:
		return "spread the items over several objects"
	}
	text, isText := value.(string)
	if !isText && codeOf(cause) == diagnostic.BadHostname {
		return ""
	}
	return valueHint(codeOf(cause), name, text, cause.Message)
}

// lookup finds the value of a field.
func (r refusal) lookup(path string) (any, bool) {
	var value any = r.value
	for path != "" {
		var step string
		step, path = nextStep(path)
		switch of := value.(type) {
		case map[string]any:
			inner, known := of[step]
			if !known {
				return nil, false
			}
			value = inner
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(of) {
				return nil, false
			}
			value = of[i]
		default:
			return nil, false
		}
	}
	return value, true
}

// above is the shape around a field.
func (r refusal) above(path string) *shape {
	if of := r.shape.at(strings.TrimSuffix(strings.TrimSuffix(path, fieldName(path)), ".")); of != nil {
		return of
	}
	return &shape{}
}

// at is the shape of a field, or nil.
func (s *shape) at(path string) *shape {
	for path != "" && s != nil {
		var step string
		step, path = nextStep(path)
		switch s.kind {
		case objectShape:
			field := s.fields[step]
			if field == nil {
				return nil
			}
			s = field.shape
		default:
			s = s.elem
		}
	}
	return s
}

// tooLargeObject is the finding for an object that no API server takes.
func tooLargeObject(object diagnostic.Object, position diagnostic.Position) diagnostic.Diagnostic {
	return diagnostic.Diagnostic{
		Code: diagnostic.TooLarge, Severity: diagnostic.Error, Object: object, Position: position,
		Message: fmt.Sprintf("the object has more than %d bytes", objectBytes), Hint: "an API server takes no such object: split it",
	}
}
