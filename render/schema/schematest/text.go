package schematest

import (
	"regexp"
	"strconv"
	"strings"
)

// beginnings of texts: with letters behind one of them, a text matches most patterns.
var beginnings = []string{"", "/", "a.", "*.", "http://", "a:", "example.com/", "1m", "Hostname", "10.0.0.1", "System"}

func (v *variants) text(value string) {
	pattern := regexp.MustCompile(v.schema.Pattern)
	if v.schema.Pattern != "" {
		v.patterns(pattern, value)
	}
	if least := v.schema.MinLength; least != nil && *least > 0 {
		v.add("minLength", "", Refused, "", strings.Repeat("a", int(*least)-1))
		v.add("minLength", "", Either, "least", strings.Repeat("a", int(*least)))
	}
	if most := v.schema.MaxLength; most != nil {
		v.add("maxLength", "", Refused, "", padded(pattern, int(*most)+1))
		v.add("maxLength", "", Either, "most", padded(pattern, int(*most)))
		v.add("maxLength", "", Either, "of two bytes each", strings.Repeat("é", int(*most)))
	}
}

// oddities are texts that patterns refuse: a letter, a sign or an end that they do not allow.
var oddities = []string{"a//b", "-", "A_", "é", "a\n", "a b", "*", "."}

// patterns puts two texts that do not match into the place of one that does, and two others that match.
func (v *variants) patterns(pattern *regexp.Regexp, value string) {
	put := func(side Side, texts []string) {
		count := 0
		for _, text := range texts {
			if pattern.MatchString(text) == (side == Either) && text != value && count < 2 {
				v.add("pattern", "", side, strconv.Quote(text), text)
				count++
			}
		}
	}
	put(Refused, oddities)
	put(Either, beginnings)
}

// padded is a text of a length, one that matches if that is easy.
func padded(pattern *regexp.Regexp, length int) string {
	for _, start := range beginnings {
		if len(start) > length {
			continue
		}
		if text := start + strings.Repeat("a", length-len(start)); pattern.MatchString(text) {
			return text
		}
	}
	return strings.Repeat("a", length)
}
