package format

import (
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
)

// run is a piece of text that is set in one way. A sentence is a list of runs; the template alone makes elements of them, so
// that no string of a report is ever taken for HTML.
type run struct {
	Text         string
	Code, Strong bool
	// Href is an address of http or https, or "".
	Href string
}

// The words of a report come as one string. For HTML they carry these marks, which no name can forge: visible leaves no
// control character in any.
const (
	codeStart, codeEnd     = '\x01', '\x02'
	strongStart, strongEnd = '\x03', '\x04'
	linkStart, linkText    = '\x05', '\x06' // the address stands between them
	linkEnd                = '\x07'
)

// htmlWords set everything with marks.
func htmlWords(r *report.Report) words {
	return words{
		code:      func(s string) string { return marked(codeStart, visible(s), codeEnd) },
		strong:    func(s string) string { return marked(strongStart, s, strongEnd) },
		number:    func(s string) string { return s },
		word:      visible,
		link:      markedLink,
		arrow:     "→",
		between:   " · ",
		percent:   " %",
		items:     10,
		ambiguous: ambiguousBackends(r),
	}
}

func marked(start rune, s string, end rune) string { return string(start) + s + string(end) }

func markedLink(side report.Side, file string, line int) string {
	text := visible(file)
	if line > 0 {
		text = fmt.Sprintf("%s:%d", text, line)
	}
	address := blobAddress(side.BlobURL, file, line)
	if address == "" {
		return marked(codeStart, text, codeEnd)
	}
	return string(linkStart) + address + string(linkText) + text + string(linkEnd)
}

// runs reads the marks. What is not balanced ends with the string.
func runs(s string) []run {
	var all []run
	var now run
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			now.Text = visible(text.String())
			all = append(all, now)
			text.Reset()
		}
	}
	for s != "" {
		i := strings.IndexFunc(s, func(r rune) bool { return r >= codeStart && r <= linkEnd })
		if i < 0 {
			text.WriteString(s)
			break
		}
		text.WriteString(s[:i])
		flush()
		mark := rune(s[i])
		s = s[i+1:]
		switch mark {
		case codeStart, codeEnd:
			now.Code = mark == codeStart
		case strongStart, strongEnd:
			now.Strong = mark == strongStart
		case linkStart:
			now.Href, s, _ = strings.Cut(s, string(linkText))
		case linkEnd:
			now.Href = ""
		}
	}
	flush()
	return all
}
