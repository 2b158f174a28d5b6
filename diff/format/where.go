package format

import (
	"github.com/routedelta/routedelta/diff/report"
)

// commands are the command lines of requests that may be pasted into a shell.
func commands(requests []report.Witness) []string {
	var lines []string
	for _, request := range requests {
		if isOwnCommand(request.Curl) {
			lines = append(lines, visible(request.Curl))
		}
	}
	return lines
}
