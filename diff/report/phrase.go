package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/diff/class"
)

// Phrase is a piece of a sentence about requests: words of ours around a literal of the manifests, so that a format can
// set the literal apart, and escape it.
type Phrase struct {
	Word, Literal, After string
}

// String is the phrase without any typography.
func (p Phrase) String() string {
	parts := make([]string, 0, 3)
	for _, part := range []string{p.Word, p.Literal, p.After} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " ")
}

// HostPhrase says which hosts a term holds, as a route's hostnames are written: "*.shop.example".
func HostPhrase(t class.Term) Phrase {
	switch t.Kind {
	case class.TermAny:
		return Phrase{Word: "any host"}
	case class.TermSuffix:
		return Phrase{Literal: "*" + strings.TrimPrefix(t.Value, "*")}
	case class.TermPrefix:
		return Phrase{Literal: strings.TrimSuffix(t.Value, "*") + "*"}
	case class.TermSegments:
		return Phrase{Literal: t.Value + "/*"}
	case class.TermRegex:
		return Phrase{Literal: "~" + t.Value}
	}
	if t.Value == "" {
		return Phrase{Word: "an empty host"}
	}
	return Phrase{Literal: t.Value}
}

// PathPhrase says which paths a term holds, in the short form of the product: "/orders/*" is the PathPrefix /orders of the
// Gateway API (/orders itself and everything below), "/v*" is a prefix of bytes, "~/v[0-9]+" a regular expression.
func PathPhrase(t class.Term) Phrase {
	switch t.Kind {
	case class.TermAny:
		return Phrase{Word: "all paths"}
	case class.TermSuffix:
		return Phrase{Literal: "*" + t.Value}
	case class.TermRegex:
		return Phrase{Literal: "~" + t.Value}
	case class.TermSegments:
		return Phrase{Literal: strings.TrimSuffix(t.Value, "/") + "/*"}
	case class.TermPrefix:
		return prefixPhrase(t.Value)
	}
	if t.Value == "/" {
		// A lone "/" is read as "everything" by most people.
		return Phrase{Literal: "/", After: "(exactly)"}
	}
	return Phrase{Literal: t.Value}
}

// prefixPhrase keeps the prefix "/orders/" apart from the segments "/orders": only the latter holds "/orders" itself.
func prefixPhrase(value string) Phrase {
	if value == "/" || value == "" {
		return Phrase{Literal: "/*"}
	}
	if base, below := strings.CutSuffix(value, "/"); below {
		return Phrase{Word: "below", Literal: base + "/"}
	}
	return Phrase{Literal: value + "*"}
}

// Phrase says what the condition asks of a request: header `x-env: canary`, `?debug=true`, method `POST`.
func (c Condition) Phrase() Phrase {
	negative := c.Not != c.Invert
	word, after := c.sourceWord(), ""
	switch {
	case c.Source == "free" && negative:
		word = "unless"
	case c.Source == "free":
		word = "if"
	case negative && c.Source == "method":
		word = "any method but"
	case negative:
		word = "without " + word
	}
	if c.MissingAsEmpty {
		after = "(a missing one counts as empty)"
	} else if c.Invert && c.Test != "present" && c.Source == "header" {
		// not(invert(x)) of Envoy still asks that the header is there: a header matcher with a value never holds for a missing
		// header, inverted or not, unless treat_missing_header_as_empty is set (envoy-matching facts, header matcher).
		after = invertNote(c.Not)
	}
	return Phrase{Word: word, Literal: c.literal(), After: after}
}

// sourceWord is the noun for what is tested. A report that somebody else wrote may have any text as its source.
func (c Condition) sourceWord() string {
	switch c.Source {
	case "header", "query", "method", "cookie":
		return c.Source
	}
	return "condition"
}

func invertNote(not bool) string {
	if not {
		return "(or none)"
	}
	return "(but with one)"
}

// literal is the tested value as the manifests write it, with the test as a glob, or "~" before an expression.
func (c Condition) literal() string {
	value := c.Value
	switch c.Test {
	case "present":
		value = ""
	case "prefix":
		value += "*"
	case "suffix":
		value = "*" + value
	case "contains":
		value = "*" + value + "*"
	case "regex":
		value = "~" + value
	case "range":
		return c.Name + rangeWords(value)
	}
	if c.IgnoreCase && c.Test != "present" {
		value += " (any case)"
	}
	switch {
	case c.Source == "method":
		return value
	case c.Test == "present" && c.Source == "query":
		return "?" + c.Name
	case c.Test == "present":
		return c.Name
	case c.Source == "query":
		return "?" + c.Name + "=" + value
	case c.Source == "cookie":
		return c.Name + "=" + value
	}
	return c.Name + ": " + value
}

// rangeWords says a range "10 20", whose end is outside, as people count: " between 10 and 19".
func rangeWords(value string) string {
	from, end, _ := strings.Cut(value, " ")
	first, errFirst := strconv.ParseInt(from, 10, 64)
	behind, errBehind := strconv.ParseInt(end, 10, 64)
	switch {
	case errFirst != nil || errBehind != nil:
		return " in the range " + value
	case first >= behind:
		return " in an empty range"
	case behind-1 == first:
		return fmt.Sprintf(" as a number is %d", first)
	}
	return fmt.Sprintf(" between %d and %d", first, behind-1)
}

// Match says what a single area asks for, as a rule's match is read aloud: "/orders/*, header x-env: canary". Path says its paths.
func (a Area) Match(path func(class.Term) Phrase) string {
	var parts []string
	for _, t := range a.Paths.Include {
		parts = append(parts, path(t).String())
	}
	for _, c := range a.Conditions {
		parts = append(parts, c.Phrase().String())
	}
	return strings.Join(parts, ", ")
}
