package format

import "regexp"

// In whatever step of a workflow the program runs, the runner reads what it prints. It takes "::name::" at the start of a line, and
// "##[name]" anywhere in one, for a command (actions/runner, src/Runner.Common/ActionCommand.cs); Azure Pipelines does so with
// "##vso[name]", TeamCity with "##teamcity[name]".
var (
	commandInLine  = regexp.MustCompile(`##([A-Za-z]*)\[`)
	commandAtStart = regexp.MustCompile(`(?m)^([ \t]*):(:)`)
)

// Inert is text that no runner obeys: what would make a command of it is shown as its number.
func Inert(text string) string {
	text = commandInLine.ReplaceAllString(text, "##$1‹U+005B›")
	return commandAtStart.ReplaceAllString(text, "$1‹U+003A›$2")
}
