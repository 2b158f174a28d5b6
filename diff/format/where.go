package format

import (
	"strings"

	"github.com/routedelta/routedelta/diff/report"
)

// where names the gateways of a class where the report has others too, and its listener: "infra/public, port 443".
func (w words) where(r *report.Report, c report.Class) string {
	var parts []string
	if len(r.Gateways) > len(c.Gateways) {
		parts = append(parts, w.some(each(c.Gateways, w.code), " and "))
	}
	if c.Listener != "" {
		parts = append(parts, w.word(c.Listener))
	}
	return strings.Join(parts, ", ")
}

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
