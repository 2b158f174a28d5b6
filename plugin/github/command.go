package github

import (
	"crypto/rand"
	"fmt"
	"io"
	"strings"
)

// Workflow commands are lines of a log that the runner obeys ("Workflow commands for GitHub Actions"). So every line that quotes what other
// people wrote is a danger, on standard output and standard error alike: the runner even looks for its old commands, "##[add-mask]",
// in the middle of a line.

// commandsPerLevel is how many annotations of each level GitHub keeps of one step; it drops the others without a word.
const commandsPerLevel = 10

// maxMessage bounds the text of an annotation, in runes. GitHub takes 64 KB; nobody reads that beside a line.
const maxMessage = 2_000

// Log is the log of a step. What is written to it is text, whatever it looks like: the runner takes no command from it.
type Log struct {
	out   io.Writer
	token string
	// open: the text so far has not ended its line. A command stands at the start of one.
	open bool
}

// NewLog stops the runner from taking commands. The token that lets it take them again is drawn anew, so that no text can hold it.
func NewLog(out io.Writer) (*Log, error) {
	log := &Log{out: out, token: "routedelta-" + rand.Text()}
	_, err := fmt.Fprintf(out, "::stop-commands::%s\n", log.token)
	return log, err
}

// Write implements io.Writer for text.
func (l *Log) Write(text []byte) (int, error) {
	if len(text) > 0 {
		l.open = text[len(text)-1] != '\n'
	}
	return l.out.Write(text)
}

// endLine is what ends the line of the text so far.
func (l *Log) endLine() string {
	if !l.open {
		return ""
	}
	l.open = false
	return "\n"
}

// Command writes one command to the runner.
func (l *Log) Command(name string, properties []Property, text string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s::%s::\n::%s", l.endLine(), l.token, name)
	separator := " "
	for _, p := range properties {
		fmt.Fprintf(&b, "%s%s=%s", separator, p.Name, escapeProperty(p.Value))
		separator = ","
	}
	fmt.Fprintf(&b, "::%s\n::stop-commands::%s\n", escapeText(text), l.token)
	_, err := io.WriteString(l.out, b.String())
	return err
}

// Close lets the runner take commands again. The steps after this one write what they like.
func (l *Log) Close() error {
	_, err := fmt.Fprintf(l.out, "%s::%s::\n", l.endLine(), l.token)
	return err
}

// Property of a command.
type Property struct{ Name, Value string }

// escapeText and escapeProperty are what actions/toolkit does (packages/core/src/command.ts).
func escapeText(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// Annotate writes annotations as commands, at most ten of each level: where there are more, the last says how many are left, and where they
// are. One without a path is about the whole run.
func (l *Log) Annotate(annotations []Annotation, elsewhere string) error {
	for _, level := range []AnnotationLevel{LevelFailure, LevelWarning, LevelNotice} {
		var ofLevel []Annotation
		for _, a := range annotations {
			if a.Level == level {
				ofLevel = append(ofLevel, a)
			}
		}
		for _, a := range rolledUp(ofLevel, level, elsewhere) {
			if err := l.Command(command(level), a.properties(), cutRunes(a.Message, maxMessage)); err != nil {
				return err
			}
		}
	}
	return nil
}

func rolledUp(annotations []Annotation, level AnnotationLevel, elsewhere string) []Annotation {
	if len(annotations) <= commandsPerLevel {
		return annotations
	}
	shown := annotations[:commandsPerLevel-1]
	rest := Annotation{Level: level, Title: "routedelta", Message: fmt.Sprintf("and %d more: %s", len(annotations)-len(shown), elsewhere)}
	return append(shown[:len(shown):len(shown)], rest)
}

func command(level AnnotationLevel) string {
	if level == LevelFailure {
		return "error"
	}
	return string(level)
}

func (a Annotation) properties() []Property {
	var properties []Property
	if a.Path != "" {
		properties = append(properties, Property{"file", a.Path}, Property{"line", fmt.Sprint(a.StartLine)}, Property{"endLine", fmt.Sprint(a.EndLine)})
	}
	if a.Title != "" {
		properties = append(properties, Property{"title", a.Title})
	}
	return properties
}

func cutRunes(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}
