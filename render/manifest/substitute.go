package manifest

import (
	"regexp"
	"strings"
)

// variableStart is the beginning of a variable, up to its operator. One more $ in front escapes it.
var variableStart = regexp.MustCompile(`\$?\$\{([A-Za-z_][A-Za-z0-9_]*)`)

// Substitute replaces the variables of a text by their values, as Flux does (fluxcd/pkg/envsubst): where the value is empty, by the default. What
// has no value stays, as do operators with patterns: reading the text as manifests lets something stand for it. So do escaped
// variables, for the same reader. Where the values would make the text longer by more than most bytes, what is left of its variables stays
// too.
func Substitute(text string, values map[string]string, most int) string {
	s := substitution{values, most}
	return s.to(text, mostNested)
}

// Bounds on what a stranger writes: defaults inside of defaults, and the length of one.
const (
	mostNested  = 10
	longDefault = 512
)

// substitution is one at work: left is by how many bytes values may still make the text longer.
type substitution struct {
	values map[string]string
	left   int
}

func (s *substitution) to(text string, depth int) string {
	var out strings.Builder
	for {
		at := variableStart.FindStringSubmatchIndex(text)
		if at == nil {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(text[:at[0]])
		use, rest := text[at[0]:at[1]], text[at[1]:]
		end := closing(rest)
		if strings.HasPrefix(use, "$$") || end < 0 || depth == 0 {
			out.WriteString(use)
			text = rest
			continue
		}
		text = rest[end+1:]
		operation := s.to(rest[:end], depth-1)
		value, known := s.values[use[len("${"):]]
		if known {
			value, known = operate(value, operation, s.left)
		}
		if s.left -= len(value); !known || s.left < 0 {
			value = use + operation + "}"
		}
		out.WriteString(value)
	}
}

// operate does to a value what the operator behind the name of its variable says; known is false for one that is not done here, and for what
// would be longer than most bytes.
func operate(value, operation string, most int) (result string, known bool) {
	operator, rest := cutOperator(operation)
	switch operator {
	case "":
		return value, rest == ""
	case "-", "=", ":-", ":=":
		if value == "" {
			return rest, true
		}
		return value, true
	case "^^":
		return strings.ToUpper(value), rest == ""
	case ",,":
		return strings.ToLower(value), rest == ""
	case "/", "//":
		return replacedIn(value, rest, operator == "//", most)
	}
	return "", false
}

// replacedIn is a value with one text in it, or all that are equal to it, replaced by another.
func replacedIn(value, operation string, all bool, most int) (result string, known bool) {
	old, replacement, _ := strings.Cut(operation, "/")
	if old == "" || strings.ContainsAny(old[:1], "#%") {
		return "", false
	}
	count := 1
	if all {
		count = strings.Count(value, old)
	}
	if len(value)+count*len(replacement) > most {
		return "", false
	}
	return strings.Replace(value, old, replacement, count), true
}

// cutOperator splits the operator off.
func cutOperator(operation string) (operator, rest string) {
	for _, operator := range []string{":-", ":=", "-", "=", "^^", ",,", "//", "/"} {
		if rest, is := strings.CutPrefix(operation, operator); is {
			return operator, rest
		}
	}
	return "", operation
}

// closing finds the brace that ends a variable, behind those that begin and end in its default; -1 if there is none near.
func closing(text string) int {
	open := 0
	for i := range min(len(text), longDefault) {
		switch {
		case text[i] == '{' && i > 0 && text[i-1] == '$':
			open++
		case text[i] == '}' && open == 0:
			return i
		case text[i] == '}':
			open--
		}
	}
	return -1
}
