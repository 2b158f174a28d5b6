package manifest

import (
	"regexp"
	"strings"
)

// variableStart is the beginning of a variable, up to its default. One more $ in front escapes it.
var variableStart = regexp.MustCompile(`\$?\$\{([A-Za-z_][A-Za-z0-9_]*)(:?[-=])?`)

// Substitute replaces the variables of a text by their values, as Flux does (fluxcd/pkg/envsubst): where the value is empty, by the default. What
// has no value stays, as do the operators of a shell that only few use: reading the text as manifests lets something stand for it. So
// do escaped variables, for the same reader.
func Substitute(text string, values map[string]string) string {
	return substituteTo(text, values, mostNested)
}

// Bounds on what a stranger writes: defaults inside of defaults, and the length of one.
const (
	mostNested  = 10
	longDefault = 512
)

func substituteTo(text string, values map[string]string, depth int) string {
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
		name, hasDefault, inner := text[at[2]:at[3]], at[4] >= 0, rest[:end]
		text = rest[end+1:]
		fallback := substituteTo(inner, values, depth-1)
		switch value, known := values[name]; {
		case !known, inner != "" && !hasDefault:
			out.WriteString(use + fallback + "}")
		case value == "" && hasDefault:
			out.WriteString(fallback)
		default:
			out.WriteString(value)
		}
	}
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
