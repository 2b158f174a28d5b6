package format

import (
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// Remark is one finding as it is shown beside a line of a manifest. Its texts are plain, and may hold any name of a manifest.
type Remark struct {
	// Level is "error", "warning" or "note", as in SARIF.
	Level          string
	Title, Message string
	// Places are where it may stand, the best first; none for what is about no line.
	Places []RemarkPlace
}

// RemarkPlace is a line of one side.
type RemarkPlace struct {
	// Side is "before" or "after".
	Side string
	diagnostic.Position
}

// Remarks are the findings of a report, gravest first: an error before a warning, and otherwise in the order of the report. They are the
// results of SARIF.
func Remarks(r *report.Report) []Remark {
	s := newSarifWriter(r)
	s.findings()
	remarks := make([]Remark, 0, len(s.found))
	for _, f := range s.found {
		remark := Remark{Level: s.level(f), Title: s.rules[s.index[f.rule]].ShortDescription.Text, Message: strings.TrimPrefix(f.text, s.rules[s.index[f.rule]].ShortDescription.Text+": ")}
		for _, line := range f.try[:min(len(f.try), 1)] {
			remark.Message += "\n" + line
		}
		for _, place := range f.places {
			if place.File != "" {
				remark.Places = append(remark.Places, RemarkPlace{sideOf(place.side), place.Position})
			}
		}
		remarks = append(remarks, remark)
	}
	slices.SortStableFunc(remarks, func(a, b Remark) int { return gravity(a.Level) - gravity(b.Level) })
	return remarks
}

// sideOf is the later side unless it is said otherwise.
func sideOf(side string) string {
	if side == "before" {
		return side
	}
	return "after"
}

func gravity(level string) int { return slices.Index(strings.Fields("error warning note"), level) }
