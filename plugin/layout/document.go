package layout

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/plugin/config"
)

// maxListed bounds the lists in comments.
const maxListed = 5

// Document is a configuration with the targets, and comments for whoever reads it first.
func (l *Layout) Document() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `# What routedelta compares in this repository: https://github.com/routedelta/routedelta
# Try it: routedelta diff --base HEAD^
# In a pull request the file of the base commit is in force, never that of the change.
apiVersion: %s
kind: %s
spec:
  # What becomes of references to objects that are not in this repository: assume that they are there, or strict.
  references: assume
  # A target is a cluster or an environment, and is compared by itself. Found here: %s.
  targets:
`, config.APIVersion, config.Kind, l.Why)
	for _, target := range l.Targets {
		target.document(&b)
	}
	l.beside(&b)
	b.WriteString(`  # Which changes fail a review, and who may allow them: docs/policy.md.
  # policy:
  #   failOn: [backend-lost, host-lost, undecided]
`)
	return []byte(b.String())
}

func (t Target) document(b *strings.Builder) {
	fmt.Fprintf(b, "  - name: %s\n    # %s\n    path: %s\n", scalar(t.Name), t.Counts(), scalar(t.Path))
	if dialect, of := dialectOf(t.Controllers); dialect != "" {
		fmt.Fprintf(b, "    # its GatewayClass is of %s: this tells in which order that one tries competing rules\n    # dialect: %s\n", of, dialect)
	}
	if len(t.Broken) > 0 {
		fmt.Fprintf(b, "    sources:\n      # Nothing is compared while these have errors: take a line out when its file is mended.\n      # The first is %s\n      exclude:\n", strconv.QuoteToASCII(t.Error))
		for _, file := range t.Broken {
			fmt.Fprintf(b, "      - %s\n", scalar(pattern(file)))
		}
	}
	if len(t.Variables) > 0 {
		b.WriteString("    # variables without a value here; a stand-in takes the place of each unless it is given\n    # sources:\n    #   variables:\n")
		for _, name := range t.Variables[:min(len(t.Variables), maxListed)] {
			fmt.Fprintf(b, "    #     %s: ...\n", name)
		}
		if more := len(t.Variables) - maxListed; more > 0 {
			fmt.Fprintf(b, "    #     # and %d more\n", more)
		}
	}
}

// Counts say what a target holds: "2 Gateways, 14 routes".
func (c Content) Counts() string {
	said := counted(c.Gateways, "Gateway") + ", " + counted(c.Routes, "route")
	if c.Unread > 0 {
		said += "; " + counted(c.Unread, "part") + " not read"
	}
	return said
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// beside names the files that no target reads.
func (l *Layout) beside(b *strings.Builder) {
	if len(l.Beside) == 0 {
		return
	}
	b.WriteString("  # in no target are the routes and Gateways of\n")
	for _, file := range l.Beside[:min(len(l.Beside), maxListed)] {
		fmt.Fprintf(b, "  #   %s\n", scalar(file))
	}
	if more := len(l.Beside) - maxListed; more > 0 {
		fmt.Fprintf(b, "  #   and %d more files\n", more)
	}
}

// plain are strings that YAML takes for nothing else.
var plain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]*$`)

// words that YAML 1.1 takes for true and false.
var booleans = regexp.MustCompile(`^(?i:y|yes|n|no|on|off|true|false|null)$`)

// scalar is a string as YAML has it, in one line whatever it holds.
func scalar(s string) string {
	if plain.MatchString(s) && !booleans.MatchString(s) {
		return s
	}
	return strconv.QuoteToASCII(s) // JSON's escapes and \x, \U: YAML knows them all in double quotes
}

// pattern is one that only a file of that name matches.
func pattern(file string) string { return special.ReplaceAllString(file, `\$0`) }

// special are the characters that mean something in a pattern of path.Match.
var special = regexp.MustCompile(`[*?\[\]\\]`)

// dialectOf is the order of rules of the controllers that GatewayClasses name, "" where none is known or they differ.
func dialectOf(controllers []string) (dialect, of string) {
	for _, controller := range controllers {
		for _, known := range []struct{ prefix, dialect, of string }{
			{"gateway.envoyproxy.io/", "envoy-gateway-1.9", "Envoy Gateway"},
			{"istio.io/", "istio", "Istio"},
			{"kgateway.dev/", "kgateway", "kgateway"},
			{"projectcontour.io/", "contour", "Contour"},
		} {
			if !strings.HasPrefix(controller, known.prefix) {
				continue
			}
			if dialect != "" && dialect != known.dialect {
				return "", ""
			}
			dialect, of = known.dialect, known.of
		}
	}
	return dialect, of
}
