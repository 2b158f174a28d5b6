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

// commands writes commands to the runner, which takes these and no others.
func (l *Log) commands(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(l.out, "%s::%s::\n%s::stop-commands::%s\n", l.endLine(), l.token, strings.Join(lines, ""), l.token)
	return err
}

// Close lets the runner take commands again. The steps after this one write what they like.
func (l *Log) Close() error {
	_, err := fmt.Fprintf(l.out, "%s::%s::\n", l.endLine(), l.token)
	return err
}

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
	var lines []string
	for _, level := range []AnnotationLevel{LevelFailure, LevelWarning, LevelNotice} {
		var ofLevel []Annotation
		for _, a := range annotations {
			if a.Level == level {
				ofLevel = append(ofLevel, a)
			}
		}
		for _, a := range rolledUp(ofLevel, level, elsewhere) {
			lines = append(lines, a.command())
		}
	}
	return l.commands(lines)
}

func rolledUp(annotations []Annotation, level AnnotationLevel, elsewhere string) []Annotation {
	if len(annotations) <= commandsPerLevel {
		return annotations
	}
	shown := annotations[:commandsPerLevel-1]
	rest := Annotation{Level: level, Title: "routedelta", Message: fmt.Sprintf("and %d more: %s", len(annotations)-len(shown), elsewhere)}
	return append(shown[:len(shown):len(shown)], rest)
}

// command is the annotation as the runner takes it, with the end of its line.
func (a Annotation) command() string {
	name := string(a.Level)
	if a.Level == LevelFailure {
		name = "error"
	}
	var properties []string
	if a.Path != "" {
		properties = append(properties, "file="+escapeProperty(a.Path), fmt.Sprintf("line=%d,endLine=%d", a.StartLine, a.EndLine))
	}
	if a.Title != "" {
		properties = append(properties, "title="+escapeProperty(a.Title))
	}
	if len(properties) > 0 {
		name += " " + strings.Join(properties, ",")
	}
	return "::" + name + "::" + escapeText(cutRunes(a.Message, maxMessage)) + "\n"
}

func cutRunes(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}
