package certificate

import (
	"fmt"

	"github.com/routedelta/routedelta/diff/table"
)

// The words of the form for table's numbers.
var (
	sources = []word[table.Source]{
		{table.Header, "header"}, {table.Query, "query"}, {table.Method, "method"}, {table.Cookie, "cookie"}, {table.Free, "free"},
	}
	tests = []word[table.Test]{
		{table.Present, "present"}, {table.Exact, "exact"}, {table.Prefix, "prefix"}, {table.Suffix, "suffix"},
		{table.Contains, "contains"}, {table.Regex, "regex"}, {table.Range, "range"},
	}
)

type word[T comparable] struct {
	value T
	text  string
}

func textOf[T comparable](words []word[T], value T) string {
	for _, w := range words {
		if w.value == value {
			return w.text
		}
	}
	return fmt.Sprint(value) // a value without a word cannot be read back, so that nothing else is taken for it
}

func valueOf[T comparable](words []word[T], text string) (T, error) {
	for _, w := range words {
		if w.text == text {
			return w.value, nil
		}
	}
	var none T
	return none, fmt.Errorf("unknown word %q", text)
}

// ConditionOf puts a predicate into the form.
func ConditionOf(p table.Predicate, not bool) Condition {
	return Condition{
		Source: textOf(sources, p.Source), Name: Text(p.Name), Test: textOf(tests, p.Test), Value: Text(p.Value),
		IgnoreCase: p.IgnoreCase, Invert: p.Invert, MissingAsEmpty: p.MissingAsEmpty, Not: not,
	}
}

// Predicate is what a condition is about.
func (c Condition) Predicate() (table.Predicate, error) {
	source, err := valueOf(sources, c.Source)
	if err != nil {
		return table.Predicate{}, err
	}
	test, err := valueOf(tests, c.Test)
	return table.Predicate{
		Source: source, Name: string(c.Name), Test: test, Value: string(c.Value),
		IgnoreCase: c.IgnoreCase, Invert: c.Invert, MissingAsEmpty: c.MissingAsEmpty,
	}, err
}

// RequestOf puts a request into the form.
func RequestOf(r table.Request) Request {
	out := Request{Method: Text(r.Method), Scheme: Text(r.Scheme), Host: Text(r.Host), Path: Text(r.Path), HTTP2: r.HTTP2}
	for _, f := range r.Headers {
		out.Headers = append(out.Headers, Field{Name: Text(f.Name), Value: Text(f.Value)})
	}
	for _, name := range r.Holds {
		out.Holds = append(out.Holds, Text(name))
	}
	return out
}

// Table is the request for an evaluator.
func (r Request) Table() table.Request {
	out := table.Request{Method: string(r.Method), Scheme: string(r.Scheme), Host: string(r.Host), Path: string(r.Path), HTTP2: r.HTTP2}
	for _, f := range r.Headers {
		out.Headers = append(out.Headers, table.Field{Name: string(f.Name), Value: string(f.Value)})
	}
	for _, name := range r.Holds {
		out.Holds = append(out.Holds, string(name))
	}
	return out
}
