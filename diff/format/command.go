package format

import "regexp"

// A report may come from anybody, and people paste what a comment shows into their shells. So a command line is shown only if it
// is one that diff writes: curl with the options that choose a request, and words that no shell expands.
const (
	bareWord   = `[A-Za-z0-9/.:_,+@%-]+`
	quotedWord = `'[^']*'(?:\\''[^']*')*`
	printfWord = `"\$\(printf '[^']*'\)"`
)

var ownCommand = regexp.MustCompile(`^curl -i(?: (?:-g|--head|--path-as-is|--http2|--http2-prior-knowledge|--cert client\.pem` +
	`|(?:-X|-H|--request-target) (?:` + bareWord + `|` + quotedWord + `|` + printfWord + `)` +
	`|https?://` + bareWord + `|'https?://[^']*'(?:\\''[^']*')*))*$`)

// isOwnCommand tells whether a command line sends one request and does nothing else.
func isOwnCommand(line string) bool { return ownCommand.MatchString(line) }
