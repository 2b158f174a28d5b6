package main

import (
	"context"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/git"
	"github.com/routedelta/routedelta/plugin/github"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// maxPlaced bounds for how many findings a line is looked up. GitHub shows 50 annotations of a run.
const maxPlaced = 500

// annotations are the findings of a report beside the lines of the later commit. What was removed stands at the line that is nearest to where
// it was; what has no line there, beside none.
func annotations(ctx context.Context, found *report.Report, nearest *git.Nearest) ([]github.Annotation, error) {
	remarks := format.Remarks(found)
	list := make([]github.Annotation, len(remarks))
	for i, remark := range remarks {
		list[i] = github.Annotation{Level: levelOf(remark.Level), Title: "routedelta: " + remark.Title, Message: remark.Message}
		if i >= maxPlaced {
			continue
		}
		file, line, err := placed(ctx, remark.Places, nearest)
		if err != nil {
			return nil, err
		}
		list[i].Path, list[i].StartLine, list[i].EndLine = file, line, line
	}
	return list, nil
}

// placed is the first place that the later commit has.
func placed(ctx context.Context, places []format.RemarkPlace, nearest *git.Nearest) (file string, line int, err error) {
	for _, place := range places {
		lead := nearest.Line
		if place.Side == "before" {
			lead = nearest.LineBefore
		}
		line, there, err := lead(ctx, place.File, place.Line)
		if err != nil {
			return "", 0, err
		}
		if there {
			return place.File, line, nil
		}
	}
	return "", 0, nil
}

// levelOf is GitHub's word for a level of SARIF.
func levelOf(level string) github.AnnotationLevel {
	switch level {
	case "error":
		return github.LevelFailure
	case "warning":
		return github.LevelWarning
	}
	return github.LevelNotice
}

// diagnosticAnnotation is a diagnostic of manifests that could not be compared.
func diagnosticAnnotation(d diagnostic.Diagnostic) github.Annotation {
	level := github.LevelWarning
	if d.Severity == diagnostic.Error {
		level = github.LevelFailure
	}
	message := d.Message
	if d.Hint != "" {
		message += "\n" + d.Hint
	}
	a := github.Annotation{Level: level, Title: "routedelta: " + string(d.Code), Message: printable(message)}
	if d.Position.Line > 0 {
		a.Path, a.StartLine, a.EndLine = d.Position.File, d.Position.Line, d.Position.Line
	}
	return a
}
