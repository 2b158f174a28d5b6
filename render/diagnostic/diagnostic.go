// Package diagnostic holds what routedelta has to say about an input: findings as data.
//
// In comes nothing; out goes a value that every stage fills the same way and every home prints in its own
// way: a stable code (a page in docs/diagnostics explains each), a severity, the object, the place, one sentence
// and what to do about it.
package diagnostic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says what a diagnostic stops.
type Severity string

const (
	// Error stops the run: nothing is written and the exit code is 2.
	Error Severity = "error"
	// Warning means that the result stands, but not as its author may believe.
	Warning Severity = "warning"
	// Info is a remark that asks for nothing.
	Info Severity = "info"
)

// Position is a place in an input. Line and Column count from 1; 0 is unknown.
type Position struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// String is file:line:column as editors read it, without the parts that are unknown.
func (p Position) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Object names a Kubernetes object. Namespace is empty for kinds without one.
type Object struct {
	Kind      string `json:"kind,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
}

// String is "Kind namespace/name".
func (o Object) String() string {
	name := o.Name
	if o.Namespace != "" {
		name = o.Namespace + "/" + name
	}
	return strings.TrimSpace(o.Kind + " " + name)
}

// Diagnostic is one finding.
type Diagnostic struct {
	// Code is stable over releases: "RD" and four digits. docs/diagnostics/<code>.md explains it.
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Object   Object   `json:"object"`
	// Field is the path inside the object as the API server writes it: spec.rules[0].matches[1].path.value.
	Field    string   `json:"field,omitempty"`
	Position Position `json:"position"`
	// Message is one sentence without capital and full stop.
	Message string `json:"message"`
	// Hint says what to do, or is empty.
	Hint string `json:"hint,omitempty"`
}

// String is the one line that a terminal shows: position, code, object, field, message.
func (d Diagnostic) String() string {
	var b strings.Builder
	if p := d.Position.String(); p != "" {
		b.WriteString(p + ": ")
	}
	b.WriteString(string(d.Code) + " ")
	if o := d.Object.String(); o != "" {
		b.WriteString(o + ": ")
	}
	if d.Field != "" {
		b.WriteString(d.Field + ": ")
	}
	b.WriteString(d.Message)
	return b.String()
}

// List is a collection of diagnostics.
type List []Diagnostic

// HasErrors tells whether at least one diagnostic stops the run.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Sort brings the list into the one order in which it is printed: by place, then code, then text. It drops
// exact repetitions, so that an object reached twice is complained of once.
func (l List) Sort() List {
	slices.SortStableFunc(l, compare)
	return slices.Compact(l)
}

// compare goes on only where all before is equal: an input without its Services has thousands of findings.
func compare(a, b Diagnostic) int {
	if order := a.Position.compare(b.Position); order != 0 {
		return order
	}
	if order := cmp.Or(cmp.Compare(a.Code, b.Code), a.Object.compare(b.Object)); order != 0 {
		return order
	}
	return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Message, b.Message))
}

func (p Position) compare(other Position) int {
	if order := cmp.Compare(p.File, other.File); order != 0 {
		return order
	}
	return cmp.Or(cmp.Compare(p.Line, other.Line), cmp.Compare(p.Column, other.Column))
}

// compare orders by what is printed.
func (o Object) compare(other Object) int {
	if o == other {
		return 0
	}
	return cmp.Compare(o.String(), other.String())
}
